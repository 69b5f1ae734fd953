"""Long work that open pages wait for: one job after the other, in a process that yields to everything else.

Pages ask for the progress of their job; when they stop asking, it is dropped. Addresses take turns, and when the queue
is full, the address with the most jobs loses one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, TypeVarTuple

from parlour.core.errors import ParlourError
from parlour.house.errors import Busy, NoAnswer
from parlour.house.workers.pool import LONGEST, OURS, Workers

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
log = logging.getLogger(__name__)
MOST_WAITING = 20  # jobs of a queue
ASKED_FOR = 20.0  # seconds without a request after which no page is waiting
COMPILES = 600.0  # seconds that a game may take to compile
TRIES = 2  # processes that may die over a piece of work
NICE = 10


@dataclass(eq=False, kw_only=True)
class Job:
    """Work that is done or waits for it: who asked first, when a page last asked, and why it failed."""

    who: str = ""
    asked: float = field(default_factory=time.monotonic)
    failure: str = ""

    @property
    def wanted(self) -> bool:
        """Return whether a page still waits for it."""
        return time.monotonic() - self.asked <= ASKED_FOR


J = TypeVar("J", bound=Job)


class Home(Protocol):
    """What a queue needs of its house."""

    closing: bool

    def soon(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background."""
        ...

    def at_end(self, end: Callable[[], None]) -> None:
        """Register a function to call when the house closes."""
        ...


def background(house: Home) -> Workers:
    """Return the process for such work, of all queues of a house. It ends with the house."""
    workers = Workers(1, nice=NICE)
    house.at_end(workers.stop)
    return workers


async def insist(workers: Workers, what: str, work: Callable[[*Ts], T], *arguments: *Ts, limit: float = LONGEST) -> T:
    """Do a piece of work in that process, again if the process dies. Raises NoAnswer."""
    async with workers.turn(OURS):
        return await workers.insist(TRIES, what, work, *arguments, limit=limit)


class Queue(Generic[J]):
    """Jobs by name. `work` does one; `sorry` is how the sentence about a failure begins; `full` is the refusal."""

    def __init__(self, house: Home, work: Callable[[J], Awaitable[None]], sorry: str, full: str) -> None:
        self.jobs: OrderedDict[str, J] = OrderedDict()
        self.task: asyncio.Task[None] | None = None
        self._house, self._do, self._sorry, self._full = house, work, sorry, full
        self._under_way: J | None = None
        self._served: Counter[str] = Counter()  # of the addresses that wait, how often it was their turn

    def begin(self, name: str, job: J) -> int:
        """Add a job, unless it waits already, even after a failure. Return how many are before it. Raises Busy."""
        self._drop_failures()
        if name not in self.jobs or self.jobs[name].failure:
            self.jobs.pop(name, None)
            if len(self.jobs) >= MOST_WAITING:
                self._make_room(job.who)
            others = {one.who for one in self._in_turn()}
            if job.who not in others:  # a new address starts level with those served least: nothing to catch up on
                self._served[job.who] = min((self._served[one] for one in others), default=0)
            self.jobs[name] = job
        if (self.task is None or self.task.done()) and not self._house.closing:
            self.task = self._house.soon(self._work())
        return self.ahead(self.jobs[name])

    def find(self, name: str) -> J | None:
        """Return a job, None for an unknown name. Raises NoAnswer if it failed: once, then it can start again."""
        job = self.jobs.get(name)
        if job is not None and job.failure:
            del self.jobs[name]
            raise NoAnswer(job.failure)
        return job

    def ahead(self, job: J) -> int:
        """Return how many jobs are before this one, and note that a page asked."""
        job.asked = time.monotonic()
        return self._in_turn().index(job)

    def _drop_failures(self) -> None:
        """Forget failures that no page has asked about lately."""
        for name in [name for name, job in self.jobs.items() if job.failure and not job.wanted]:
            del self.jobs[name]

    def _make_room(self, who: str) -> None:
        """Drop the last job of the address with most of them, if it has more than `who` then has.
        Raises Busy."""
        many = Counter(job.who for job in self.jobs.values() if not job.failure)
        most, number = max(many.items(), key=lambda item: item[1], default=("", 0))
        if number <= many[who] + 1:
            raise Busy(self._full, wait=60)
        last = [name for name, job in self.jobs.items() if job.who == most and job is not self._under_way][-1]
        del self.jobs[last]

    def _in_turn(self) -> list[J]:
        """Return the jobs in the order of work: the one in progress, then one of each address in turn."""
        behind: Counter[str] = Counter()
        waiting: list[tuple[int, J]] = []
        for job in self.jobs.values():
            if not (job.failure or job is self._under_way):
                waiting.append((self._served[job.who] + behind[job.who], job))
                behind[job.who] += 1
        first = [self._under_way] if self._under_way is not None else []
        return first + [job for _, job in sorted(waiting, key=lambda one: one[0])]

    async def _work(self) -> None:
        """Do one job after the other."""
        while waiting := self._in_turn():
            job = self._under_way = waiting[0]
            name = next(name for name, one in self.jobs.items() if one is job)
            self._served = Counter({one.who: self._served[one.who] for one in waiting})
            self._served[job.who] += 1
            try:
                await self._do(job)
            except ParlourError as error:
                log.warning("%s (%s): %s", self._sorry, name, error)
                job.failure = f"{self._sorry}: {error}"
            except Exception:
                log.exception("%s (%s).", self._sorry, name)
                job.failure = f"{self._sorry}: something went wrong on our side."
            else:
                self.jobs.pop(name, None)
            finally:
                self._under_way = None
