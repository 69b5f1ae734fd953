"""The analysis of finished games: computed once, in a process of its own, and stored with the table.

It analyses one game at a time. Open pages ask for its progress (`house.workers.queue`).
"""

from __future__ import annotations

import contextlib
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import msgspec
import sqlalchemy as sa

from parlour import bots
from parlour.analysis import evaluation
from parlour.analysis.evaluation import Judgement
from parlour.core.game import Game
from parlour.house.analysis import rows
from parlour.house.database.store import Conflict
from parlour.house.errors import NoAnswer, StoreFailed
from parlour.house.house import House
from parlour.house.ratings.accuracies import Kept
from parlour.house.table.live.table import Table
from parlour.house.workers import queue
from parlour.house.workers.pool import Workers, sendable
from parlour.house.workers.queue import COMPILES, Queue, background, insist

log = logging.getLogger(__name__)
WAY = f"{evaluation.VERSION}/{bots.ADVICE}"  # an analysis made in another way is made anew
PIECE = 0.7  # seconds between two progress reports
KEPT = 20  # analyses in memory
WHOLE = 1.0  # how far the accuracy of a single decision may be off
FULL = "Many games are being analysed right now. Please try again in a minute."


@dataclass(eq=False)
class Job(queue.Job):
    """A game that is being analysed or waits for it."""

    table: Table
    judged: list[Judgement] = field(default_factory=list)
    total: int = 0
    took: float = 0.0  # seconds for those that are judged

    @property
    def left(self) -> int:
        """Return in how many seconds the rest will be judged, if a decision takes as long as those so far; 0 before the
        first."""
        return math.ceil(self.took / len(self.judged) * (self.total - len(self.judged))) if self.judged else 0


class Progress(msgspec.Struct, frozen=True):
    """The progress of an analysis: `done` of `total` decisions (0: not known yet), behind `ahead` other games; "none"
    if it was not requested. `judged` contains the first decisions, as far as they are done, and `left` estimates the
    seconds for the others (0: not known yet)."""

    status: Literal["none", "waiting", "working"]
    done: int
    total: int
    ahead: int
    judged: tuple[Judgement, ...] = ()
    left: int = 0


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a finished game: the judgements on its decisions, and each seat's luck, nothing where the game
    does not say what positions are worth, its luck took too long or an earlier version made it
    (`parlour.analysis.luck`)."""

    judged: list[Judgement]
    luck: list[float] = msgspec.field(default_factory=list)


class Analyst:
    """Analyses the finished games of a house."""

    def __init__(self, house: House, workers: Workers | None = None) -> None:
        self.house = house
        self.workers = workers or background(house)
        self.queue = Queue(house, self._analyse, "We couldn't analyse this game", FULL)
        self.kept: OrderedDict[str, Analysis] = OrderedDict()

    async def begin(self, table: Table, who: str = "") -> Analysis | Progress:
        """Return the analysis of a finished game, or its progress. Start it if it neither exists nor is in progress,
        even after a failure. Two requests start it once. `who` is the address that asks.

        Errors: NotOver, Busy, StoreFailed.
        """
        table.must_be_over()
        if (found := await self.found(table)) is not None:
            return found
        self.queue.begin(table.id, Job(table, who=who))
        return self._progress(self.queue.jobs[table.id])

    async def analysis(self, table: Table) -> Analysis | Progress:
        """Return the analysis of a finished game, or its progress, without starting it.

        Errors: NotOver, NoAnswer (it failed: reported once, then it can be started again), StoreFailed.
        """
        table.must_be_over()
        if (found := await self.found(table)) is not None:
            return found
        job = self.queue.find(table.id)
        return Progress("none", 0, 0, 0) if job is None else self._progress(job)

    async def found(self, table: Table) -> Analysis | None:
        """Return the analysis of a finished game, None before it is made. Raises StoreFailed."""
        if table.id not in self.kept:
            work = partial(rows.analysis, table_id=table.id, rules=table.row.rules, way=WAY)
            found = await self.house.store.ask(work)
            if found is not None:
                judged, luck = found
                return self._remember(table.id, msgspec.convert({"judged": judged, "luck": luck or []}, Analysis))
        return self.kept.get(table.id)

    def _progress(self, job: Job) -> Progress:
        """Return a job's progress to a page that waits for it."""
        ahead = self.queue.ahead(job)
        judged = tuple(job.judged)
        return Progress("waiting" if ahead else "working", len(judged), job.total, ahead, judged, job.left)

    async def _analyse(self, job: Job) -> None:
        settings, table = self.house.settings, job.table
        game, text = sendable(table.game), table.record(reveal=True).to_text()
        if settings.engine != "plain":
            await insist(self.workers, "the analysis (compile)", _prepare, game, limit=COMPILES)
        began = time.monotonic()
        while not job.total or len(job.judged) < job.total:
            if table.gone or not job.wanted:
                return
            piece, total = await insist(
                self.workers, "the analysis (judge)", _judge,
                game, text, settings.analysis, len(job.judged), PIECE, settings.engine,
            )  # fmt: skip
            if job.total not in (0, total) or bool(total) != bool(piece) or len(job.judged) + len(piece) > total:
                log.error("%d of %d decisions came after %d of %d.", len(piece), total, len(job.judged), job.total)
                raise NoAnswer("The analysis came back incomplete. Please try again.")
            job.judged += piece
            job.total, job.took = total, time.monotonic() - began
            if not total:
                break
        luck: tuple[float, ...] = ()
        with contextlib.suppress(NoAnswer):  # the judgements are worth keeping without it
            luck = await insist(self.workers, "the analysis (luck)", _luck, game, text)
        found = Analysis(job.judged, [*luck])
        with contextlib.suppress(Conflict):  # another process has kept it
            try:
                await self.house.store.do(_keeping(table, found))
            except StoreFailed as error:  # it can be shown all the same
                log.warning("Could not store the analysis of table %s: %s", table.id, error)
        self._remember(table.id, found)

    def _remember(self, table_id: str, found: Analysis) -> Analysis:
        self.kept[table_id] = found
        if len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return found


def _keeping(table: Table, found: Analysis) -> Callable[[sa.Connection], None]:
    """Return what stores an analysis, with the accuracy, the errors and the luck of each seat."""
    seats = [
        Kept(
            one.accuracy, one.decisions, one.decisions * (one.loss or 0.0),
            WHOLE if one.within is None else one.within, found.luck[one.seat] if found.luck else None,
        )
        for one in evaluation.summaries(found.judged, len(table.seats))
    ]  # fmt: skip
    return partial(
        rows.keep_analysis, table_id=table.id, rules=table.row.rules, way=WAY,
        judgements=msgspec.to_builtins(found.judged), seats=seats, luck=found.luck,
    )  # fmt: skip


def _prepare(game: Game) -> bool:
    from parlour.analysis import worker

    return worker.prepare(game)


def _judge(
    game: Game, record: str, budget: float, first: int, seconds: float, engine: str
) -> tuple[list[Judgement], int]:
    from parlour.analysis import worker

    return worker.judge(game, record, budget, first, seconds, engine)


def _luck(game: Game, record: str) -> tuple[float, ...]:
    from parlour.analysis import worker

    return worker.luck(game, record)
