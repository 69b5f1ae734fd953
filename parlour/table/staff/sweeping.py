"""Clearing away what nobody comes back to, now and then and a little at a time: tables that waited
too long for players; and, if whoever runs the house says so (`parlour serve --keep`), games against
bots. Games of two people or more stay. And rated games are counted that were not when they ended, as the house went
down just then.

Of several processes on one database one does it: each piece of the work needs a claim that only one
can have (`storage.upkeep.claim`).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time

from parlour.core.errors import ParlourError
from parlour.table.house.house import House
from parlour.table.house.outcomes import count_rated
from parlour.table.storage.store import Conflict

log = logging.getLogger(__name__)
FIRST, EVERY = 60.0, 600.0  # seconds after the start; between two rounds
REST = 300.0  # seconds after which another process takes over
PIECE = 50  # tables deleted in one transaction
PAUSE = 0.5  # seconds between two of them


async def tidy(house: House) -> None:
    """Clear away, round after round, until the house closes."""
    mine = secrets.token_hex(8)
    await asyncio.sleep(FIRST)
    while True:
        try:
            await sweep(house, mine)
            await count_rated(house.store, PIECE)
        except (ParlourError, Conflict) as error:
            log.warning("Clearing away and counting rated games failed; it is tried again later: %s", error)
        except Exception:
            log.exception("Clearing away and counting rated games failed; it is tried again later.")
        await asyncio.sleep(EVERY)


async def sweep(house: House, mine: str, now: float | None = None) -> int:
    """One round, piece by piece; return how many tables were deleted, 0 where another process does
    it. `now` stands for the present time. Errors: StoreFailed, Conflict."""
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
        log.info("Cleared away %d tables.", deleted)
    return deleted
