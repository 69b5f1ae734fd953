"""A known bot replaces one that the keeper of the house brought, and that failed. A chat line says so. The details are
only in the log of the house, for its keeper: they may quote files."""

from __future__ import annotations

import time
from functools import partial

from parlour.house.house import House
from parlour.house.table.live.table import Table
from parlour.house.table.play import absence
from parlour.house.table.storage import queries
from parlour.house.table.storage.rows import ChatRow


async def substitute(house: House, table_id: str, seat: int, failed: str) -> Table:
    """Seat a known bot instead of one that failed, and say so at the table in the name of the seat; return the table.
    Repeating it does no harm. Raises StoreFailed."""
    async with house.hold(table_id) as table:
        other = absence.level(table)
        async with house.change(table) as change:
            now = change.seats[seat]
            if table.status != "playing" or (now.kind, now.bot) != ("bot", failed):
                return table
            await change.set_seat(seat, bot=other)
            text = f"This bot failed. The {other} bot plays on in its seat."
            line = ChatRow(0, table_id, "", seat, now.name, text, at=time.time())
            await change.connection.run_sync(partial(queries.say, line=line.kept()))
        return table
