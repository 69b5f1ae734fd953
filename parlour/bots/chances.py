"""The chances that people are shown: what a search finds, corrected by how often that came true.

A search judges positions by a value that was fitted to something else, and takes the highest of several estimates. So
what it calls 64 % may happen three times in four. `parlour calibrate` compares what it says in games between bots of
one level with the results of these games, and fits three numbers:

    log-odds shown = middle * (4 * found - 2) + ends * (log-odds found - (4 * found - 2)) + shift

With `middle` and `ends` equal it is Platt's map of log-odds ("Probabilistic outputs for support vector machines",
1999). Near an even chance the log-odds grow by `middle`, near 0 and 1 by `ends`. One number for both would not do: what
is nearly won or lost is lost or won now and then by players of the level, however much the search knows of other
positions. Both are positive, so the order of decisions stays, and so does the best one; 0 and 1 stay, too. A shift
below 0 says that the search favours the player who decides. Of more than two players, the chance of the one who decides
is corrected, and the others share the rest as they did in the search, so that all chances sum to 1.

The numbers of a game are in its file `chances.toml`, one entry for each ruleset, edition and number of players. `shown`
is the only function that corrects advice: hints, analyses and errors of decisions are its answers. Losses are
differences of corrected chances, so that a point is a game in a hundred everywhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from math import exp, log, log1p
from typing import TYPE_CHECKING, Protocol

from parlour.bots.advice import Advice, Choice
from parlour.bots.view import View, own
from parlour.core.changes import as_toml
from parlour.core.errors import BadSetup
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine.interpreted import Engine

if TYPE_CHECKING:
    from parlour.core.puzzle import Puzzle

FILE = "chances.toml"
EDGE = 0.005  # from 0 and 1, where the derivative of a correction may be infinite
EXACT = "These chances are exact between perfect players."
UNKNOWN = "These are estimates, not compared with results."


@dataclass(frozen=True, slots=True)
class Correction:
    """How the chances of a ruleset are corrected, between players of a `level`, with one of the game's own editions.

    It was fitted to what searches of this many `simulations` found in `games`, or a network (0).
    """

    ruleset: str
    edition: str
    players: int
    level: str
    simulations: int
    games: int
    middle: float
    ends: float
    shift: float

    def of(self, chance: float) -> float:
        """Return a chance as it is shown."""
        if not 0 < chance < 1:
            return chance
        near = 4 * chance - 2  # the log-odds of an even chance, and nearly of those round it
        odds = self.middle * near + self.ends * (log(chance) - log1p(-chance) - near) + self.shift
        return 1 / (1 + exp(-odds)) if odds >= 0 else exp(odds) / (1 + exp(odds))

    def stretch(self, chance: float) -> float:
        """Return by how much a small difference grows at a chance: the derivative."""
        found = min(max(chance, EDGE), 1 - EDGE)
        after = self.of(found)
        slope = 4 * (self.middle - self.ends) + self.ends / (found * (1 - found))
        return after * (1 - after) * slope


class Estimating(Protocol):
    """The same as `parlour.bots.Adviser`, which imports this module."""

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice: ...


@dataclass(frozen=True)
class Corrected:
    """An `Adviser` that corrects what another one finds."""

    game: Game
    estimates: Estimating

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice:
        """See `Adviser`."""
        return shown(self.game, view, self.estimates.advise(view, engine, beside))


def shown(game: Game, view: View, advice: Advice) -> Advice:
    """Return advice with its chances corrected. What is exact, and what was not compared with results, stays."""
    found = of_view(game, view)
    if advice.exact or found is None:
        return advice
    return replace(advice, choices=tuple(_choice(found, one) for one in advice.choices))


def of_puzzle(one: Puzzle, match: Match, *, exact: bool) -> Puzzle:
    """Return a puzzle with its chances corrected; files keep them as a search found them. `match` leads to it."""
    from msgspec import structs

    found = of_match(match)
    if exact or found is None:
        return one
    values = [
        structs.replace(value, chance=found.of(value.chance), error=value.error * found.stretch(value.chance))
        for value in one.values
    ]
    return structs.replace(one, values=tuple(values))


def holds(found: Correction | None, *, exact: bool) -> str:
    """Return for whom chances hold, as a sentence, by their correction."""
    if exact:
        return EXACT
    return UNKNOWN if found is None else f"These chances hold between players of level {found.level}."


def of_view(game: Game, view: View) -> Correction | None:
    """Return the correction of a seat's view; None for a setup that was not measured."""
    return None if view.changed else correction(game, view.edition, view.options, view.players)


def of_match(match: Match) -> Correction | None:
    """Return the correction of a match; None for a setup that was not measured."""
    if not own(match.game, match.edition):
        return None
    return correction(match.game, match.edition.name, tuple(match.options.items()), len(match.names))


def correction(game: Game, edition: str, options: Sequence[tuple[str, str]], players: int) -> Correction | None:
    """Return the correction of one of the game's own editions with these options; None for one without."""
    setup = dict(options).get(RULESET, ""), edition, players
    return next((one for one in corrections(game) if (one.ruleset, one.edition, one.players) == setup), None)


@cache
def corrections(game: Game) -> tuple[Correction, ...]:
    """Return all corrections of a game. Raises BadSetup if its file has something else."""
    return read(game.optional_text(FILE))


def read(text: str) -> tuple[Correction, ...]:
    """Return the corrections in the text of a file; `write` reverses it. Raises BadSetup.

    Files of before 2026-11-30 have one `slope` for `middle` and `ends`.
    """
    try:
        every = tomllib.loads(text).get("corrections", ())
        for one in every:
            if "slope" in one:
                one["middle"] = one["ends"] = one.pop("slope")
        found = tuple(Correction(**one) for one in every)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise BadSetup(f"{FILE} has no corrections of chances: {error}") from error
    if any(min(one.middle, one.ends) <= 0 for one in found):
        raise BadSetup(f"{FILE}: `middle` and `ends` must be above 0, or the best decision would be another.")
    return found


def write(found: Sequence[Correction]) -> str:
    """Return the text of a file."""
    parts = [
        "# How the chances that hints and analyses show are corrected (`parlour/bots/chances.py`).\n"
        "# Written by `parlour calibrate GAME --correct FILE`; docs/chances.md says how true they are.\n"
    ]
    for one in found:
        lines = (f"{name} = {as_toml(value)}" for name, value in asdict(one).items())
        parts.append("\n".join(("[[corrections]]", *lines, "")))
    return "\n".join(parts)


def _choice(found: Correction, one: Choice) -> Choice:
    """Return a choice with its chance and its variance corrected, to first order."""
    if one.chance is None:
        return one
    stretch = found.stretch(one.smoothed)
    return replace(one, chance=found.of(one.chance), noise=one.variance * stretch**2)
