"""News through Redis, without a house."""

from __future__ import annotations

import asyncio
from unittest.mock import AsyncMock

import pytest

from parlour.house import tasks
from parlour.house.news.fanout import Fanout


async def _closed_after(turns: int, redis_url: str) -> None:
    fanout = Fanout(redis_url, AsyncMock(), lambda: None)
    await fanout.open()
    fanout.tell("a table")
    for _ in range(turns):
        await asyncio.sleep(0)
    await fanout.close()


@pytest.mark.service
async def test_it_can_be_closed_at_any_moment(redis_url: str) -> None:
    """This includes while it connects to publish: redis-py can lose a cancellation there, and `close` once hung."""
    async with asyncio.timeout(60):
        for first in range(0, 80, 8):  # to connect all at once takes a busy machine longer than Redis may be silent
            await asyncio.gather(*(_closed_after(turns, redis_url) for turns in range(first, first + 8)))


async def test_a_task_that_loses_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "AGAIN", 0.01)
    lost: list[int] = []

    async def work() -> None:
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                lost.append(1)
                if len(lost) > 2:
                    raise

    async def fails() -> None:
        raise ValueError

    both = [asyncio.create_task(work()), asyncio.create_task(fails())]
    await asyncio.sleep(0)
    await tasks.end(both)
    assert len(lost) == 3
    assert all(task.done() for task in both)
