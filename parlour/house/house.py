"""The house: the store, the tables in memory, their people, and the news between processes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from parlour.core.errors import ParlourError
from parlour.house.accounts.guests import Guests
from parlour.house.accounts.origins import Origins
from parlour.house.accounts.passkeys.challenges import Passkeys
from parlour.house.accounts.passwords import Passwords
from parlour.house.accounts.streams import Streams
from parlour.house.admin.bans import Bans
from parlour.house.database.store import Conflict, Store
from parlour.house.errors import OtherHouse, StoreFailed, UnknownTable
from parlour.house.lobby.lists import Lobby
from parlour.house.measures import Measures
from parlour.house.news.lookout import Lookout
from parlour.house.news.open_pages import OpenPages
from parlour.house.news.peers import Peers
from parlour.house.news.presence import Presence
from parlour.house.news.pulses import Pulses
from parlour.house.notify.senders import Hooks, Pushes
from parlour.house.ratings.outcomes import Stories
from parlour.house.settings import Settings
from parlour.house.social.regards import Regards
from parlour.house.table.live import looking, sealed
from parlour.house.table.live.deciding import bot_to_move
from parlour.house.table.live.eyes import Eyes, eyes_of
from parlour.house.table.live.question import Question
from parlour.house.table.live.table import Table
from parlour.house.table.storage.change import Change
from parlour.house.table.storage.queries import unknown
from parlour.house.table.storage.rows import MISFIT
from parlour.house.tasks import end
from parlour.house.tournaments import boards
from parlour.house.workers.custom import Custom
from parlour.house.workers.pool import Workers
from parlour.house.workers.watchdog import Watchdog

if TYPE_CHECKING:
    from parlour.house.news.fanout import News
    from parlour.house.notify.mail import Post

log = logging.getLogger(__name__)
ELSEWHERE = 5.0  # seconds for which another process, whose bots are already working, may act first


class Jobs(NamedTuple):
    """What a house does unasked. It receives these functions and starts them when there is something to do.

    play_bots  makes bots' moves at a table until it is a person's turn or no page is open
    attend     handles an open question at a table until its end
    tidy       deletes abandoned tables, as long as the house is open
    queue      maintains the queue of "Play now", as long as the house is open
    keep_time  continues games in which a player's time is up, as long as the house is open
    tourneys   pairs and counts tournaments, as long as the house is open
    seasons    starts and ends seasons of clubs, as long as the house is open
    tell       sends notifications of what happened while people were away, as long as the house is open

    The first two also receive for how many seconds another process may act first.
    """

    play_bots: Callable[[House, Table, float], Coroutine[Any, Any, None]]
    attend: Callable[[House, Table, Question, float], Coroutine[Any, Any, None]]
    tidy: Callable[[House], Coroutine[Any, Any, None]]
    queue: Callable[[House], Coroutine[Any, Any, None]]
    keep_time: Callable[[House], Coroutine[Any, Any, None]]
    tourneys: Callable[[House], Coroutine[Any, Any, None]]
    seasons: Callable[[House], Coroutine[Any, Any, None]]
    tell: Callable[[House], Coroutine[Any, Any, None]]


class House:
    """One process's share of the house, open: `House.open` makes it."""

    def __init__(
        self, settings: Settings, jobs: Jobs, measures: Measures, store: Store, keys: Sequence[str], push_key: str
    ) -> None:
        """Put the parts together. `keys` sign cookies, `push_key` signs notifications; both are the store's."""
        self.settings, self.jobs, self.measures, self.store = settings, jobs, measures, store
        self.closing = False
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.workers = Workers(settings.workers, engine=settings.engine)
        self.custom = Custom(settings.bots, settings.workers)
        self.watchdog = Watchdog()
        self.peers = Peers(settings.redis, shared=self.shared)
        self.lobby = Lobby(store, self.peers.all_known, self.tables)
        self.pages = OpenPages(self.tables, self.lobby)
        self.pulses = Pulses(self.peers)
        self.presence = Presence(self.tables, self.lobby.crowd, self.pulses, self.peers)
        self.guests = Guests(store, keys, self.peers)
        self.passkeys = Passkeys(self.guests)
        self.passwords = Passwords()
        self.origins = Origins(store, limits=settings.limits)
        self.bans = Bans(store, self.peers.all_known, self._in_order)
        self.streams = Streams(store, self.peers.all_known, self.guests.forget, self.bans.bars)
        self.regards = Regards(store, self.peers.all_known, self.pages.here, self.pages.refresh)
        self.pushes, self.hooks, self.post = Pushes(push_key, settings), Hooks(push_key, settings), _post(settings)
        self._lookout = Lookout(store, self.pages.watched, self._catch_up, self.peers.connected, self.guests.use)
        self._stories = Stories(store, self.soon)
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._warmed = False
        self._stack = AsyncExitStack()
        self._stack.callback(self.workers.stop)
        self._stack.callback(self.custom.workers.stop)
        self._stack.callback(self.passwords.close)
        self._stack.push_async_callback(store.close)

    @property
    def shared(self) -> bool:
        """Return whether other processes may write to the same tables."""
        return not self.store.sqlite

    @classmethod
    async def open(cls, settings: Settings, jobs: Jobs) -> House:
        """Open the store, and a house on it. Bots and questions continue when their table is opened again. Raises
        DatabaseUnreachable."""
        measures, store = Measures(), Store(settings.database)
        store.timed = measures.database
        house: House | None = None
        try:
            await store.open()
            house = cls(settings, jobs, measures, store, await store.keys(), await store.push_key())
            await house._begin()
        except BaseException:  # also on Ctrl-C in the middle: close what was opened
            await (house or store).close()
            raise
        return house

    async def _begin(self) -> None:
        """Connect to the other processes, and begin with everything that is done unasked."""
        self.watchdog.start()
        self._stack.callback(self.watchdog.stop)
        await self.bans.learn()
        self._stack.push_async_callback(self.peers.close)
        await self.peers.open(self._heard, self._missed)
        if self.peers.use_redis:
            self.soon(self.presence.repeat())
        for part in (self._lookout, self.streams, self.bans, self.regards, self.lobby):
            self.soon(part.run())
        jobs = self.jobs
        for work in (jobs.tidy, jobs.queue, jobs.keep_time, jobs.tourneys, jobs.seasons, jobs.tell):
            self.soon(work(self))

    async def close(self) -> None:
        """End streams, bots and connections."""
        self.close_streams()
        await end(self._tasks)
        await self._stack.aclose()

    def close_streams(self) -> None:
        """End every open page's stream, so that the server can stop."""
        self.closing = True
        self.presence.close()
        self.pages.wake()

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
        """Return the table with this id. Raises UnknownTable, StoreFailed."""
        table = self.tables.get(table_id)
        if table is None:
            if (task := self._loading.get(table_id)) is None:
                task = self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            table = await asyncio.shield(task)
        if table_id in self.tables:  # newer tables may have evicted it; `hold` checks again
            self.tables.move_to_end(table_id)
        return table

    async def look(self, table_id: str, guest: str) -> tuple[Table, Eyes]:
        """Return the table as it is in the database now (people who moved through another process see their own move),
        and with whose eyes the guest looks. Where it matters, note that an observer looks. Errors: those of `table`,
        NotOver (today's game of someone else)."""
        async with self.hold(table_id, guest) as table:
            sealed.must_see(table, guest)
            if looking.first_watched_by(table, guest):
                async with self.change(table) as change:
                    await change.set(watched=True)
        regard = await self.regards.of(guest)
        eyes = eyes_of(table, guest, regard)
        if await table.known.ready(eyes.viewer):  # others had their turn meanwhile
            eyes = eyes_of(table, guest, regard)
        if table.over and table.story is None:
            await asyncio.shield(self._stories.of(table))
        return table, eyes

    async def _load(self, table_id: str) -> Table:
        table = await Table.of(await self.store.load(table_id), self.settings)
        await self._close_for_good(table)
        self.tables[table_id] = table
        for name, old in list(self.tables.items())[: max(0, len(self.tables) - self.settings.tables)]:
            if not old.busy():
                del self.tables[name]
        if table.questions.open:  # the server was restarted while a question was open
            self.go_on(table)
        return table

    async def _close_for_good(self, table: Table) -> None:
        """Close a game that can't continue here, including for a house that has its old rules."""
        if table.misfit:
            log.error("Could not show table %s: %s", table.id, table.misfit)
        if table.closed and table.row.status == "playing":
            closed = {"status": "closed"} | ({"ended": MISFIT} if table.misfit else {})
            async with self.store.change(table.id) as change:
                await change.set(**closed)
                await change.note_over()
            table.row = msgspec.structs.replace(table.row, **closed)
            self._tell(table.id)

    async def refresh(self, table: Table) -> None:
        """Read from the database what others have done at this table."""
        before = table.version, table.row, table.seats, len(table.chat)
        known = table.chat[-1].id if table.chat else 0
        try:
            snapshot = await self.store.load(table.id, table.version, known)
        except UnknownTable:
            self.forget(table)
            raise
        followed = table.match is not None
        await table.take(snapshot)
        if followed and table.misfit:  # our memory may be wrong, and not the database
            table.start_over()
            await table.take(await self.store.load(table.id, 0, table.chat[-1].id if table.chat else 0))
        await self._close_for_good(table)
        table.doubtful = False
        if before != (table.version, table.row, table.seats, len(table.chat)):
            table.wake()

    @contextlib.asynccontextmanager
    async def change(self, table: Table) -> AsyncIterator[Change]:
        """Open a transaction on a held table, and announce its changes afterwards. Errors: StoreFailed."""
        with table.writing():
            async with self.store.change(table.id) as change:
                yield change
            if change.deleted:
                self.closed(table.id)
            else:
                await self.changed(table)

    async def changed(self, table: Table) -> None:
        """Reload a table that changed in the database, and announce it."""
        table.doubtful = True  # until the refresh succeeds
        await self.refresh(table)
        self.announce(table)

    async def learn(self, table_id: str) -> None:
        """Reload a table that may have changed, if open pages show it. Others are not read: a guest may sit at any
        number."""
        table = self.tables.get(table_id)
        if table_id in self._loading or (table is not None and table.audience.listeners):
            with contextlib.suppress(UnknownTable, OtherHouse):  # closed meanwhile, or begun by a newer house
                async with self.hold(table_id) as held:
                    await self.changed(held)
            return
        if table is not None:
            table.doubtful = True
        self._tell(table_id)

    def _tell(self, table_id: str) -> None:
        """Announce a table's news to the lobby and to other processes."""
        self.lobby.note()
        self.peers.tell(table_id)

    @asynccontextmanager
    async def hold(self, table_id: str, guest: str = "", *, sure: bool = True) -> AsyncIterator[Table]:
        """Hold the table for one change at a time, up to date (or, without `sure`, as far as known here). A guest's
        request there also lets its bots continue. Errors: those of `table`."""
        while True:
            table = await self.table(table_id)
            async with table.lock:
                if table.gone:  # closed while we waited
                    raise unknown(table_id)
                if self.tables.get(table_id) is not table:  # dropped from memory between our finding it and the lock
                    continue
                elsewhere = self.shared and time.time() - table.row.touched < ELSEWHERE
                if (doubtful := table.doubtful) or (sure and await self.is_old(table)):
                    elsewhere = not doubtful  # another process wrote, and continues the bots
                    await self.refresh(table)
                    if doubtful:  # changes that we did not know of have started no bot
                        self.go_on(table)
                if guest:
                    looking.note(table, guest)
                    await self._arrive(table, guest)
                    self.let_bots_play(table, ELSEWHERE if elsewhere else 0.0)
                yield table
                return

    async def _arrive(self, table: Table, guest: str) -> None:
        """Note that a player has opened their game of a tournament: players who don't do that in time lose it."""
        if not table.row.tournament or guest in table.came or all(seat.guest_id != guest for seat in table.seats):
            return
        with contextlib.suppress(StoreFailed, Conflict):  # noted at their next request
            await self.store.do(partial(boards.came, table_id=table.id, guest=guest))
            table.came.add(guest)

    async def is_old(self, table: Table) -> bool:
        """Return whether another process has changed the table since it was read."""
        return self.shared and await self.store.changes_at(table.id) != table.changes

    def forget(self, table: Table) -> None:
        """Drop a table that no longer exists, and notify open pages."""
        table.gone = True
        self.tables.pop(table.id, None)
        table.work.end()
        table.wake()

    def closed(self, table_id: str) -> None:
        """Notify open pages that the database no longer has this table."""
        if (table := self.tables.get(table_id)) is not None:
            self.forget(table)
        for before in self.tables.values():
            if before.row.rematch == table_id:  # it can have another rematch
                before.doubtful = True
        self._tell(table_id)

    def announce(self, table: Table) -> None:
        """Notify everyone at the table, here and in the other processes, and start a bot whose turn it is."""
        table.wake()
        self._tell(table.id)
        self.go_on(table)

    def go_on(self, table: Table, wait: float = 0.0) -> None:
        """Start a bot's move, or the end of a secret question. `wait` is the seconds for which another process may act
        first."""
        self.let_bots_play(table, wait)
        if table.over and table.story is None and not self.closing:
            self._stories.of(table)
        if (question := table.questions.open) is None or self.closing:
            return
        question.news.set()  # a player may have left or come back
        if question.task is None or question.task.done():
            question.task = table.work.asking = self.soon(self.jobs.attend(self, table, question, wait))

    def let_bots_play(self, table: Table, wait: float = 0.0) -> None:
        """Start a table's bots if it is a bot's turn. `wait` is the seconds for which another process may act first."""
        bots = table.status != "over" and any(seat.kind == "bot" for seat in table.seats)
        if bots and not self._warmed and not self.closing:
            self._warmed = True
            self.soon(self.workers.warm())
        if bot_to_move(table) is not None and (table.work.bots is None or table.work.bots.done()) and not self.closing:
            table.work.bots = self.soon(self.jobs.play_bots(self, table, wait))

    # People at the tables ----------------------------------------------------------------------
    async def known_again(self, guest: str) -> None:
        """Reload a guest who created or deleted an account, or signed in or out, and notify the others."""
        self.guests.changed(guest)
        await self.met_again(guest)

    async def met_again(self, guest: str) -> None:
        """Apply a guest's new identity: end the streams of signed-out guests, and remove the chat lines of deleted
        accounts."""
        self.regards.forget([guest])
        who = await self.guests.who(guest)
        for table in self.tables.values():
            if table.status == "over" and any(seat.guest_id == guest for seat in table.seats):
                table.doubtful = True  # their name may link elsewhere; tables in progress are reloaded one by one
        if who.name is not None:
            self.streams.end(guest, lambda one: not self.guests.refuses(one))
            return
        self.streams.end(guest)
        for table in [*self.tables.values()]:
            if any(line.guest_id == guest for line in table.chat):
                table.chat = (await self.store.load(table.id, table.version)).chat

    def between(self, *guests: str) -> None:
        """Refresh these guests' pages everywhere after a change that only they see."""
        self.regards.forget(guests)
        for guest in guests:
            self.peers.tell_name(guest)

    async def bans_changed(self) -> None:
        """Apply a moderator's change of bans or the notice, and notify the other processes."""
        await self.bans.learn()
        self.peers.tell_all()

    def _in_order(self) -> None:
        """Apply a new ban or notice."""
        self.streams.end_where(self.bans.bars)
        self.pages.wake()

    # Other processes ---------------------------------------------------------------------------
    async def _heard(self, news: News) -> None:
        if news.pulse:
            return self.pulses.take(news.pulse, news.table, ours=False)
        if news.guests is None:  # otherwise it only says who looks at a table
            self.lobby.note()
        if news.guest:
            self.guests.forget(news.guest)
            await self.met_again(news.guest)
        elif not news.table:
            self._missed()
        elif news.guests is not None:
            self.presence.hear(news)
        elif (table := self.tables.get(news.table)) is not None:
            async with table.lock:
                with contextlib.suppress(UnknownTable, OtherHouse):  # closed, and forgotten here; or of a newer house
                    await self._catch_up(table)

    def _missed(self) -> None:
        """Check what others did while this process got no news."""
        self.guests.forget_all()
        self._lookout.hurry()
        self.lobby.note()
        self.soon(self._look_about())

    async def _look_about(self) -> None:
        with contextlib.suppress(ParlourError):  # the clocks look again
            await self.bans.learn()
            await self.regards.look()

    async def _catch_up(self, table: Table) -> None:
        """Read what others have done at a held table, and make sure that its game continues."""
        await self.refresh(table)
        self.go_on(table, ELSEWHERE)


def _post(settings: Settings) -> Post | None:
    """Return what sends email, if the house does."""
    if not settings.mail:
        return None
    from parlour.house.notify import mail  # others need not wait for its client

    return mail.Post(settings)
