"""A transaction on one table."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from parlour.house.database.connections import Connection
from parlour.house.notify import outbox
from parlour.house.ratings import rows as rating_rows
from parlour.house.table.storage import queries, upkeep
from parlour.house.table.storage import schema as s
from parlour.house.table.storage.rows import AnswerRow, SeatRow, StepRow, TableRow


@dataclass
class Change:
    """A transaction on one table, which locks its row: `table` and `seats` are as they are now."""

    connection: Connection
    table: TableRow
    seats: list[SeatRow]
    deleted: bool = False

    async def set(self, **values: Any) -> None:
        """Change columns of the table."""
        await self.connection.execute(sa.update(s.tables).where(s.tables.c.id == self.table.id).values(**values))

    async def set_seat(self, seat: int, /, **values: Any) -> None:
        """Change columns of a seat."""
        which = (s.seats.c.table_id == self.table.id) & (s.seats.c.seat == seat)
        await self.connection.execute(sa.update(s.seats).where(which).values(**values))

    async def delete(self) -> None:
        """Delete the table and everything that belongs to it."""
        await self.connection.run_sync(lambda connection: upkeep.free_rematch(connection, self.table.id))
        await self.connection.execute(sa.delete(s.tables).where(s.tables.c.id == self.table.id))
        self.deleted = True

    async def add_steps(self, steps: Sequence[StepRow]) -> None:
        """Add to the record."""
        await self.connection.run_sync(lambda connection: queries.add_steps(connection, self.table.id, steps))

    async def note(self, kind: str, guests: Collection[str]) -> None:
        """Note a notification for these guests of an event at the table."""
        work = partial(outbox.note, kind=kind, table=self.table.id, guests=guests, now=time.time())
        await self.connection.run_sync(work)

    async def note_over(self, mover: str = "") -> None:
        """Note a notification of the game's end for all who played, except the `mover`, who ended it."""
        await self.connection.run_sync(partial(outbox.note_over, table=self.table.id, now=time.time(), mover=mover))

    async def rate(self, table: TableRow, seats: Sequence[SeatRow]) -> None:
        """Note who counts in which seat of a rated game that begins."""
        await self.connection.run_sync(lambda connection: rating_rows.begin(connection, table, seats))

    async def next_step(self) -> int:
        """Return the number of the next row of the journal."""
        c = s.steps.c
        last = await self.connection.scalar(sa.select(sa.func.max(c.idx)).where(c.table_id == self.table.id))
        return 0 if last is None else int(last) + 1

    async def answers(self, idx: int) -> list[AnswerRow]:
        """Return the answers to the question that was open when the record had `idx` steps."""
        return await self.connection.run_sync(lambda connection: queries.answers_at(connection, self.table.id, idx))
