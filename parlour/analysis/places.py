"""Places that play blocks: what each must have, and the processes of this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Hashable, Mapping
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import NamedTuple, Protocol, cast

from parlour.analysis.json_lines import difference
from parlour.analysis.plans import Given, Plan, play
from parlour.bots import processes
from parlour.core import interrupts
from parlour.core.errors import BadSetup, ParlourError

AHEAD = 2  # blocks under way for each process or processor, so that the next is ready
PATIENCE = 1.0  # seconds for which a block that is no longer needed may continue


class Lost(ParlourError):
    """A block has no result: its workers died."""


class Answer(NamedTuple):
    """The result of a block, its worker, and the seconds that it took there. A worker is a machine of a cluster, or
    a process here."""

    data: bytes
    worker: str
    seconds: float


class Refused(NamedTuple):
    """A worker that cannot be used, and one sentence that says why."""

    worker: str
    why: str


class Where(Protocol):
    """A place that plays blocks. Use with `with`."""

    def __enter__(self) -> Where: ...
    def __exit__(self, *_: object) -> None: ...

    @property
    def room(self) -> int:
        """How many blocks should be under way now. Raises ParlourError if no worker is left."""

    def submit(self, plan: Plan, number: int, avoid: Collection[str]) -> Hashable | None:
        """Begin a block on any worker but these, and return a ticket for it; None if there is no other worker."""

    def wait(self, tickets: Collection[Hashable], seconds: float | None) -> Collection[Hashable]:
        """Return the tickets that are done, once there are any; none after this many seconds."""

    def take(self, ticket: Hashable) -> Answer | Refused | None:
        """Return the result of a block that is done; None if its worker died."""

    def drop(self, tickets: Collection[Hashable]) -> None:
        """End these blocks, which are no longer wanted."""

    def ban(self, worker: str) -> bool:
        """Use a worker no more. Return False if this place cannot do without it."""


class Here:
    """The processes of this machine; with a count of one, this process alone, with all threads (or `cores` of them).

    A process that dies takes with it only what is under way; others begin in its place.
    """

    def __init__(self, processes: int | None = 1, cores: int | None = None) -> None:
        self.count = os.cpu_count() or 1 if processes is None else processes
        if self.count < 1:
            raise BadSetup(f"At least one process is needed, not {self.count}.")
        self._cores = cores or max(1, (os.cpu_count() or 1) // self.count)
        self._pool: ProcessPoolExecutor | None = None
        self._of: dict[Future[Answer], ProcessPoolExecutor] = {}  # blocks under way

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    @property
    def room(self) -> int:
        """One block at a time in this process, else a few for each."""
        return 1 if self.count == 1 else AHEAD * self.count

    def submit(self, plan: Plan, number: int, avoid: Collection[str]) -> Hashable | None:
        """Begin a block. A single process plays it at once, and is the only worker."""
        if self.count == 1:
            return _Played(_timed(plan.work, plan.common, plan.blocks[number], self._cores)) if not avoid else None
        for _ in range(2):
            with interrupts.undisturbed():
                self._pool = self._pool or processes.start(self.count)
            try:
                with interrupts.undisturbed():  # of its own, as `start`'s first process lets Ctrl-C through
                    future = self._pool.submit(_timed, plan.work, plan.common, plan.blocks[number], self._cores)
                    self._of[future] = self._pool
                return future
            except BrokenProcessPool:  # a process has died meanwhile
                self._end()
        raise Lost("The processes of this machine die as soon as they begin.")

    def wait(self, tickets: Collection[Hashable], seconds: float | None) -> Collection[Hashable]:
        """Return the tickets that are done. Ctrl-C leaves none of them locked."""
        if self.count == 1:
            return list(tickets)
        return interrupts.wait(cast("Collection[Future[Answer]]", tickets), seconds)

    def take(self, ticket: Hashable) -> Answer | Refused | None:
        """Return the result of a block that is done; None if its process died."""
        if isinstance(ticket, _Played):
            return ticket.answer
        future = cast("Future[Answer]", ticket)
        pool = self._of.pop(future)
        try:
            return future.result()
        except (BrokenProcessPool, CancelledError):
            if pool is self._pool:  # and not the next, which is sound
                self._end()
            return None

    def drop(self, tickets: Collection[Hashable]) -> None:
        """Give up these blocks. Processes that would play on for long are ended."""
        with interrupts.undisturbed():
            futures = cast("Collection[Future[Answer]]", () if self.count == 1 else tickets)
            running = [future for future in futures if self._of.pop(future) and not future.cancel()]
            if wait(running, PATIENCE).not_done:
                self._end()

    def ban(self, worker: str) -> bool:
        """Return False: the processes are all of one machine, which is the one that compares."""
        del worker
        return False

    def _end(self) -> None:
        if self._pool is not None:
            with interrupts.undisturbed():
                processes.end(self._pool)
                self._pool = None


@dataclass(frozen=True, eq=False)
class _Played:
    """The ticket of a block that was played at once."""

    answer: Answer


def _timed(work: str, common: Given, block: Given, cores: int) -> Answer:
    began = time.perf_counter()
    data = play(work, common, block, cores)
    return Answer(data, f"process {os.getpid()}", time.perf_counter() - began)


def examined(
    work: str, common: Given, block: Given, games: tuple[str, ...], compared: str, version: Mapping[str, str]
) -> tuple[str, bytes, float]:
    """Play a block for another machine, on one core. Return why it cannot be played here ("" if it can), the result,
    and the seconds that it took."""
    plan = Plan(work, common, (block,), games, compared)
    try:
        said = difference(plan.version, version)
    except (ParlourError, ModuleNotFoundError) as error:
        return f"It cannot play these blocks: {error}", b"", 0.0
    if said:
        return f"It would play something else: {said}.", b"", 0.0
    answer = _timed(work, common, block, 1)
    return "", answer.data, answer.seconds
