"""Cleaning up, now and then and a little at a time: tables that waited too long for players; if the operator wants it
(`parlour serve --keep`), old games against bots; what is left of guests whom no cookie knows any more. Games between
people stay. It also finishes what a shutdown interrupted: deleting accounts, unseating the banned, and counting rated
games and games of the day. It also commits to the seeds of the days to come.

Of several processes on one database, one does it: each piece of work needs a claim that only one can have
(`table.storage.upkeep.claim`).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from typing import Any

from parlour.core.errors import ParlourError
from parlour.house.accounts import leaving
from parlour.house.admin import deeds as admin_deeds
from parlour.house.database.store import Conflict
from parlour.house.house import House
from parlour.house.ratings.outcomes import count_late
from parlour.house.today import deeds as today_deeds

log = logging.getLogger(__name__)
FIRST, EVERY = 60.0, 600.0  # seconds after the start; between two rounds
REST = 300.0  # seconds after which another process takes over
PIECE = 50  # tables deleted in one transaction
PAUSE = 0.5  # seconds between two of them


async def tidy(house: House) -> None:
    """Clean up, round after round, until the house closes."""
    mine = secrets.token_hex(8)
    await _try(_go_on(house))  # at once, as people were promised
    await asyncio.sleep(FIRST)
    while True:
        await _try(_round(house, mine))
        await asyncio.sleep(EVERY)


async def _go_on(house: House) -> None:
    await leaving.finish(house)
    await admin_deeds.put_out(house)


async def _round(house: House, mine: str) -> None:
    await _go_on(house)
    await sweep(house, mine)
    await count_late(house.store, PIECE)
    await today_deeds.prepare(house, time.time())


async def _try(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except (ParlourError, Conflict) as error:
        log.warning("Could not delete old tables and count rated games. Trying again later: %s", error)
    except Exception:
        log.exception("Could not delete old tables and count rated games. Trying again later.")


async def sweep(house: House, mine: str, now: float | None = None) -> int:
    """Do one round, piece by piece; return how many tables were deleted, 0 if another process does it. `now` replaces
    the present time. Errors: StoreFailed, Conflict."""
    deleted = 0
    while True:
        gone = await house.store.clear(mine, time.time() if now is None else now, house.settings.keep, REST, PIECE)
        for table_id in gone:
            house.closed(table_id)
        deleted += len(gone)
        if len(gone) < PIECE:
            break
        await asyncio.sleep(PAUSE)
    if deleted:
        log.info("Deleted %d old tables.", deleted)
    return deleted
