"""What the house checks at intervals: every second if it gets no news from other processes, otherwise every ten."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from parlour.core.errors import ParlourError

BEAT = 1.0  # seconds between two looks
SELDOM = 10  # beats, if other processes report their changes, or no other process runs


async def by_the_clock(look: Callable[[], Awaitable[object]], alone: Callable[[], bool]) -> None:
    """Check again and again until cancelled. `alone` says whether no other process changes anything, or all report
    it."""
    beat = 0
    while True:
        await asyncio.sleep(BEAT)
        beat += 1
        if beat % SELDOM == 0 or not alone():
            with contextlib.suppress(ParlourError):  # the database's own check has logged it
                await look()
