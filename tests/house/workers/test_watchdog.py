"""The watchdog names what blocks the event loop."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable

import pytest

from parlour.house.house import House
from parlour.house.http.door import Door
from parlour.house.serve import new_loop
from parlour.house.workers import watchdog as watchdog_module
from parlour.house.workers.turns import Payer, Turns
from parlour.house.workers.watchdog import BEAT, LIMIT, OTHER, Watchdog, _idle, _named, _Queue


async def turned(watchdog: Watchdog) -> None:
    """Wait until the loop has turned and the watchdog has noticed."""
    last = watchdog._last
    while watchdog._last == last:  # noqa: ASYNC110 - the beat is the loop's own
        await asyncio.sleep(BEAT)


def compute(seconds: float) -> None:
    """Use the processor for this long, by this thread's clock."""
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
    assert "The event loop was blocked" in caplog.text


async def test_it_counts_where_each_time_and_names_so_many_places_at_most(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts even while the log is silent."""
    monkeypatch.setattr(watchdog_module, "QUIET", 1e9)
    monkeypatch.setattr(watchdog_module, "PLACES", 1)
    watchdog, turns = Watchdog(), Turns(1)
    watchdog.start()
    await turned(watchdog)

    def slow() -> bool:
        while watchdog._caught is None:
            compute(LIMIT)
        return True

    def times(place: str) -> int:
        return watchdog.held[place].times if place in watchdog.held else 0

    with caplog.at_level(logging.WARNING):
        while times("house/workers/turns.py:_next") < 2:  # on a busy machine what is seen may be a wait before that
            async with turns.take(Payer("", "a guest"), slow):  # our code, which calls code that is not ours
                pass
            await turned(watchdog)
        while times(OTHER) < 1:
            slow()  # none of our code
            await turned(watchdog)
        before = times(OTHER)
        while times(OTHER) == before:
            Door(1, count=lambda _: slow()).turned_away("connections")  # ours, but beyond the number of places
            await turned(watchdog)
    watchdog.stop()
    assert set(watchdog.held) == {"house/workers/turns.py:_next", OTHER}
    assert all(held.seconds > held.times * LIMIT for held in watchdog.held.values())
    assert "was blocked" not in caplog.text


async def test_it_names_what_waits_in_the_loop(caplog: pytest.LogCaptureFixture) -> None:
    watchdog = Watchdog()
    watchdog.start()
    await turned(watchdog)
    with caplog.at_level(logging.WARNING):
        time.sleep(0.3)  # noqa: ASYNC251 - the fault that is to be found
        await turned(watchdog)
    watchdog.stop()
    assert "it_names_what_waits" in caplog.text
    assert any(stall.seconds > 0.2 and "it_names_what_waits" in stall.where for stall in watchdog.stalls)
    assert watchdog.busiest < 0.2


async def test_a_machine_that_is_busy_with_others_is_not_named(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wait is the same, but the system says that the thread wanted a processor all the time."""
    watchdog = Watchdog()
    watchdog.start()
    await turned(watchdog)
    before = watchdog._queue.seconds()
    with caplog.at_level(logging.WARNING):
        time.sleep(0.3)  # noqa: ASYNC251
        monkeypatch.setattr(watchdog._queue, "seconds", lambda: before + 0.3)
        await turned(watchdog)
    watchdog.stop()
    assert watchdog.stalls
    assert not caplog.text


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_the_time_in_which_a_thread_had_no_processor_is_known() -> None:
    queue = _Queue()
    assert queue.known
    before = queue.seconds()
    compute(0.05)
    assert before <= queue.seconds() < before + 60
    queue.close()
    assert queue.seconds() == 0.0


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


@pytest.mark.parametrize("factory", [None, new_loop], ids=["asyncio", "uvloop"])
def test_a_loop_with_nothing_to_do_is_known_by_where_it_waits(
    factory: Callable[[], asyncio.AbstractEventLoop] | None,
) -> None:
    computing, enough, over = threading.Event(), threading.Event(), threading.Event()

    async def live() -> None:
        computing.set()
        while not enough.is_set():
            pass
        while not over.is_set():  # noqa: ASYNC110 - told by another thread
            await asyncio.sleep(0.2)

    def run() -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(live())

    def idle() -> bool:
        return _idle(_named(sys._current_frames()[thread.ident or 0]))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert computing.wait(20)
        assert not any(idle() for _ in range(20))
        enough.set()
        end = time.monotonic() + 20
        while not idle():
            assert time.monotonic() < end
    finally:
        enough.set()
        over.set()
        thread.join()
