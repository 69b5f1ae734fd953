"""Maintains the queue of "Play now". People with an open page of the lobby or a table stay in it; without one they
leave it after a few seconds, even if their process died. It also pairs those whose waiting time now allows other
opponents."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from parlour.core.errors import ParlourError
from parlour.house.house import House
from parlour.house.ratings.matchmaking import rows
from parlour.house.ratings.matchmaking.deeds import pair

log = logging.getLogger(__name__)
BEAT = 2.0  # seconds


async def keep_queue(house: House) -> None:
    """Maintain the queue for those who are here, until the house closes."""
    while True:
        await asyncio.sleep(BEAT)
        try:
            here = house.pages.here()
            asking = set(await house.store.ask(rows.askers)) if here else set()
            still = here & asking
            removed = bool(asking) and await house.store.do(partial(rows.keep, here=still, now=time.time()))
            if removed:
                house.lobby.note()
            if still:
                await pair(house)
        except ParlourError as error:
            log.warning("Could not update the queue of players: %s", error)
        except Exception:  # nothing else does
            log.exception("Could not update the queue of players. Trying again.")
