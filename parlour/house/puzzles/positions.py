"""The positions of puzzles, played again from their records and kept for a while; and whose turn a day's is.

What is kept has what the record has, including what other players hold. Only `drawn` scenes of the deciding seat leave
it.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

from parlour.bots import View, chances
from parlour.bots.because import ground_of
from parlour.core import puzzle as files
from parlour.core.errors import ParlourError, UnknownName
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.puzzle import Collection, Puzzle
from parlour.core.replay import replay
from parlour.core.scene import Line, Scene
from parlour.games import all_games
from parlour.house.errors import NotFound
from parlour.house.puzzles.rows import Which

KEPT = 128  # positions in memory


class Position:
    """A puzzle with corrected chances, and the match at it. `holds` says between which players the
    chances hold, as a sentence. Do not change the match."""

    def __init__(self, game: Game, which: Which, puzzle: Puzzle, match: Match, holds: str) -> None:
        self.game, self.which, self.puzzle, self.match, self.holds = game, which, puzzle, match, holds

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self.puzzle.seat

    @cached_property
    def scene(self) -> Scene:
        """What the seat sees, without anything to take back or to ask."""
        return self.game.scenes.scene(self.match.state, self.seat, self.match.names)

    @cached_property
    def log(self) -> list[Line]:
        """What the seat has read so far."""
        return self.match.log(self.seat)

    @cached_property
    def why(self) -> str:
        """Why the best decision is best, a clause that follows "because"; "" if the game has no reason."""
        state = View.of(self.match, self.seat).state(self.game)
        ground = ground_of(self.game, state, self.match.parse(self.puzzle.best, self.seat))
        return self.game.because(ground, self.match.names) if ground else ""


class Of(NamedTuple):
    """A ruleset that has puzzles."""

    game: Game
    which: Which
    every: Collection


@lru_cache(maxsize=KEPT)
def position(game: Game, ruleset: str, key: str) -> Position:
    """Return the position of a puzzle. It replays a record: call it outside the event loop. Raises NotFound."""
    every = puzzles_of(game, ruleset)
    try:
        one = every.of(key)
    except KeyError:
        raise NotFound("There is no such puzzle. Newer versions have other ones.") from None
    which = Which(game.name, every.options.get(RULESET, ""))
    match = replay(every.record(one), lambda _: game)
    exact = not every.simulations
    holds = chances.holds(chances.of_match(match), exact=exact)
    return Position(game, which, chances.of_puzzle(one, match, exact=exact), match, holds)


def puzzles_of(game: Game, ruleset: str) -> Collection:
    """Return a ruleset's puzzles. Raises UnknownName for another ruleset, NotFound if it has none."""
    if ruleset and ruleset not in game.rulesets:
        raise UnknownName(f"{game.name} has no ruleset {ruleset[:64]!r}.", allowed=game.rulesets)
    found = playable(game, ruleset or game.rulesets[0])
    if found is None:
        raise NotFound(f"{game.text.TITLE} has no puzzles yet.")
    return found


def playable(game: Game, ruleset: str) -> Collection | None:
    """Return a ruleset's puzzles, None without any that these rules can show."""
    try:
        found = files.puzzles_of(game, ruleset)
    except ParlourError:  # a file of another version
        return None
    return found if found is not None and found.rules == game.rules.VERSION else None


def kinds() -> list[Of]:
    """Return every ruleset that has puzzles, in a steady order. It may read files: call it outside the event loop."""
    found = ((game, ruleset) for _, game in sorted(all_games().items()) for ruleset in game.rulesets)
    return [
        Of(game, Which(game.name, ruleset), every)
        for game, ruleset in found
        if (every := playable(game, ruleset)) is not None
    ]
