"""In which shapes a game is studied: every ruleset, edition and number of players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from parlour.core.facts import RULESET, Chosen
from parlour.core.game import Game


@dataclass(frozen=True)
class Shape:
    """A game as it is set up; `options` only where they are not the default, the ruleset always."""

    game: Game
    edition: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> str:
        """The name of the ruleset, "" where the game has only one."""
        return self.options.get(RULESET, "")

    @property
    def variant(self) -> str:
        """Ruleset and edition as far as there is a choice: "basic", "shafir-35", "basic, second"."""
        return ", ".join(filter(None, (self.ruleset, self.edition if len(self.game.editions) > 1 else "")))

    def start(self) -> Any:
        """The state before the first chance event."""
        return self.game.start(self.players, self.game.edition(self.edition), self.game.options(self.options))

    def __str__(self) -> str:
        changed = [f"{name}={value}" for name, value in self.options.items()]
        return " ".join((self.game.name, self.edition, f"{self.players}p", *changed))


def shapes(
    game: Game, players: int | None = None, edition: str | None = None, options: Chosen | None = None
) -> list[Shape]:
    """All shapes that fit what is given; other options hold for each, and rulesets in which one of them makes no
    difference are left out. UnknownName, BadSetup."""
    chosen = game.read(options)  # refuses what there is not
    values = game.rulesets_for(chosen)
    fewest, most = game.facts.players
    found = []
    for value in values:
        named = chosen | ({RULESET: value} if value else {})
        game.options(named)  # refuses what makes no difference there
        for name in [game.edition(edition).name] if edition else game.editions:
            for seats in [players] if players is not None else range(fewest, most + 1):
                found.append(Shape(game, name, seats, named))
    found[0].start()  # refuses a number of players that does not fit
    return found
