"""Bots think in processes of their own, never in the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from parlour import bots
from parlour.bots import View, processes
from parlour.core.game import Game
from parlour.core.match import Match

log = logging.getLogger(__name__)
LONGEST = 60.0  # seconds that a bot may think


def bot_names(game: Game) -> tuple[str, ...]:
    """The bots that play `game`, the best first."""
    return tuple(bots.names(game))


def default_bot(game: Game) -> str:
    """The bot that a person meets who chose none."""
    return bots.default(game)


class Workers:
    """A pool of processes, started when first needed and replaced when it breaks."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, match: Match, seat: int, bot: str) -> int:
        """The action that `bot` chooses for `seat`, who has the decision. Asked again when a worker dies."""
        view = View.of(match, seat)
        while True:
            pool = await self._ready()
            try:
                return await asyncio.wait_for(asyncio.wrap_future(pool.submit(_choose, view, bot)), LONGEST)
            except BrokenProcessPool:
                log.warning("A worker process died while %s was thinking; another takes its place.", bot)
            except TimeoutError:
                log.error("%s thought for more than %d s; its process is ended and it is asked again.", bot, LONGEST)
            if self._pool is pool:
                self.stop()

    async def warm(self) -> None:
        """Start the processes before they are needed."""
        pool = await self._ready()
        with contextlib.suppress(BrokenProcessPool):  # the first move tries again
            await asyncio.wrap_future(pool.submit(_load))

    def processes(self) -> list[int]:
        """Ids of the processes."""
        return [] if self._pool is None else list(self._pool._processes or ())

    def stop(self) -> None:
        """End the processes, whatever they are doing."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes.end(pool)

    async def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = processes.start(self._count)
        return self._pool


def _load() -> None:
    from parlour.bots import worker  # noqa: F401 - its imports are the work


def _choose(view: View, bot: str) -> int:
    from parlour.bots import worker

    return worker.choose(view, bot)
