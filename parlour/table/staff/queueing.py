"""Keeping the queue of those who ask to play now: who has a page open, of the lobby or of a table, goes on asking; who
has none asks no more after a few seconds, also where their process died. And pairing those who have waited so long that
they play others than at first."""

from __future__ import annotations

import asyncio
import logging
import time

from parlour.core.errors import ParlourError
from parlour.table.house.house import House
from parlour.table.play.pairing import pair

log = logging.getLogger(__name__)
BEAT = 2.0  # seconds


async def keep_queue(house: House) -> None:
    """Look after those who ask and are here, until the house closes."""
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
        except Exception:  # nobody else does
            log.exception("Could not update the queue of players. Trying again.")
