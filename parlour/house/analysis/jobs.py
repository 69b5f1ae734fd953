"""The analysis of finished games: computed once, in a process of its own, and stored with the table.

It analyses one game at a time, and its process yields to everything else, so that no bot waits for it. Open pages ask
for its progress; when they stop asking, the game is dropped. Addresses take turns, and when the queue is full, the
address with the most games loses one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeVar, TypeVarTuple

import msgspec

from parlour import bots
from parlour.analysis import evaluation
from parlour.analysis.evaluation import Judgement
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.house.analysis import rows
from parlour.house.database.store import Conflict
from parlour.house.errors import Busy, NoAnswer, StoreFailed
from parlour.house.house import House
from parlour.house.table.live.table import Table
from parlour.house.workers.pool import LONGEST, OURS, Workers, sendable

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
log = logging.getLogger(__name__)
WAY = f"{evaluation.VERSION}/{bots.ADVICE}"  # an analysis made in another way is made anew
PIECE = 0.7  # seconds between two progress reports
MOST_WAITING = 20  # games
ASKED_FOR = 20.0  # seconds without a request after which no page is waiting
COMPILES = 600.0  # seconds that a game may take to compile
TRIES = 2  # processes that may die over a game
NICE = 10


@dataclass(eq=False)
class Job:
    """A game that is being analysed or waits for it."""

    table: Table
    who: str = ""  # the address that asked for it first
    judged: list[Judgement] = field(default_factory=list)
    total: int = 0
    asked: float = field(default_factory=time.monotonic)
    failure: str = ""


class Progress(msgspec.Struct, frozen=True):
    """The progress of an analysis: `done` of `total` decisions (0: not known yet), behind `ahead` other games; "none"
    if it was not requested. `judged` contains the first decisions, as far as they are done."""

    status: Literal["none", "waiting", "working"]
    done: int
    total: int
    ahead: int
    judged: tuple[Judgement, ...] = ()


class Analyst:
    """Analyses the finished games of a house."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.workers = Workers(1, nice=NICE)
        house.at_end(self.workers.stop)
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self._under_way: Job | None = None
        self._served: Counter[str] = Counter()  # of the addresses that wait, how often it was their turn
        self.kept: OrderedDict[str, list[Judgement]] = OrderedDict()
        self.task: asyncio.Task[None] | None = None

    async def begin(self, table: Table, who: str = "") -> list[Judgement] | Progress:
        """Return the analysis of a finished game, or its progress. Start it if it neither exists nor is in progress,
        also after a failure. Two requests start it once. `who` is the address that asks.

        Errors: NotOver, Busy, StoreFailed.
        """
        table.must_be_over()
        if (found := await self._found(table)) is not None:
            return found
        self._drop_failures()
        if table.id not in self.jobs or self.jobs[table.id].failure:
            self.jobs.pop(table.id, None)
            if len(self.jobs) >= MOST_WAITING:
                self._make_room(who)
            others = {job.who for job in self._in_turn()}
            if who not in others:  # a new address starts level with those served least, and has nothing to catch up on
                self._served[who] = min((self._served[one] for one in others), default=0)
            self.jobs[table.id] = Job(table, who)
        if (self.task is None or self.task.done()) and not self.house.closing:
            self.task = self.house.soon(self._work())
        return self._progress(self.jobs[table.id])

    async def analysis(self, table: Table) -> list[Judgement] | Progress:
        """Return the analysis of a finished game, or its progress, without starting it.

        Errors: NotOver, NoAnswer (it failed: reported once, then it can be started again), StoreFailed.
        """
        table.must_be_over()
        if (found := await self._found(table)) is not None:
            return found
        job = self.jobs.get(table.id)
        if job is None:
            return Progress("none", 0, 0, 0)
        if job.failure:
            del self.jobs[table.id]
            raise NoAnswer(job.failure)
        return self._progress(job)

    async def _found(self, table: Table) -> list[Judgement] | None:
        if table.id not in self.kept:
            work = partial(rows.analysis, table_id=table.id, rules=table.row.rules, way=WAY)
            found = await self.house.store.ask(work)
            if found is not None:
                return self._remember(table.id, msgspec.convert(found, list[Judgement]))
        return self.kept.get(table.id)

    def _progress(self, job: Job) -> Progress:
        """Return a job's progress to a page that waits for it, and note that it asked."""
        job.asked = time.monotonic()
        ahead = self._in_turn().index(job)
        judged = tuple(job.judged)
        return Progress("waiting" if ahead else "working", len(judged), job.total, ahead, judged)

    def _drop_failures(self) -> None:
        """Forget failures that no page has asked about lately."""
        late = time.monotonic() - ASKED_FOR
        for name in [name for name, job in self.jobs.items() if job.failure and job.asked < late]:
            del self.jobs[name]

    def _make_room(self, who: str) -> None:
        """Drop the last game of the address with most of them, if it has more than `who` then has.
        Raises Busy."""
        many = Counter(job.who for job in self.jobs.values() if not job.failure)
        most, number = max(many.items(), key=lambda item: item[1], default=("", 0))
        if number <= many[who] + 1:
            raise Busy("Many games are being analysed right now. Please try again in a minute.", wait=60)
        last = [job for job in self.jobs.values() if job.who == most and job is not self._under_way][-1]
        del self.jobs[last.table.id]

    def _in_turn(self) -> list[Job]:
        """Return the games in the order of work: the one in progress, then one of each address in turn."""
        behind: Counter[str] = Counter()
        waiting: list[tuple[int, Job]] = []
        for job in self.jobs.values():
            if not (job.failure or job is self._under_way):
                waiting.append((self._served[job.who] + behind[job.who], job))
                behind[job.who] += 1
        first = [self._under_way] if self._under_way is not None else []
        return first + [job for _, job in sorted(waiting, key=lambda one: one[0])]

    async def _work(self) -> None:
        """Analyse one game after the other."""
        while waiting := self._in_turn():
            job = self._under_way = waiting[0]
            self._served = Counter({one.who: self._served[one.who] for one in waiting})
            self._served[job.who] += 1
            try:
                await self._analyse(job)
            except (ParlourError, Conflict) as error:
                log.warning("Could not analyse table %s: %s", job.table.id, error)
                job.failure = f"We couldn't analyse this game: {error}"
            except Exception:
                log.exception("The analysis of table %s failed.", job.table.id)
                job.failure = "Something went wrong on our side, so we couldn't analyse this game."
            else:
                self.jobs.pop(job.table.id, None)
            finally:
                self._under_way = None

    async def _analyse(self, job: Job) -> None:
        settings, table = self.house.settings, job.table
        game, text = sendable(table.game), table.record(reveal=True).to_text()
        if settings.engine != "plain":
            await self._try("compile", _prepare, game, limit=COMPILES)
        while not job.total or len(job.judged) < job.total:
            if table.gone or time.monotonic() - job.asked > ASKED_FOR:
                return
            piece, total = await self._try(
                "judge", _judge, game, text, bots.ADVICE, settings.analysis, len(job.judged), PIECE, settings.engine
            )
            if job.total not in (0, total) or bool(total) != bool(piece) or len(job.judged) + len(piece) > total:
                log.error("%d of %d decisions came after %d of %d.", len(piece), total, len(job.judged), job.total)
                raise NoAnswer("The analysis came back incomplete. Please try again.")
            job.judged += piece
            job.total = total
            if not total:
                break
        with contextlib.suppress(Conflict):  # another process has kept it
            try:
                shares = [one.accuracy for one in evaluation.summaries(job.judged, len(table.seats))]
                work = partial(rows.keep_analysis, table_id=table.id, rules=table.row.rules, way=WAY)
                await self.house.store.do(partial(work, judgements=msgspec.to_builtins(job.judged), shares=shares))
            except StoreFailed as error:  # it can be shown all the same
                log.warning("Could not store the analysis of table %s: %s", table.id, error)
        self._remember(table.id, job.judged)

    async def _try(self, what: str, work: Callable[[*Ts], T], *arguments: *Ts, limit: float = LONGEST) -> T:
        async with self.workers.turn(OURS):
            return await self.workers.insist(TRIES, f"the analysis ({what})", work, *arguments, limit=limit)

    def _remember(self, table_id: str, judged: list[Judgement]) -> list[Judgement]:
        self.kept[table_id] = judged
        if len(self.kept) > MOST_WAITING:
            self.kept.popitem(last=False)
        return judged


def _prepare(game: Game) -> bool:
    from parlour.analysis import worker

    return worker.prepare(game)


def _judge(
    game: Game, record: str, level: str, budget: float, first: int, seconds: float, engine: str
) -> tuple[list[Judgement], int]:
    from parlour.analysis import worker

    return worker.judge(game, record, level, budget, first, seconds, engine)
