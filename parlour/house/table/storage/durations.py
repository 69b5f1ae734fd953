"""How long people thought, from the journals of finished games: by game, ruleset and number of players. Plain functions
of a connection, as in `queries`."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean, median, stdev
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.table.storage import schema as s
from parlour.house.table.storage.rows import PERSON

SURE = 1.96  # standard errors on each side of a mean, for 95 %


class Duration(NamedTuple):
    """Games of one kind: decisions a game, seconds a decision (median), minutes of thought a game and half of its 95 %
    interval (None for a single game)."""

    game: str
    ruleset: str
    players: int
    games: int
    decisions: float
    seconds: float
    minutes: float
    half: float | None


def durations(connection: sa.Connection, longest: float) -> list[Duration]:
    """Return the durations of complete games in which people had every seat at the end, a clock timed each decision,
    and no decision took longer than `longest` seconds."""
    bots = sa.select(s.seats.c.table_id).where(s.seats.c.kind.not_in(PERSON))
    finished = (
        sa.select(s.tables.c.id, s.tables.c.game, s.tables.c.options, sa.func.count(s.seats.c.seat))
        .join(s.seats, s.seats.c.table_id == s.tables.c.id)
        .where(s.tables.c.status == "over", s.tables.c.given == 0, s.tables.c.origin == "")
        .where(s.tables.c.tempo.is_not(None), s.tables.c.id.not_in(bots))
        .group_by(s.tables.c.id)
    )
    timed = sa.select(s.steps.c.table_id, s.steps.c.took).where(s.steps.c.took > 0)
    thought: dict[str, list[float]] = defaultdict(list)
    for table, seconds in connection.execute(
        timed.where(s.steps.c.table_id.in_(finished.with_only_columns(s.tables.c.id)))
    ):
        thought[table].append(seconds)
    kinds: dict[tuple[str, str, int], list[list[float]]] = defaultdict(list)
    for table, game, options, players in connection.execute(finished):
        if thought[table] and max(thought[table]) <= longest:
            kinds[game, options.get("ruleset", ""), players].append(thought[table])
    return [_duration(*kind, games) for kind, games in sorted(kinds.items())]


def _duration(game: str, ruleset: str, players: int, games: list[list[float]]) -> Duration:
    minutes = [sum(one) / 60 for one in games]
    half = SURE * stdev(minutes) / len(minutes) ** 0.5 if len(minutes) > 1 else None
    decisions, seconds = fmean(map(len, games)), median(second for one in games for second in one)
    return Duration(game, ruleset, players, len(games), decisions, seconds, fmean(minutes), half)
