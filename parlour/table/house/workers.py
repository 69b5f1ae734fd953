"""Bots think in processes of their own, never in the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from parlour.bots import Advice, View, processes
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.table.errors import NoAnswer

T = TypeVar("T")
log = logging.getLogger(__name__)
LONGEST = 60.0  # seconds that a bot may think


class Workers:
    """A pool of processes, started when first needed and replaced when it breaks. `nice` says
    how far they step back for other processes."""

    def __init__(self, count: int, nice: int = 0) -> None:
        self._count, self._nice = count, nice
        self._free = asyncio.Semaphore(count)
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, match: Match, seat: int, bot: str) -> int:
        """Return the action that `bot` chooses for `seat`, which has the decision. Tried again if a
        worker dies.

        `match` must be a copy that nobody else changes: what the seat cannot know is dealt again
        outside the event loop.
        """
        view = await asyncio.to_thread(View.of, match, seat)
        while True:
            with contextlib.suppress(NoAnswer):
                return await self.ask(bot, _choose, view, bot)

    async def advise(self, match: Match, seat: int, top: int, engine: str) -> Advice:
        """Value every decision of `seat`, which is to decide; the `top` ones closely. Raises
        NoAnswer. `match` is a copy, as for `choose`."""
        view = await asyncio.to_thread(View.of, match, seat)
        return await self.ask("a hint", _advise, sendable(match.game), view, top, engine)

    async def ask(self, who: str, work: Callable[..., T], *arguments: Any, limit: float = LONGEST) -> T:
        """Run `work`, a function of a module, in a process of the pool and return its answer.
        Raises NoAnswer if the process died or took more than `limit` seconds; `who` names the
        caller in the log."""
        async with self._free:  # whoever waits stands here, not in the pool, which may be ended and takes no time
            pool = await self._ready()
            try:
                return await asyncio.wait_for(asyncio.wrap_future(pool.submit(work, *arguments)), limit)
            except BrokenProcessPool:
                log.warning("A worker process died while %s was thinking; another takes its place.", who)
            except TimeoutError:
                log.error("%s thought for more than %d s; its process is ended, another takes its place.", who, limit)
            if self._pool is pool:
                self.stop()
        raise NoAnswer("The process that was to work this out has died.")

    async def warm(self) -> None:
        """Start the processes before they are needed."""
        with contextlib.suppress(NoAnswer):  # the first move tries again
            await self.ask("a new process", _load)

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
            self._pool = processes.start(self._count, self._nice)
        return self._pool


def sendable(game: Game) -> Game:
    """The game without the modules that it has loaded, which cannot go to another process."""
    return Game(game.name, game.package)


def _load() -> None:
    from parlour.bots import worker  # noqa: F401 - its imports are the work


def _choose(view: View, bot: str) -> int:
    from parlour.bots import worker

    return worker.choose(view, bot)


def _advise(game: Game, view: View, top: int, engine: str) -> Advice:
    from parlour.bots import worker

    return worker.advise(game, view, top, engine)
