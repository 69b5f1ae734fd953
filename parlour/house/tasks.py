"""Ends background tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

AGAIN = 2.0  # seconds in which a cancelled task may clean up before it is cancelled again


async def end(tasks: Collection[asyncio.Task[object]]) -> None:
    """Cancel tasks until all have ended, whatever with.

    Cancelling once is not enough: while redis-py 8.1 connects, a cancellation can get lost in it. The task then
    continues, and waiting for it would never end.
    """
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        ended, waiting = await asyncio.wait(waiting, timeout=AGAIN)
        for task in ended:
            if not task.cancelled():
                task.exception()  # or Python logs that it was never retrieved
