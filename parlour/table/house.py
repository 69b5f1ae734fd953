"""The house: the store, the tables in memory, the bots, and the news between processes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from parlour.core.errors import ParlourError
from parlour.table.analysing import Analyst
from parlour.table.errors import UnknownTable
from parlour.table.guests import Guests
from parlour.table.room import Listener, Remote, Room
from parlour.table.settings import Settings
from parlour.table.store import Store
from parlour.table.watchdog import Watchdog
from parlour.table.workers import Workers

if TYPE_CHECKING:
    from parlour.table.fanout import Fanout, News

log = logging.getLogger(__name__)
LEFT_AFTER = 3.0  # seconds after which a closed page counts as gone: a reload is not a leaving
PRESENCE_EVERY, PRESENCE_FOR = 15.0, 40.0  # seconds


class House:
    """One process's share of the house. `open` before use."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        self.workers = Workers(settings.workers)
        self.analyst = Analyst(self)
        self.watchdog = Watchdog()
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self.guests: Guests
        self.fanout: Fanout | None = None
        self.closing = False
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stack = AsyncExitStack()

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same tables."""
        return not self.store.sqlite

    async def open(self) -> None:
        """Open the store, then let the bots go on where they were. Errors: DatabaseUnreachable."""
        self._stack.callback(self.workers.stop)
        self._stack.callback(self.analyst.stop)
        await self.store.open()
        self._stack.push_async_callback(self.store.close)
        self.watchdog.start()
        self._stack.callback(self.watchdog.stop)
        self.guests = Guests(self.store, await self.store.secret(), shared=self.shared)
        if self.settings.redis:
            from parlour.table.fanout import Fanout  # Redis is loaded only where it is used

            try:
                fanout = Fanout(self.settings.redis, self._heard, self._lost)
                await fanout.open()
            except ParlourError:
                await self.close()
                raise
            self.fanout = fanout
            self._stack.push_async_callback(fanout.close)
            self.soon(self._repeat_presence())
        self.soon(self._resume())

    async def close(self) -> None:
        """End streams, bots and connections."""
        self.close_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()

    def close_streams(self) -> None:
        """Let every open page's stream end, so that the server can."""
        self.closing = True
        for room in self.rooms.values():
            room.wake()

    def soon(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine beside everything else, until it ends or the house closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Tables ------------------------------------------------------------------------------------
    async def room(self, table: str) -> Room:
        """The table with this id. UnknownTable, StoreFailed, OtherRules."""
        room = self.rooms.get(table)
        if room is None:
            task = self._loading.get(table)
            if task is None:
                task = self._loading[table] = asyncio.ensure_future(self._load(table))
                task.add_done_callback(lambda _: self._loading.pop(table, None))
            room = await asyncio.shield(task)
        self.rooms.move_to_end(table)
        return room

    async def fresh(self, table: str, guest: str) -> Room:
        """The table as it is in the database now, for showing it to a guest: whoever moved through another process and
        then asks this one sees their move. That somebody without a seat looks is written down where it matters."""
        async with self.hold(table) as room:
            if room.first_watched_by(guest):
                async with self.store.change(table) as change:
                    await change.set(watched=True)
                room.doubtful = True  # until the refresh succeeds
                await self.refresh(room)
                self.announce(room)
        await room.ready(room.viewer(guest))
        return room

    async def _load(self, table: str) -> Room:
        room = self.rooms[table] = await Room.of(await self.store.load(table), self.settings)
        for name, old in list(self.rooms.items())[: max(0, len(self.rooms) - self.settings.rooms)]:
            if not old.busy():
                del self.rooms[name]
        if room.question:  # the server was restarted while a question was open
            self.go_on(room)
        return room

    async def refresh(self, room: Room) -> None:
        """Learn from the database what others have done at this table."""
        before = room.version, room.row, room.seats, len(room.chat)
        known = room.chat[-1].id if room.chat else 0
        try:
            snapshot = await self.store.load(room.id, room.version, known)
        except UnknownTable:
            self.forget(room)
            raise
        await room.take(snapshot)
        room.doubtful = False
        if before != (room.version, room.row, room.seats, len(room.chat)):
            room.wake()

    @asynccontextmanager
    async def hold(self, table: str) -> AsyncIterator[Room]:
        """The table, for one change at a time, up to date. Errors: those of `room`."""
        while True:
            room = await self.room(table)
            async with room.lock:
                if room.gone:  # closed while we waited
                    raise UnknownTable(f"There is no table {table!r}.")
                if self.rooms.get(table) is not room:  # dropped from memory between our finding it and the lock
                    continue
                if (doubtful := room.doubtful) or self.shared:
                    await self.refresh(room)
                    if doubtful:  # what was written without our knowing has woken nobody
                        self.go_on(room)
                yield room
                return

    def forget(self, room: Room) -> None:
        """A table that is no more: open pages are told."""
        room.gone = True
        self.rooms.pop(room.id, None)
        room.end_work()
        room.wake()

    def announce(self, room: Room) -> None:
        """Everybody at the table is told, here and in the other processes; a bot whose turn it is begins."""
        room.wake()
        if self.fanout is not None:
            self.fanout.tell(room.id)
        self.go_on(room)

    def go_on(self, room: Room, wait: float = 0.0) -> None:
        """Start what the house itself does next at a table: a bot's move, or the end of a secret question.
        `wait`: seconds left to another process first."""
        from parlour.table.asking import attend

        self.let_bots_play(room, wait)
        if (question := room.question) is None or self.closing:
            return
        question.news.set()  # somebody may have left, or come back
        if question.task is None or question.task.done():
            question.task = room.ask_task = self.soon(attend(self, room, question, wait))

    def let_bots_play(self, room: Room, wait: float = 0.0) -> None:
        """Start the bots of a table if one has the decision. `wait`: seconds left to another process first."""
        from parlour.table.bots import play_bots

        bots = room.status != "over" and any(seat.kind == "bot" for seat in room.seats)
        if bots and not self.workers.processes() and not self.closing:
            self.soon(self.workers.warm())
        if room.bot_to_move() is not None and (room.bot_task is None or room.bot_task.done()) and not self.closing:
            room.bot_task = self.soon(play_bots(self, room, wait))

    async def _resume(self) -> None:
        """After a start: tables under way whose next move is a bot's go on by themselves."""
        try:
            for table in await self.store.with_bots():
                try:
                    self.go_on(await self.room(table))
                except ParlourError as error:
                    log.warning("Table %s cannot go on: %s", table, error)
        except ParlourError as error:
            log.error("The tables under way could not be read: %s", error)

    # People at the tables ----------------------------------------------------------------------
    @contextlib.contextmanager
    def listening(self, room: Room, guest: str) -> Iterator[Listener]:
        """A page that is open at the table."""
        listener = Listener(guest)
        room.listeners.add(listener)
        self._presence(room)
        listener.news.clear()
        try:
            yield listener
        finally:
            room.listeners.discard(listener)
            if not self.closing:
                asyncio.get_running_loop().call_later(LEFT_AFTER, self._presence, room)

    def _presence(self, room: Room) -> None:
        room.wake()
        if self.fanout is not None and not self.closing:
            self.fanout.tell(room.id, [listener.guest for listener in room.listeners])

    async def _repeat_presence(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_EVERY)
            for room in list(self.rooms.values()):
                room.remotes = {k: r for k, r in room.remotes.items() if r.time > time.monotonic() - PRESENCE_FOR}
                if room.listeners:
                    self._presence(room)

    # Other processes ---------------------------------------------------------------------------
    async def _heard(self, news: News) -> None:
        room = self.rooms.get(news.table)
        if room is None:
            return
        if news.guests is not None:
            room.remotes[news.sender] = Remote(frozenset(news.guests), time.monotonic())
            room.wake()
            return
        async with room.lock:
            await self.refresh(room)
        self.go_on(room, wait=5.0)

    async def _lost(self) -> None:
        for room in list(self.rooms.values()):
            async with room.lock:
                with contextlib.suppress(ParlourError):
                    await self.refresh(room)
                    self.go_on(room, wait=5.0)
