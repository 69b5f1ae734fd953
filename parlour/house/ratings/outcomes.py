"""How games ended: their stories, and their outcomes, stored for statistics when they end, or later when a list needs
them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from parlour.core.errors import ParlourError
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.games import find
from parlour.house.database.store import Conflict, Store
from parlour.house.errors import UnknownTable
from parlour.house.profiles import achieving
from parlour.house.ratings import results, rows
from parlour.house.ratings.results import Outcome
from parlour.house.table.live.journal import kept_record
from parlour.house.table.live.story import story
from parlour.house.table.live.table import Table
from parlour.house.table.storage.rows import Snapshot, TableRow
from parlour.house.today import rows as today_rows
from parlour.house.today.marks import marks_of


class Stories:
    """Makes the stories of finished games, each once, in a thread; `soon` starts background tasks."""

    def __init__(self, store: Store, soon: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]) -> None:
        self._store, self._soon = store, soon
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def of(self, table: Table) -> asyncio.Task[None]:
        """Return the work on the table's story, which is started once. Then its outcome is stored, too."""
        if table.id not in self._tasks:
            self._tasks[table.id] = task = self._soon(self._make(table))
            task.add_done_callback(lambda _: self._tasks.pop(table.id, None))
        return self._tasks[table.id]

    async def _make(self, table: Table) -> None:
        assert table.match is not None
        made = await asyncio.to_thread(story, table.match, table.history)
        try:
            await keep(self._store, table.row, table.match)
            made = made._replace(firsts=await achieving.keep(self._store, table))
            if table.row.rated:
                made = made._replace(ratings=await moved_by(self._store, table.id))
        finally:  # pages show it at once: what came later would move what is there
            table.story = made
            table.wake()


async def keep(store: Store, row: TableRow, match: Match) -> None:
    """Store how a finished match ended, unless it is stored. If the database refuses, it is worked out later."""
    with contextlib.suppress(Conflict, ParlourError):
        if not await store.look(partial(results.has_outcome, table_id=row.id)):
            marks = await asyncio.to_thread(marks_of, match) if row.day else ()
            ended = partial(results.keep_outcomes, table_id=row.id, outcomes=_outcomes(match), marks=marks)
            await store.do(ended)


async def moved_by(store: Store, table_id: str) -> tuple[tuple[float, float], ...]:
    """Return the rating of each seat before and after a rated game; nothing if it isn't counted or can't be read
    now."""
    with contextlib.suppress(ParlourError):
        return await store.look(partial(rows.moved, table_id=table_id))
    return ()


async def work_out(store: Store, guest: str, most: int) -> bool:
    """Work out how some of a guest's games ended whose outcome isn't stored, and return whether more are left. Each is
    replayed in a thread. Raises StoreFailed."""
    missing = await store.look(partial(results.unknown, guest=guest, most=most + 1))
    await keep_again(store, missing[:most])
    return len(missing) > most


async def count_late(store: Store, most: int) -> int:
    """Count finished rated games, and games of the day, that a shutdown left uncounted, in the order in which they
    ended; return how many. Raises StoreFailed."""
    missing = await store.look(partial(rows.pending, most=most))
    missing += await store.look(partial(today_rows.pending, most=most))
    await keep_again(store, missing)
    return len(missing)


async def keep_again(store: Store, tables: Sequence[str]) -> None:
    """Work out and store how finished games ended, each in a thread. Raises StoreFailed."""
    for table_id in tables:
        try:
            kept = await store.load(table_id)
        except UnknownTable:  # swept meanwhile
            continue
        outcomes, marks = await asyncio.to_thread(_played_again, kept)
        ended = partial(results.keep_outcomes, table_id=table_id, outcomes=outcomes, marks=marks)
        with contextlib.suppress(Conflict):  # another process did the same
            await store.do(ended)


def _outcomes(match: Match) -> list[Outcome]:
    return [Outcome(share, score) for share, score in zip(match.returns, match.scores, strict=True)]


def _played_again(kept: Snapshot) -> tuple[list[Outcome], list[str]]:
    """Return how a game ended and, for one of the day, its marks; or unknown outcomes if it can't be replayed because
    its rules are gone."""
    with contextlib.suppress(ParlourError):
        match = replay(kept_record(kept), find)
        if match.over:
            return _outcomes(match), marks_of(match) if kept.table.day else []
    return [Outcome(None, None)] * len(kept.seats), []
