"""The processes in which bots think, outside the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar, TypeVarTuple

from parlour.bots import Advice, View, processes
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.house.errors import NoAnswer
from parlour.house.workers.turns import Payer, Turns

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
log = logging.getLogger(__name__)
LONGEST = 60.0  # seconds that a bot may think
OURS = Payer("", "")  # the house's own work
TRIES = 3  # processes that may die over one decision before others get their turn


class Workers:
    """A pool of processes, started when first needed and replaced when it breaks. `nice` is their niceness; `engine` is
    what bots choose with, as `parlour.bots.worker` knows it; `memory` limits each process, as `processes.start` says.

    Work takes a turn first (`turn`), and is requested while the turn lasts. So nothing waits in the pool, which may be
    ended, and work that is no longer wanted when its turn comes is not done.
    """

    def __init__(self, count: int, nice: int = 0, engine: str = "", memory: int = 0) -> None:
        self._count, self._nice, self._engine, self._memory = count, nice, engine, memory
        self._turns = Turns(count)
        self.turn = self._turns.take
        self._pool: ProcessPoolExecutor | None = None

    @property
    def waiting(self) -> int:
        """Return how many wait for their turn."""
        return self._turns.waiting

    @property
    def thinking(self) -> int:
        """Return how many have a turn."""
        return self._turns.taken

    async def choose(self, match: Match, seat: int, bot: str, *, repeatable: bool = False) -> int:
        """Return the action that `bot` chooses for `seat`, whose turn it is. Call it within a turn. It tries again if a
        worker dies, and raises NoAnswer if that happens every time. See `bots.find` for `repeatable`.

        `match` must be a copy that no other code changes: what the seat cannot know is dealt again outside the event
        loop.
        """
        view = await asyncio.to_thread(View.of, match, seat)
        return await self.insist(TRIES, bot, _choose, view, bot, self._engine, repeatable)

    async def advise(self, match: Match, seat: int, top: int, engine: str) -> tuple[View, Advice]:
        """Value every decision of `seat`, whose turn it is; the `top` ones closely. Return it with the view that it
        rests on. Call it within a turn. Raises NoAnswer. `match` is a copy, as for `choose`."""
        view = await asyncio.to_thread(View.of, match, seat)
        return view, await self.ask("a hint", _advise, sendable(match.game), view, top, engine)

    async def ask(self, who: str, work: Callable[[*Ts], T], *arguments: *Ts, limit: float = LONGEST) -> T:
        """Run `work`, a function of a module, in a process of the pool and return its result. Call it within a turn.
        Raises NoAnswer if the process died or took more than `limit` seconds; `who` names the caller in the log."""
        pool = self._ready()
        try:
            return await asyncio.wait_for(asyncio.wrap_future(pool.submit(work, *arguments)), limit)
        except BrokenProcessPool:
            log.warning("A worker process died while working on %s. A new one is starting.", who)
        except TimeoutError:
            log.error("%s took more than %d s. Its worker process was ended; a new one is starting.", who, limit)
        if self._pool is pool:
            self.stop()
        raise NoAnswer("The computation failed or took too long. Please try again.")

    async def insist(
        self, tries: int, who: str, work: Callable[[*Ts], T], *arguments: *Ts, limit: float = LONGEST
    ) -> T:
        """Do the same as `ask`, but try again in another process if one dies or takes too long, this many times in
        all."""
        for _ in range(tries - 1):
            with contextlib.suppress(NoAnswer):
                return await self.ask(who, work, *arguments, limit=limit)
        return await self.ask(who, work, *arguments, limit=limit)

    async def warm(self) -> None:
        """Start the processes before they are needed."""
        async with self.turn(OURS):
            with contextlib.suppress(NoAnswer):  # the first move tries again
                await self.ask("a new process", _load)

    def processes(self) -> list[int]:
        """Return the ids of the processes."""
        return [] if self._pool is None else list(self._pool._processes or ())

    def stop(self) -> None:
        """End the processes, whatever they are doing."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes.end(pool)

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = processes.start(self._count, self._nice, self._memory)
        return self._pool


def sendable(game: Game) -> Game:
    """Return the game without its loaded modules, which can't be sent to another process."""
    return Game(game.name, game.package)


def _load() -> None:
    from parlour.bots import worker  # noqa: F401 - its imports are the work


def _choose(view: View, bot: str, engine: str, repeatable: bool) -> int:
    from parlour.bots import worker

    return worker.choose(view, bot, engine, repeatable=repeatable)


def _advise(game: Game, view: View, top: int, engine: str) -> Advice:
    from parlour.bots import worker

    return worker.advise(game, view, top, engine)
