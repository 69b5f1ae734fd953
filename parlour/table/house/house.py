"""The house: the store, the tables in memory, their people, and the news between processes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

from parlour.core.errors import ParlourError
from parlour.table.errors import UnknownTable
from parlour.table.house.fanout import Fanout, News
from parlour.table.house.guests import Guests
from parlour.table.house.watchdog import Watchdog
from parlour.table.house.workers import Workers
from parlour.table.live.eyes import Eyes, eyes_of
from parlour.table.live.question import Question
from parlour.table.live.table import Listener, Remote, Table
from parlour.table.settings import Settings
from parlour.table.storage.store import Store

log = logging.getLogger(__name__)
LEFT_AFTER = 3.0  # seconds after which a closed page counts as gone: a reload is not a leaving
PRESENCE_EVERY, PRESENCE_FOR = 15.0, 40.0  # seconds


class Staff(NamedTuple):
    """What a house does at its tables by itself: it is handed that, and starts it when there is
    something to do.

    play_bots  makes bots' moves at a table until a person has the decision
    attend     sees an open question at a table through
    Both are also given the seconds that are left to another process first.
    """

    play_bots: Callable[[House, Table, float], Coroutine[Any, Any, None]]
    attend: Callable[[House, Table, Question, float], Coroutine[Any, Any, None]]


class House:
    """One process's share of the house. `open` before use."""

    def __init__(self, settings: Settings, staff: Staff) -> None:
        self.settings = settings
        self.staff = staff
        self.store = Store(settings.database)
        self.workers = Workers(settings.workers)
        self.watchdog = Watchdog()
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.guests: Guests
        self.fanout: Fanout | None = None
        self.closing = False
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._resuming: asyncio.Task[None] | None = None
        self._stack = AsyncExitStack()

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same tables."""
        return not self.store.sqlite

    async def open(self) -> None:
        """Open the store, then let the bots go on where they were. Errors: DatabaseUnreachable."""
        try:
            await self._open()
        except BaseException:  # also Ctrl-C in the middle: what was opened is closed
            await self.close()
            raise
        self._resuming = self.soon(self._resume())

    async def _open(self) -> None:
        self._stack.callback(self.workers.stop)
        self._stack.push_async_callback(self.store.close)
        await self.store.open()
        self.watchdog.start()
        self._stack.callback(self.watchdog.stop)
        self.guests = Guests(self.store, await self.store.secret(), shared=self.shared)
        if self.settings.redis:
            fanout = Fanout(self.settings.redis, self._heard, self._lost)
            self._stack.push_async_callback(fanout.close)
            await fanout.open()
            self.fanout = fanout
            self.soon(self._repeat_presence())

    async def close(self) -> None:
        """End streams, bots and connections."""
        self.close_streams()
        if self._resuming is not None:  # cut off while it reads, it would lose a connection
            await asyncio.wait([self._resuming])
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()

    def close_streams(self) -> None:
        """Let every open page's stream end, so that the server can."""
        self.closing = True
        for table in self.tables.values():
            table.wake()

    def at_end(self, end: Callable[[], None]) -> None:
        """Register a function to call when the house closes, after all that it runs has ended."""
        self._stack.callback(end)

    def soon(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background until it ends or the house closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Tables ------------------------------------------------------------------------------------
    async def table(self, table_id: str) -> Table:
        """The table with this id. UnknownTable, StoreFailed, OtherRules."""
        table = self.tables.get(table_id)
        if table is None:
            task = self._loading.get(table_id)
            if task is None:
                task = self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            table = await asyncio.shield(task)
        if table_id in self.tables:  # others that came meanwhile may have pushed it out; `hold` looks again
            self.tables.move_to_end(table_id)
        return table

    async def look(self, table_id: str, guest: str) -> tuple[Table, Eyes]:
        """Return the table as it is in the database now, and whose eyes the guest looks with:
        somebody who moved through another process and then asks this one sees their own move.

        Notes, where it matters, that somebody without a seat looks. Errors: those of `table`.
        """
        async with self.hold(table_id) as table:
            if table.first_watched_by(guest):
                async with self.store.change(table_id) as change:
                    await change.set(watched=True)
                await self.changed(table)
        eyes = eyes_of(table, guest)
        if await table.ready(eyes.viewer):  # others had their turn meanwhile
            eyes = eyes_of(table, guest)
        return table, eyes

    async def _load(self, table_id: str) -> Table:
        table = self.tables[table_id] = await Table.of(await self.store.load(table_id), self.settings)
        for name, old in list(self.tables.items())[: max(0, len(self.tables) - self.settings.tables)]:
            if not old.busy():
                del self.tables[name]
        if table.question:  # the server was restarted while a question was open
            self.go_on(table)
        return table

    async def refresh(self, table: Table) -> None:
        """Learn from the database what others have done at this table."""
        before = table.version, table.row, table.seats, len(table.chat)
        known = table.chat[-1].id if table.chat else 0
        try:
            snapshot = await self.store.load(table.id, table.version, known)
        except UnknownTable:
            self.forget(table)
            raise
        await table.take(snapshot)
        table.doubtful = False
        if before != (table.version, table.row, table.seats, len(table.chat)):
            table.wake()

    async def changed(self, table: Table) -> None:
        """The database has news of this table: learn it, and tell everybody."""
        table.doubtful = True  # until the refresh succeeds
        await self.refresh(table)
        self.announce(table)

    @asynccontextmanager
    async def hold(self, table_id: str) -> AsyncIterator[Table]:
        """The table, for one change at a time, up to date. Errors: those of `table`."""
        while True:
            table = await self.table(table_id)
            async with table.lock:
                if table.gone:  # closed while we waited
                    raise UnknownTable(f"There is no table {table_id!r}.")
                if self.tables.get(table_id) is not table:  # dropped from memory between our finding it and the lock
                    continue
                if (doubtful := table.doubtful) or self.shared:
                    await self.refresh(table)
                    if doubtful:  # what was written without our knowing has woken nobody
                        self.go_on(table)
                yield table
                return

    def forget(self, table: Table) -> None:
        """Drop a table that no longer exists, and tell open pages."""
        table.gone = True
        self.tables.pop(table.id, None)
        table.end_work()
        table.wake()

    def announce(self, table: Table) -> None:
        """Tell everybody at the table, here and in the other processes; if it is a bot's turn,
        it begins."""
        table.wake()
        if self.fanout is not None:
            self.fanout.tell(table.id)
        self.go_on(table)

    def go_on(self, table: Table, wait: float = 0.0) -> None:
        """Start what the house itself does next at a table: a bot's move, or the end of a secret
        question. `wait`: seconds left to another process first."""
        self.let_bots_play(table, wait)
        if (question := table.question) is None or self.closing:
            return
        question.news.set()  # somebody may have left, or come back
        if question.task is None or question.task.done():
            question.task = table.ask_task = self.soon(self.staff.attend(self, table, question, wait))

    def let_bots_play(self, table: Table, wait: float = 0.0) -> None:
        """Start the bots of a table if one has the decision. `wait`: seconds left to another
        process first."""
        bots = table.status != "over" and any(seat.kind == "bot" for seat in table.seats)
        if bots and not self.workers.processes() and not self.closing:
            self.soon(self.workers.warm())
        if table.bot_to_move() is not None and (table.bot_task is None or table.bot_task.done()) and not self.closing:
            table.bot_task = self.soon(self.staff.play_bots(self, table, wait))

    async def _resume(self) -> None:
        """After a start: let tables under way continue if the next move is a bot's."""
        try:
            for table_id in await self.store.with_bots():
                if self.closing:
                    return
                try:
                    self.go_on(await self.table(table_id))
                except ParlourError as error:
                    log.warning("Table %s cannot go on: %s", table_id, error)
        except ParlourError as error:
            log.error("The tables under way could not be read: %s", error)

    # People at the tables ----------------------------------------------------------------------
    @contextlib.contextmanager
    def listening(self, table: Table, guest: str) -> Iterator[Listener]:
        """A page that is open at the table."""
        listener = Listener(guest)
        table.listeners.add(listener)
        self._presence(table)
        listener.news.clear()
        try:
            yield listener
        finally:
            table.listeners.discard(listener)
            if not self.closing:
                asyncio.get_running_loop().call_later(LEFT_AFTER, self._presence, table)

    def _presence(self, table: Table) -> None:
        table.wake()
        if self.fanout is not None and not self.closing:
            self.fanout.tell(table.id, [listener.guest for listener in table.listeners])

    async def _repeat_presence(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_EVERY)
            for table in list(self.tables.values()):
                table.remotes = {k: r for k, r in table.remotes.items() if r.time > time.monotonic() - PRESENCE_FOR}
                if table.listeners:
                    self._presence(table)

    # Other processes ---------------------------------------------------------------------------
    async def _heard(self, news: News) -> None:
        table = self.tables.get(news.table)
        if table is None:
            return
        if news.guests is not None:
            table.remotes[news.sender] = Remote(frozenset(news.guests), time.monotonic())
            table.wake()
            return
        async with table.lock:
            await self.refresh(table)
        self.go_on(table, wait=5.0)

    async def _lost(self) -> None:
        for table in list(self.tables.values()):
            async with table.lock:
                with contextlib.suppress(ParlourError):
                    await self.refresh(table)
                    self.go_on(table, wait=5.0)
