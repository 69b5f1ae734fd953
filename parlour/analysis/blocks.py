"""Large work in blocks, played on all cores here or on the machines of a cluster, with the same results.

A block is a pure function of settings that JSON can hold: of the version of the code, of what all blocks have in
common (game, edition, options, bots, seed), and of what the block itself has (numbers of games). So its result is the
same bytes wherever it runs. Write such a function at the top of a module that all workers have,

    def lengths(common: dict[str, object], block: dict[str, object]) -> bytes:
        first, games = int(block["first"]), int(block["games"])
        ...
        return array.tobytes()

and play the blocks by its name:

    plan = Plan("parlour.analysis.lengths:lengths", {"game": "pig", "seed": 1}, cut(games=10_000, size=500), ("pig",))
    with Here() as where:  # or `parlour.analysis.ray.Cluster("auto")`
        for number, data in run(plan, where, Path("lengths.jsonl"), audit=0.01):
            found[number] = data

Results are in any order. A number may come twice: an audit has found the first result to be wrong, and the later one
replaces it. `collect` returns all of them in order. With a file, results are kept as they come, and the same call
continues after any end; it does not matter where its blocks were played. The function must not depend on the number of
threads: `cores()` says how many it may use. What it measures (times) makes bytes differ: a plan names the function
that takes it out again before results are compared (`compared`).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple, TypeAlias

from parlour.analysis.block_results import Kept
from parlour.analysis.places import Answer, Here, Lost, Refused, Where
from parlour.analysis.plans import Plan, cores, cut, function
from parlour.core.errors import BadSetup, ParlourError

__all__ = ["Differs", "Here", "Lost", "Plan", "Progress", "Rate", "Status", "Where", "collect", "cores", "cut", "run"]

HERE = "this process"
LOSSES = 8  # workers that may die of a block before it is given up


class Differs(ParlourError):
    """A block has another result when it is played again, and no other worker can be blamed for it."""


# How far it is -------------------------------------------------------------------------------------
class Rate(NamedTuple):
    """What a worker has done in this run: blocks, and the seconds that it took for them."""

    blocks: int = 0
    busy: float = 0.0


class Status(NamedTuple):
    """How far a run is: blocks that are done, of how many, the seconds of this run, and the work of each worker."""

    done: int
    total: int
    seconds: float
    workers: Mapping[str, Rate]

    @property
    def words(self) -> str:
        """The rate of each worker, for people: "10.0.0.7: 3.2 blocks a second"; "" for one alone."""
        if len(self.workers) < 2:
            return ""
        rates = {name: one.blocks / max(self.seconds, 1e-9) for name, one in sorted(self.workers.items())}
        return ", ".join(f"{name}: {rate:.3g} blocks a second" for name, rate in rates.items())


Progress: TypeAlias = Callable[[Status], object]
Notice: TypeAlias = Callable[[str], object]  # receives a sentence about a worker


# Playing them --------------------------------------------------------------------------------------
def run(
    plan: Plan, where: Where, file: Path | None = None, *, audit: float = 0.0, seconds: float | None = None,
    progress: Progress | None = None, notice: Notice | None = None,
) -> Generator[tuple[int, bytes], None, None]:  # fmt: skip
    """Play the blocks of a plan and yield (number, result) as they come, those in the file first.

    `audit`: this share of the blocks is played again on another worker and compared. It is drawn after the result has
    come, so no worker can know which. A worker whose result is wrong is named (`notice`) and not used again, and all
    its blocks are played again. `seconds`: stop after this long.

    Raises BadSetup (share, function), OtherResults (the file has other work), OSError; Lost if a block's workers die
    again and again; Differs; and what the function raises.
    """
    if not 0 <= audit <= 1:
        raise BadSetup(f"The share of audited blocks must be from 0 to 1, not {audit:g}.")
    function(plan.work)
    return _Run(plan, where, file, audit, seconds, progress, notice).results()


def collect(
    plan: Plan, where: Where, file: Path | None = None, *, audit: float = 0.0, progress: Progress | None = None,
    notice: Notice | None = None,
) -> list[bytes]:  # fmt: skip
    """Return the results of all blocks, in order. Arguments and errors as of `run`."""
    found = dict(run(plan, where, file, audit=audit, progress=progress, notice=notice))
    return [found[number] for number in range(len(plan.blocks))]


class _Asked(NamedTuple):
    """A block under way; with its first result, if it is played again to compare."""

    number: int
    first: Answer | None = None


@dataclass
class _Run:
    plan: Plan
    where: Where
    file: Path | None
    audit: float
    seconds: float | None
    progress: Progress | None
    notice: Notice | None
    by: dict[int, str] = field(default_factory=dict)  # blocks that are done -> their workers
    banned: set[str] = field(default_factory=set)
    flight: dict[Hashable, _Asked] = field(default_factory=dict)
    again: deque[int] = field(default_factory=deque)  # blocks that must be played once more
    lost: dict[int, int] = field(default_factory=dict)
    rates: dict[str, Rate] = field(default_factory=dict)
    kept: Kept | None = None
    begun: float = 0.0
    last: str = ""  # what was said last of a worker

    def results(self) -> Generator[tuple[int, bytes], None, None]:
        """Yield the results of all blocks."""
        with ExitStack() as stack:
            if self.file is not None:
                self.kept = Kept(self.file, self.plan.head)
                stack.enter_context(self.kept)
                for number, (data, worker) in self.kept.results(self.plan.blocks).items():
                    self.by[number] = worker
                    yield number, data
            self.begun = time.monotonic()
            self._tell()
            left = (number for number in range(len(self.plan.blocks)) if number not in self.by)
            try:
                yield from self._play(left)
            finally:
                self.where.drop(list(self.flight))

    def _play(self, left: Iterator[int]) -> Iterator[tuple[int, bytes]]:
        chance = SystemRandom()  # no worker can know what it draws
        while True:
            rest = None if self.seconds is None else max(0.0, self.begun + self.seconds - time.monotonic())
            if rest != 0:
                self._submit(left)
            ready = self.where.wait(self.flight, rest) if self.flight else ()
            if not ready:
                return
            for ticket in ready:
                asked, answer = self.flight.pop(ticket), self.where.take(ticket)
                if answer is None:
                    self._lose(asked.number)
                    yield from self._repeat(asked)
                elif isinstance(answer, Refused):
                    self._ban(answer.worker, answer.why)
                    yield from self._repeat(asked)
                elif answer.worker in self.banned:  # it came late
                    yield from self._repeat(asked)
                elif asked.first is not None:
                    yield from self._compare(asked.number, asked.first, answer)
                elif asked.number not in self.by:
                    yield self._accept(asked.number, answer)
                    if self.audit and chance.random() < self.audit:
                        yield from self._doubt(asked.number, answer)

    def _next(self, left: Iterator[int]) -> int | None:
        while self.again:
            if (number := self.again.popleft()) not in self.by:
                return number
        return next(left, None)

    def _submit(self, left: Iterator[int]) -> None:
        while len(self.flight) < self.where.room:
            number = self._next(left)
            if number is None:
                return
            ticket = self.where.submit(self.plan, number, self.banned)
            if ticket is None:
                raise Lost(f"No worker remains. {self.last} Finished blocks are in the file, if there is one.")
            self.flight[ticket] = _Asked(number)

    def _accept(self, number: int, answer: Answer) -> tuple[int, bytes]:
        if self.kept is not None:
            self.kept.keep(self.plan.blocks[number], answer.data, answer.worker, answer.seconds)
        self.by[number] = answer.worker
        before = self.rates.get(answer.worker, Rate())
        self.rates[answer.worker] = Rate(before.blocks + 1, before.busy + answer.seconds)
        self._tell()
        return number, answer.data

    def _tell(self) -> None:
        if self.progress is not None:
            spent = time.monotonic() - self.begun
            self.progress(Status(len(self.by), len(self.plan.blocks), spent, dict(self.rates)))

    def _lose(self, number: int) -> None:
        self.lost[number] = self.lost.get(number, 0) + 1
        if self.lost[number] >= LOSSES:
            raise Lost(f"{LOSSES} workers died while they played block {number} (out of memory?).")

    def _repeat(self, asked: _Asked) -> Iterator[tuple[int, bytes]]:
        """Play a block once more, or compare it once more, unless its first result was taken back meanwhile."""
        if asked.first is None:
            self.again.append(asked.number)
        elif self.by.get(asked.number) == asked.first.worker:
            yield from self._doubt(asked.number, asked.first)

    # Audits
    def _doubt(self, number: int, answer: Answer) -> Iterator[tuple[int, bytes]]:
        """Play a block again on another worker; here, if there is no other."""
        ticket = self.where.submit(self.plan, number, {*self.banned, answer.worker})
        if ticket is None:
            yield from self._settle(number, answer)
        else:
            self.flight[ticket] = _Asked(number, answer)

    def _compare(self, number: int, first: Answer, second: Answer) -> Iterator[tuple[int, bytes]]:
        if self.by.get(number) != first.worker:
            return  # it is played again already
        if second.worker == first.worker:
            yield from self._settle(number, first)
        elif not self.plan.same(first.data, second.data):
            yield from self._settle(number, first, second)

    def _settle(self, number: int, *answers: Answer) -> Iterator[tuple[int, bytes]]:
        """Play a block here, which decides which workers were wrong; repeat all that these have played."""
        began = time.monotonic()
        truth = Answer(self.plan.play(number), HERE, time.monotonic() - began)
        for answer in answers:
            if self.plan.same(answer.data, truth.data):
                continue
            self._ban(answer.worker, f"Its result of block {number} is not the one that is played here.", wrong=True)
            if number not in self.by:
                yield self._accept(number, truth)

    def _ban(self, worker: str, why: str, wrong: bool = False) -> None:
        if worker in self.banned:
            return
        if not self.where.ban(worker):
            raise Differs(f"{worker}: {why} Its function must depend on nothing but its settings.")
        self.banned.add(worker)
        blocks = [number for number, who in self.by.items() if who == worker] if wrong else []
        if wrong and self.kept is not None:
            self.kept.distrust(worker)
        for number in blocks:
            del self.by[number]
        self.again.extend(blocks)
        more = f" Its {len(blocks):,} blocks are played again." if blocks else ""
        self.last = f"The worker {worker} is no longer used. {why}{more}"
        if self.notice is not None:
            self.notice(self.last)
