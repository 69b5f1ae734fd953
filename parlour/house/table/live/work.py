"""What is being done at a table in the background."""

from __future__ import annotations

import asyncio
import contextlib


class Work:
    """The tasks of a table: its bots' moves, the end of its secret question; and the seats for which a hint is being
    worked out; and whether bots are to hurry."""

    def __init__(self) -> None:
        self.bots: asyncio.Task[None] | None = None
        self.asking: asyncio.Task[None] | None = None
        self.hints: set[int] = set()
        self.hurry = asyncio.Event()  # the only person here waits: bots take no time until that person decides

    async def pause(self, seconds: float) -> None:
        """Wait for so long, or until bots are to hurry."""
        if seconds > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.hurry.wait(), seconds)

    def tasks(self) -> list[asyncio.Task[None]]:
        """Return the tasks, including those that have ended."""
        return [task for task in (self.bots, self.asking) if task is not None]

    def busy(self) -> bool:
        """Return whether anything is being done."""
        return bool(self.hints) or any(not task.done() for task in self.tasks())

    def end(self) -> None:
        """End the tasks, except for the one that calls this."""
        for task in self.tasks():
            if task is not asyncio.current_task():
                task.cancel()
