"""Bots that play the editions of a playtest: measured once, in the process that analyses games, and kept with it.

Open pages ask for the progress (`house.workers.queue`). A piece has the same games of each edition. Bots play GAMES
games of each, or fewer if these take more than SECONDS of a processor.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import msgspec

from parlour.analysis import trials
from parlour.analysis.trials import Asked, Piece, Trial
from parlour.games import find
from parlour.house.database.store import Conflict
from parlour.house.house import House
from parlour.house.playtests import rows
from parlour.house.playtests.rows import EditionRow, Playtest
from parlour.house.workers import queue
from parlour.house.workers.pool import Workers, sendable
from parlour.house.workers.queue import COMPILES, Queue, insist

GAMES = 10_000  # of each edition
SECONDS = 30.0  # of a processor, for all editions together
PIECE = 0.7  # seconds between two progress reports
PATIENCE = 300.0  # seconds that a piece may take where everything else comes first
FULL = "Bots are playing many playtests right now. Please try again in a minute."
PRINTED, YOURS = "As printed", "Your numbers"


@dataclass(eq=False)
class Job(queue.Job):
    """A playtest whose editions are measured, or wait for it: `done` of GAMES games of each were played."""

    playtest: Playtest
    done: int = 0


class Progress(msgspec.Struct, frozen=True):
    """The progress of slow work on a page: `done` of `total`, behind `ahead` other jobs; "none" if it was not begun.
    When it is "done", the page has the result."""

    status: Literal["none", "waiting", "working", "done"]
    done: int = 0
    total: int = 0
    ahead: int = 0


class Trials:
    """Lets bots play the playtests of a house."""

    def __init__(self, house: House, workers: Workers) -> None:
        self.house = house
        self.workers = workers
        self.queue = Queue(house, self._play, "We couldn't let bots play this", FULL)

    async def found(self, playtest: Playtest) -> Trial | None:
        """Return what bots did in the editions of a playtest, None if they have not played yet. Raises StoreFailed."""
        rules = find(playtest.game).rules.VERSION
        found = await self.house.store.look(partial(rows.trial, playtest=playtest.id, rules=rules, way=WAY))
        return None if found is None else msgspec.convert(found, Trial)

    async def begin(self, playtest: Playtest, who: str) -> Progress:
        """Let bots play, unless they have or do, even after a failure; return the progress. Errors: Busy,
        StoreFailed."""
        if await self.found(playtest) is not None:
            return Progress("done", GAMES, GAMES)
        self.queue.begin(playtest.id, Job(playtest, who=who))
        return self._progress(self.queue.jobs[playtest.id])

    async def progress(self, playtest: Playtest) -> Progress:
        """Return the progress without starting anything. Errors: NoAnswer (it failed: reported once), StoreFailed."""
        if await self.found(playtest) is not None:
            return Progress("done", GAMES, GAMES)
        job = self.queue.find(playtest.id)
        return Progress("none") if job is None else self._progress(job)

    def _progress(self, job: Job) -> Progress:
        ahead = self.queue.ahead(job)
        return Progress("waiting" if ahead else "working", job.done, GAMES, ahead)

    async def _play(self, job: Job) -> None:
        playtest, engine = job.playtest, self.house.settings.engine
        editions = await self.house.store.look(partial(rows.editions, playtest=playtest.id))
        if not editions:  # deleted meanwhile
            return
        game = find(playtest.game)
        asked = Asked(sendable(game), playtest.options, playtest.seats, beside(playtest, editions), engine)
        if engine != "plain":
            await insist(self.workers, "a playtest (compile)", _prepare, asked, limit=COMPILES)
        pieces: list[list[bytes]] = []
        left = SECONDS
        while job.done < GAMES and left > 0:
            if not job.wanted:
                return
            most = GAMES - job.done
            one = await insist(self.workers, "a playtest", _piece, asked, job.done, most, PIECE, limit=PATIENCE)
            job.done, left = job.done + one.games, left - one.seconds
            pieces.append(one.seen)
        found = await insist(self.workers, "a playtest (measures)", _table, asked, pieces)
        keep = partial(rows.keep_trial, playtest=playtest.id, rules=game.rules.VERSION, way=WAY, found=found)
        with contextlib.suppress(Conflict):  # deleted meanwhile, or another process has kept it
            await self.house.store.do(keep)


WAY = f"{trials.VERSION}"  # what was measured in another way is measured anew


def beside(playtest: Playtest, editions: list[EditionRow]) -> Mapping[str, Mapping[str, object]]:
    """Return the editions that are measured, by their labels: the printed one first, unless it is one of the others."""
    printed = find(playtest.game).named(editions[-1].edition).parts
    found: dict[str, Mapping[str, object]] = {}
    if all(one.parts != printed for one in editions):
        found[PRINTED] = printed
    for one in editions:
        alone = PRINTED if one.parts == printed else YOURS
        found[f"Edition {one.arm}" if len(editions) > 1 else alone] = one.parts
    return found


def _prepare(asked: Asked) -> bool:
    from parlour.analysis import trying

    return trying.prepare(asked)


def _piece(asked: Asked, first: int, most: int, seconds: float) -> Piece:
    from parlour.analysis import trying

    return trying.piece(asked, first, most, seconds)


def _table(asked: Asked, pieces: list[list[bytes]]) -> object:
    from parlour.analysis import trying

    return msgspec.to_builtins(trying.table(asked, pieces))
