"""What the database knows of clocks: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from parlour.table.storage import schema as s
from parlour.table.storage.rows import Timing

# A tempo, the clock that ran, the last beat and the present time: the clock as it goes on.
GiveBack = Callable[[Any, Timing, float, float], Timing]
_ALIVE = "alive"  # the key of the last beat of any process, written while a clock runs


def next_due(connection: sa.Connection) -> float | None:
    """When the first clock is up, None where none runs."""
    found: float | None = connection.scalar(sa.select(sa.func.min(s.tables.c.due)))
    return found


def tick(
    connection: sa.Connection, now: float, lost: float, asleep: bool, most: int, give_back: GiveBack
) -> tuple[list[str], list[str]]:
    """Write down a beat; return the tables whose time is up, and those whose clocks were given back what they lost:
    the time since the last beat, where `asleep` and that is longer than `lost`."""
    before = _beat(connection, now)
    c = s.tables.c
    given: list[str] = []
    if asleep and before is not None and now - before > lost:
        running = (
            sa.select(c.id, c.tempo, *(c[name] for name in Timing._fields)).where(c.due.is_not(None)).order_by(c.id)
        )
        for table_id, tempo, *timing in connection.execute(running.with_for_update()).all():
            values = give_back(tempo, Timing(*timing), before, now)._asdict()
            connection.execute(sa.update(s.tables).where(c.id == table_id).values(**values, changes=c.changes + 1))
            given.append(table_id)
    due = sa.select(c.id).where(c.due <= now).order_by(c.due).limit(most)
    return list(connection.scalars(due)), given


def _beat(connection: sa.Connection, now: float) -> float | None:
    """Write that the house is there; return when it was last said, None where another process says so at the same
    time, or nobody ever did."""
    c = s.settings.c
    found = connection.scalar(sa.select(c.value).where(c.key == _ALIVE))
    if found is None:
        connection.execute(sa.insert(s.settings).values(key=_ALIVE, value=f"{now:.3f}"))
        return None
    said = sa.update(s.settings).where(c.key == _ALIVE, c.value == found).values(value=f"{now:.3f}")
    return float(found) if connection.execute(said).rowcount else None


def no_clock(connection: sa.Connection, table_id: str) -> None:
    """No clock runs at a table any more."""
    c = s.tables.c
    connection.execute(sa.update(s.tables).where(c.id == table_id).values(began=0.0, used=0.0, due=None))
