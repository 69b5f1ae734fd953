"""What the survey's loop notes of a match that was played in another way: step by step, or by people."""

from __future__ import annotations

from typing import NamedTuple

from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE
from parlour.engine import interpret, survey
from parlour.engine.work import Games, Results


class Traced(NamedTuple):
    """A match as the loop saw it. The columns of `row`, `close` and `uses` are those of `parlour.engine.survey`."""

    row: list[int]
    close: list[float]
    uses: list[list[int]]


def retrace(match: Match) -> Traced:
    """Return what `parlour.engine.simulate.measure` notes of a game with these steps; it need not be over."""
    engine, players = interpret(match.game), len(match.names)
    kinds = len(getattr(match.game.events, "EVENTS", ()))
    columns = survey.EVENTS + kinds + len(getattr(match.game.events, "COUNTS", ()))
    start = match.game.start(players, match.edition, match.options)
    rows = engine.integers(1, columns)
    close = engine.close(players, 1, kinds, [*(action for _, action, _ in match.steps), survey.UNKNOWN])
    engine.survey.watch_games(
        [start], engine.states(start, 1), engine.integers(players), engine.integers(RNG_SIZE),
        Games(0, 0, 1, len(match.steps) + 1), engine.buffers(start),
        Results(engine.integers(1, players), engine.reals(1, players), rows), close,
    )  # fmt: skip
    return Traced(list(rows[0]), list(close.rows[0]), [list(use) for use in close.uses])
