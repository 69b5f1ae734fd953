"""Time that is up at a table, whether anybody looks at it or not: a bot plays on for who did not decide.

The database knows when; a beat looks. While any clock runs the beat is written down too, so that after a time in which
no process was there (or the machine slept) every clock is given back what it lost. Where no clock runs, at a table that
has them, `due` says when to look whether the house has forgotten to go on: with a bot's move, or after a question.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from parlour.core.errors import ParlourError
from parlour.table.errors import OtherHouse
from parlour.table.house.house import House
from parlour.table.live import clocks
from parlour.table.live.table import Table
from parlour.table.play import absence
from parlour.table.storage import timekeeping
from parlour.table.storage.store import Conflict

log = logging.getLogger(__name__)
BEAT = 0.4  # seconds between two looks
LOST = 3.0  # seconds between two beats of a process after which it was not there: the machine slept
DOWN = 0.6  # and, as a process starts, since the last beat of any
NEWER = 30.0  # seconds after which a table of a newer Parlour is looked at again: one of its processes may be there
PIECE = 50  # tables that are seen to after one beat


async def keep_time(house: House) -> None:
    """See to tables whose time is up, beat after beat, until the house closes."""
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
    """Look once; return when that was. `last`: when this process looked before, 0 for never. Errors: StoreFailed."""
    now = time.time()
    lost = LOST if last else DOWN
    due, given = await house.store.tick(now, lost, asleep=now - last > lost, most=PIECE, give_back=clocks.given_back)
    for table_id in given:
        await house.learn(table_id)
    for table_id in due:
        await _see_to(house, table_id)
    return now


async def _see_to(house: House, table_id: str) -> None:
    """One table whose time seems to be up. What goes wrong there holds up no other."""
    try:
        async with house.hold(table_id) as table:
            if clocks.is_up(table, time.time()):
                await time_is_up(house, table)
    except Conflict:
        pass  # somebody moved, or another process was faster
    except OtherHouse:
        await house.store.do(partial(timekeeping.look_again, table_id=table_id, due=time.time() + NEWER))
    except ParlourError as error:
        log.warning("Table %s cannot continue after its time ran out: %s", table_id, error)
        await house.store.no_clock(table_id)
    except Exception:
        log.exception("Table %s could not continue after its time ran out. Trying again.", table_id)


async def time_is_up(house: House, table: Table) -> None:
    """The time at a table that is held is up: a bot plays on, or the house does what it had forgotten. Errors:
    Conflict, StoreFailed."""
    now, seat = time.time(), None if table.match is None else clocks.decides(table, table.match)
    async with house.change(table) as change:
        if table.match is None or table.over or table.closed:
            await change.set(began=0.0, used=0.0, due=None)
        elif seat is None:
            await change.set(**clocks.timing(table, table.match, now)._asdict())
        elif (due := clocks.due(table, seat)) > now + 1:  # a holiday began or changed meanwhile
            await change.set(due=due)
        else:
            await absence.step_out(change, table, [seat], "time", now)
            await change.set(touched=now)
