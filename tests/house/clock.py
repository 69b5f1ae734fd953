"""A clock that tests move by hours, and a house whose jobs run only when a test says so."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from litestar import Litestar

from parlour.house.app import open_house
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.table.jobs import clocks

Pass = Callable[[float], Awaitable[None]]  # lets this number of seconds pass


class Clock:
    """The time, which the test moves; it replaces `time.time`."""

    def __init__(self) -> None:
        self._real, self.ahead = time.time, 0.0

    def __call__(self) -> float:
        return self._real() + self.ahead


async def _nothing(_: House) -> None:
    """Replace a job that the house runs in real time."""


@asynccontextmanager
async def by_hand(app: Litestar) -> AsyncIterator[Litestar]:
    """Open a house that checks its clocks, sees to tournaments and sends notifications only when the test does it."""
    house = await open_house(app, JOBS._replace(keep_time=_nothing, tourneys=_nothing, tell=_nothing))
    try:
        yield app
    finally:
        await house.close()


async def pass_on(house: House, clock: Clock, seconds: float) -> None:
    """Let time pass for everyone, while no page is open; end the time of clocks that run out."""
    assert not any(table.audience.listeners for table in house.tables.values())
    clock.ahead += seconds
    for table in house.tables.values():  # the monotonic clock moves too
        table.audience._born -= seconds
        table.audience.seen = {guest: at - seconds for guest, at in table.audience.seen.items()}
    await clocks.beat(house, time.time() - clocks.BEAT)
