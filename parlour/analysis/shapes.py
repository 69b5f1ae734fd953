"""The shapes in which a game is studied: every ruleset, edition and number of players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from parlour.core.edition import Edition, EditionLike
from parlour.core.facts import RULESET, Chosen
from parlour.core.game import Game
from parlour.core.struct import GameState


@dataclass(frozen=True)
class Shape:
    """A game with its setup. `options` holds the ruleset, and others only if they are not the default.

    `edition` may be given as `Game.edition` reads it; an edition of your own is kept as it was then.
    """

    game: Game
    edition: EditionLike
    players: int
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "edition", self.game.settled(self.edition))

    @property
    def box(self) -> Edition:
        """The edition."""
        return self.game.edition(self.edition)

    @property
    def ruleset(self) -> str:
        """The name of the ruleset, "" if the game has only one."""
        return self.options.get(RULESET, "")

    @property
    def variant(self) -> str:
        """Ruleset and edition, if there is a choice: "basic", "shafir-35", "basic, second"."""
        edition = self.box.name if len(self.game.editions) > 1 or self.box.base else ""
        return ", ".join(filter(None, (self.ruleset, edition)))

    def start(self) -> GameState:
        """Return the state before the first chance event."""
        options = self.game.options(self.options)
        state: GameState = self.game.start(self.players, self.box, options)
        return state

    def __str__(self) -> str:
        changed = [f"{name}={value}" for name, value in self.options.items()]
        return " ".join((self.game.name, self.box.name, f"{self.players}p", *changed))


def shapes(
    game: Game, players: int | None = None, edition: EditionLike | None = None, options: Chosen | None = None
) -> list[Shape]:
    """Return all shapes that fit the arguments. Other options apply to each shape; rulesets in which one of them does
    not matter are left out. Raises UnknownName, BadSetup."""
    chosen = game.read(options)  # refuses unknown options
    values = game.rulesets_for(chosen)
    fewest, most = game.facts.players
    found = []
    for value in values:
        named = chosen | ({RULESET: value} if value else {})
        game.options(named)  # refuses options that do not matter there
        for box in game.editions.values() if edition is None else [game.edition(edition)]:
            for seats in [players] if players is not None else range(fewest, most + 1):
                found.append(Shape(game, box, seats, named))
    found[0].start()  # refuses a number of players that does not fit
    return found
