"""The analysis of finished games: worked out once, in a process of its own, and kept with the
table.

One game at a time, and the process yields to everything else, so that no bot waits for it. Open
pages ask how far it is; a game that nobody asks about any more is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from parlour import bots
from parlour.analysis import evaluation
from parlour.analysis.evaluation import Judgement
from parlour.core.errors import ParlourError
from parlour.table.errors import Busy, NoAnswer, StoreFailed
from parlour.table.house.house import House
from parlour.table.house.workers import Workers, sendable
from parlour.table.live.table import Table
from parlour.table.storage.store import Conflict

log = logging.getLogger(__name__)
WAY = f"{evaluation.VERSION}/{bots.ADVICE}"  # an analysis made in another way is made anew
PIECE = 0.7  # seconds between two words on progress
MOST_WAITING = 20  # games
ASKED_FOR = 20.0  # seconds after which nobody waits any more
COMPILES = 600.0  # seconds that a game may take to compile
TRIES = 2  # processes that may die over a game
NICE = 10


@dataclass
class Job:
    """A game that is being analysed or waits to be."""

    table: Table
    judged: list[Judgement] = field(default_factory=list)
    total: int = 0
    asked: float = field(default_factory=time.monotonic)
    failure: str = ""


class Progress(msgspec.Struct, frozen=True):
    """How far an analysis is: `done` of `total` decisions (0: not known yet), behind `ahead` other
    games."""

    status: Literal["waiting", "working"]
    done: int
    total: int
    ahead: int


class Analyst:
    """Analyses the finished games of a house."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.workers = Workers(1, nice=NICE)
        house.at_end(self.workers.stop)
        self.jobs: OrderedDict[str, Job] = OrderedDict()  # the first is under way
        self.kept: OrderedDict[str, list[Judgement]] = OrderedDict()
        self.task: asyncio.Task[None] | None = None

    async def ask(self, table: Table) -> list[Judgement] | Progress:
        """The analysis of a finished game, or how far it is; begins it if necessary. Two requests
        begin it once.

        Errors: NotOver; NoAnswer (it failed: asking again begins it again); Busy; StoreFailed.
        """
        table.must_be_over()
        if table.id in self.kept:
            return self.kept[table.id]
        self._drop_failures()
        job = self.jobs.get(table.id)
        if job is None:
            found = await self.house.store.analysis(table.id, table.row.rules, WAY)
            if found is not None:
                return self._remember(table.id, msgspec.convert(found, list[Judgement]))
            if table.id in self.kept:
                return self.kept[table.id]
            if len(self.jobs) >= MOST_WAITING:
                raise Busy("Many games are being analysed just now. Please try again in a minute.")
            job = self.jobs.setdefault(table.id, Job(table))
        if job.failure:
            del self.jobs[table.id]
            raise NoAnswer(job.failure)
        job.asked = time.monotonic()
        if (self.task is None or self.task.done()) and not self.house.closing:
            self.task = self.house.soon(self._work())
        ahead = [name for name, one in self.jobs.items() if not one.failure].index(table.id)
        return Progress("waiting" if ahead else "working", len(job.judged), job.total, ahead)

    def _drop_failures(self) -> None:
        """Forget failures that nobody has asked about."""
        late = time.monotonic() - ASKED_FOR
        for name in [name for name, job in self.jobs.items() if job.failure and job.asked < late]:
            del self.jobs[name]

    async def _work(self) -> None:
        """One game after the other."""
        while waiting := [job for job in self.jobs.values() if not job.failure]:
            job = waiting[0]
            try:
                await self._analyse(job)
            except (ParlourError, Conflict) as error:
                log.warning("Table %s could not be analysed: %s", job.table.id, error)
                job.failure = f"This game could not be analysed: {error}"
            except Exception:
                log.exception("The analysis of table %s failed.", job.table.id)
                job.failure = "Something went wrong on our side, and this game could not be analysed."
            else:
                self.jobs.pop(job.table.id, None)

    async def _analyse(self, job: Job) -> None:
        settings, table = self.house.settings, job.table
        game, text = sendable(table.game), table.record(reveal=True).to_text()
        if settings.engine != "plain":
            await self._try("compile", _prepare, game, limit=COMPILES)
        while not job.total or len(job.judged) < job.total:
            if time.monotonic() - job.asked > ASKED_FOR:
                return
            piece, job.total = await self._try(
                "judge", _judge, game, text, bots.ADVICE, settings.analysis, len(job.judged), PIECE, settings.engine
            )
            job.judged += piece
            if not job.total:
                break
        with contextlib.suppress(Conflict):  # another process has kept it
            try:
                rows = msgspec.to_builtins(job.judged)
                await self.house.store.keep_analysis(table.id, table.row.rules, WAY, rows)
            except StoreFailed as error:  # it can be shown all the same
                log.warning("The analysis of table %s could not be kept: %s", table.id, error)
        self._remember(table.id, job.judged)

    async def _try(self, what: str, *work: Any, limit: float = 60.0) -> Any:
        for _ in range(TRIES - 1):
            with contextlib.suppress(NoAnswer):
                return await self.workers.ask(f"the analysis ({what})", *work, limit=limit)
        return await self.workers.ask(f"the analysis ({what})", *work, limit=limit)

    def _remember(self, table_id: str, judged: list[Judgement]) -> list[Judgement]:
        self.kept[table_id] = judged
        if len(self.kept) > MOST_WAITING:
            self.kept.popitem(last=False)
        return judged


def _prepare(*arguments: Any) -> bool:
    from parlour.analysis import worker

    return worker.prepare(*arguments)


def _judge(*arguments: Any) -> tuple[list[Judgement], int]:
    from parlour.analysis import worker

    return worker.judge(*arguments)
