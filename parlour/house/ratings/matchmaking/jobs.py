"""Maintains the queue of "Play now". People with an open page of the lobby or a table stay in it; without one they
leave it after a few seconds, even if their process died. It also pairs those whose waiting time now allows other
opponents."""

from __future__ import annotations

import asyncio
import logging
import time

from parlour.core.errors import ParlourError
from parlour.house.house import House
from parlour.house.ratings.matchmaking.deeds import pair

log = logging.getLogger(__name__)
BEAT = 2.0  # seconds


async def keep_queue(house: House) -> None:
    """Maintain the queue for those who are here, until the house closes."""
    while True:
        await asyncio.sleep(BEAT)
        try:
            here = house.here()
            asking = set(await house.store.askers()) if here else set()
            if asking and await house.store.keep_asking(here & asking, time.time()):
                house.lobby.note()
            if here & asking:
                await pair(house)
        except ParlourError as error:
            log.warning("Could not update the queue of players: %s", error)
        except Exception:  # nothing else does
            log.exception("Could not update the queue of players. Trying again.")
