"""The process that analyses games for a table: it judges a record piece by piece, so that others can see its
progress."""

from __future__ import annotations

import logging
from functools import lru_cache

from parlour import bots
from parlour.analysis import evaluation
from parlour.analysis.evaluation import Decision, Judgement
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.replay import replay

log = logging.getLogger(__name__)

_adviser: tuple[tuple[Game, int, float], bots.Adviser] | None = None  # trees are large: keep those of one game only
_broken: set[str] = set()  # games that could not be compiled


def prepare(game: Game) -> bool:
    """Compile `game`, or read it from the cache. Return whether that worked. Takes up to a minute the first time."""
    from parlour.bots import worker

    try:
        worker.warm(game)
    except Exception:  # the plain engine searches less
        log.exception("The compiled engine of %s could not be made; it is analysed with the plain one.", game.name)
        _broken.add(game.name)
    return game.name not in _broken


def judge(
    game: Game, record: str, budget: float, first: int, seconds: float, engine: str = ""
) -> tuple[list[Judgement], int]:
    """Judge the decisions of a record from number `first` on for about `seconds`. Return the judgements and how many
    decisions there are in all.

    All decisions share the simulations of an analysis (`bots.levels.simulations_each`), so the result is the same on
    every machine. With plain rules, where that would take minutes, they have `budget` seconds in all, in equal shares.
    `engine`: "plain", or "" for the compiled one.
    """
    from parlour.bots import worker

    found = _decisions(game, record)
    if first >= len(found):
        return [], len(found)
    ready = None if engine == "plain" or game.name in _broken else worker.warm(game)
    each = budget / len(found) if ready is None else 0.0
    judged = evaluation.timed(found[first:], game, _asked(game, len(found), each), ready, seconds)
    return judged, len(found)


def luck(game: Game, record: str) -> tuple[float, ...]:
    """Return the luck of each seat in a record (`parlour.analysis.luck`)."""
    from parlour.analysis import luck

    return luck.of_record(replay(Record.parse(record), lambda _: game))


@lru_cache(1)
def _decisions(game: Game, record: str) -> list[Decision]:
    return evaluation.decisions(replay(Record.parse(record), lambda _: game))


def _asked(game: Game, decisions: int, seconds: float) -> bots.Adviser:
    """Return what judges a game with this number of decisions, each within `seconds` if that is not 0."""
    global _adviser
    key = game, decisions, seconds
    if _adviser is None or _adviser[0] != key:
        usual = bots.plan(game, bots.ADVICE).seconds or seconds
        _adviser = key, bots.adviser(game, seconds=min(usual, seconds) or None, shared=decisions)
    return _adviser[1]
