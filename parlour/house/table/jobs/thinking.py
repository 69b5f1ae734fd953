"""A bot at a table is asked for a decision: a known one by the house's workers, one that its keeper brought apart."""

from __future__ import annotations

from collections.abc import Callable

from parlour import bots
from parlour.house.house import House
from parlour.house.table.live.deciding import as_asked
from parlour.house.table.live.looking import waited_for
from parlour.house.table.live.table import Table


async def think(house: House, table: Table, seat: int, name: str, wanted: Callable[[], bool]) -> int | None:
    """Return the action of the bot called `name` in a seat that may decide, once it is its turn to think; None if that
    is not `wanted` by then. Raises NoAnswer, and BotFault for a bot that the keeper brought."""
    name = bots.standing(table.game, name)
    known = name in bots.names(table.game)
    workers = house.workers if known else house.custom.workers
    async with workers.turn(house.origins.payer(table), lambda: waited_for(table)):
        if not wanted():
            return None
        match = as_asked(table, seat)
        if known:
            return await workers.choose(match, seat, name, repeatable=bool(table.row.day))
        return await house.custom.choose(match, seat, name, f"{table.id}/{seat}")
