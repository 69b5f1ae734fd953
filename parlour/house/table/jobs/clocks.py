"""Time that runs out at a table, even without open pages: a bot plays for the player who did not decide.

The database knows when; a beat checks it. While any clock runs, the beat is stored too, so that after a time without
any process (or with the machine asleep) every clock gets back what it lost. At a table with clocks of which none runs,
`due` says when to check whether the house forgot to continue: with a bot's move, or after a question.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from parlour.core.errors import ParlourError
from parlour.house.database.store import Conflict
from parlour.house.errors import OtherHouse
from parlour.house.house import House
from parlour.house.table.live import clocks
from parlour.house.table.live.table import Table
from parlour.house.table.play import absence
from parlour.house.table.storage import timekeeping

log = logging.getLogger(__name__)
BEAT = 0.4  # seconds between two looks
LOST = 3.0  # seconds between two beats of a process after which it was not running: the machine slept
DOWN = 0.6  # and, as a process starts, since the last beat of any
NEWER = 30.0  # seconds after which a table of a newer Parlour is checked again: one of its processes may run by then
PIECE = 50  # tables handled after one beat


async def keep_time(house: House) -> None:
    """Handle tables whose time is up, beat after beat, until the house closes."""
    last = 0.0
    while True:
        try:
            last = await beat(house, last)
        except ParlourError as error:
            log.warning("Could not check the clocks: %s", error)
        except Exception:
            log.exception("Could not check the clocks. Trying again.")
        await asyncio.sleep(BEAT)


async def beat(house: House, last: float) -> float:
    """Check once; return when that was. `last` is this process's previous check, 0 for none. Errors: StoreFailed."""
    now = time.time()
    lost = LOST if last else DOWN
    due, given = await house.store.tick(now, lost, asleep=now - last > lost, most=PIECE, give_back=clocks.given_back)
    for table_id in given:
        await house.learn(table_id)
    for table_id in due:
        await _see_to(house, table_id)
    return now


async def _see_to(house: House, table_id: str) -> None:
    """Handle one table whose time seems to be up. A failure there delays no other table."""
    try:
        async with house.hold(table_id) as table:
            if clocks.is_up(table, time.time()):
                await time_is_up(house, table)
    except Conflict:
        pass  # a player moved, or another process was faster
    except OtherHouse:
        await house.store.do(partial(timekeeping.look_again, table_id=table_id, due=time.time() + NEWER))
    except ParlourError as error:
        log.warning("Table %s cannot continue after its time ran out: %s", table_id, error)
        await house.store.no_clock(table_id)
    except Exception:
        log.exception("Table %s could not continue after its time ran out. Trying again.", table_id)


async def time_is_up(house: House, table: Table) -> None:
    """Handle the end of the time at a held table: a bot plays on, or the house continues what it forgot. Errors:
    Conflict, StoreFailed."""
    now, seat = time.time(), None if table.match is None else clocks.decides(table, table.match)
    async with house.change(table) as change:
        if table.match is None or table.over or table.closed:
            await change.set(began=0.0, used=0.0, due=None)
        elif seat is None:
            await change.set(**clocks.timing(table, table.match, now).kept())
        elif (due := clocks.due(table, seat)) > now + 1:  # a holiday began or changed meanwhile
            await change.set(due=due)
        else:
            await absence.step_out(change, table, [seat], "time", now)
            await change.set(touched=now)
