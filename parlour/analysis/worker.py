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

_adviser: tuple[tuple[Game, str, float], bots.Adviser] | None = None  # trees are large: keep those of one game only
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
    game: Game, record: str, level: str, budget: float, first: int, seconds: float, engine: str = ""
) -> tuple[list[Judgement], int]:
    """Judge the decisions of a record from number `first` on for about `seconds`. Return the judgements and how many
    decisions there are in all.

    All decisions together have `budget` seconds, in equal shares. `engine`: "plain", or "" for the compiled one.
    """
    from parlour.bots import worker

    found = _decisions(game, record)
    if first >= len(found):
        return [], len(found)
    each = budget / len(found)
    ready = None if engine == "plain" or game.name in _broken else worker.warm(game)
    judged = evaluation.timed(found[first:], game, _asked(game, level, each), ready, seconds)
    return judged, len(found)


@lru_cache(1)
def _decisions(game: Game, record: str) -> list[Decision]:
    return evaluation.decisions(replay(Record.parse(record), lambda _: game))


def _asked(game: Game, level: str, seconds: float) -> bots.Adviser:
    global _adviser
    usual = bots.plan(game, level).seconds or seconds
    key = game, level, min(usual, seconds)
    if _adviser is None or _adviser[0] != key:
        _adviser = key, bots.adviser(game, level, seconds=key[2])
    return _adviser[1]
