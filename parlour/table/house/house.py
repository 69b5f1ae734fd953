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
from parlour.table.live.room import Listener, Remote, Room
from parlour.table.settings import Settings
from parlour.table.storage.store import Store

log = logging.getLogger(__name__)
LEFT_AFTER = 3.0  # seconds after which a closed page counts as gone: a reload is not a leaving
PRESENCE_EVERY, PRESENCE_FOR = 15.0, 40.0  # seconds


class Staff(NamedTuple):
    """What a house does at its tables by itself: it is handed that, and starts it when there is something to do.

    play_bots  makes bots' moves at a table until a person has the decision
    attend     sees an open question at a table through
    Both are also given the seconds that are left to another process first.
    """

    play_bots: Callable[[House, Room, float], Coroutine[Any, Any, None]]
    attend: Callable[[House, Room, Question, float], Coroutine[Any, Any, None]]


class House:
    """One process's share of the house. `open` before use."""

    def __init__(self, settings: Settings, staff: Staff) -> None:
        self.settings = settings
        self.staff = staff
        self.store = Store(settings.database)
        self.workers = Workers(settings.workers)
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
        await self.store.open()
        self._stack.push_async_callback(self.store.close)
        self.watchdog.start()
        self._stack.callback(self.watchdog.stop)
        self.guests = Guests(self.store, await self.store.secret(), shared=self.shared)
        if self.settings.redis:
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

    def at_end(self, end: Callable[[], None]) -> None:
        """Call this when the house closes, after all that it runs has ended."""
        self._stack.callback(end)

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

    async def look(self, table: str, guest: str) -> tuple[Room, Eyes]:
        """The table as it is in the database now, and with whose eyes the guest looks at it: whoever moved through
        another process and then asks this one sees their move. That somebody without a seat looks is written down
        where it matters. Errors: those of `room`."""
        async with self.hold(table) as room:
            if room.first_watched_by(guest):
                async with self.store.change(table) as change:
                    await change.set(watched=True)
                await self.changed(room)
        eyes = eyes_of(room, guest)
        if await room.ready(eyes.viewer):  # others had their turn meanwhile
            eyes = eyes_of(room, guest)
        return room, eyes

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

    async def changed(self, room: Room) -> None:
        """The database has something new of this table: learn it, and tell everybody."""
        room.doubtful = True  # until the refresh succeeds
        await self.refresh(room)
        self.announce(room)

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
        self.let_bots_play(room, wait)
        if (question := room.question) is None or self.closing:
            return
        question.news.set()  # somebody may have left, or come back
        if question.task is None or question.task.done():
            question.task = room.ask_task = self.soon(self.staff.attend(self, room, question, wait))

    def let_bots_play(self, room: Room, wait: float = 0.0) -> None:
        """Start the bots of a table if one has the decision. `wait`: seconds left to another process first."""
        bots = room.status != "over" and any(seat.kind == "bot" for seat in room.seats)
        if bots and not self.workers.processes() and not self.closing:
            self.soon(self.workers.warm())
        if room.bot_to_move() is not None and (room.bot_task is None or room.bot_task.done()) and not self.closing:
            room.bot_task = self.soon(self.staff.play_bots(self, room, wait))

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
