"""The watchdog names what holds the event loop."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

from parlour.table.house.house import House
from parlour.table.house.watchdog import BEAT, LIMIT, Watchdog


async def turned(watchdog: Watchdog) -> None:
    """The loop has turned since, and the watchdog has seen it."""
    last = watchdog._last
    while watchdog._last == last:  # noqa: ASYNC110 - the beat is the loop's own
        await asyncio.sleep(BEAT)


def compute(seconds: float) -> None:
    """Use the processor for so long, as this thread's clock tells."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def test_it_names_what_computes_in_the_loop(caplog: pytest.LogCaptureFixture) -> None:
    watchdog = Watchdog()
    watchdog.start()
    await turned(watchdog)
    with caplog.at_level(logging.WARNING):
        compute(0.3)
        await turned(watchdog)
    watchdog.stop()
    assert watchdog.busiest >= 0.3
    (stall, *_) = watchdog.stalls
    assert stall.seconds > LIMIT
    assert "test_watchdog.py" in stall.where
    assert " compute" in stall.where
    assert "The event loop stood still" in caplog.text


async def test_it_names_what_waits_in_the_loop() -> None:
    watchdog = Watchdog()
    watchdog.start()
    await turned(watchdog)
    time.sleep(0.3)  # noqa: ASYNC251 - the fault that is to be found
    await turned(watchdog)
    watchdog.stop()
    assert any(stall.seconds > 0.2 and "it_names_what_waits" in stall.where for stall in watchdog.stalls)
    assert watchdog.busiest < 0.2


async def test_a_loop_that_turns_is_left_alone() -> None:
    watchdog = Watchdog()
    watchdog.start()
    for _ in range(20):
        await asyncio.sleep(0.01)
    watchdog.stop()
    assert watchdog.busiest < LIMIT


async def test_every_house_has_one(house: House) -> None:
    await turned(house.watchdog)
    assert house.watchdog._thread is not None
