"""The lobby's open pages: the lists of others' tables that all pages share, which guests have news of their own tables,
and the database query that both come from.

However many pages are open, there is at most one query a second; without open pages there are no queries. They follow a
clock, and their results don't depend on moves: games to watch are those of the last full minute, without finished ones
and with new ones. So a page that updates at once does not reveal when a player moved.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from parlour import bots
from parlour.core.errors import ParlourError
from parlour.games import all_games
from parlour.house.database.store import Store
from parlour.house.lobby import rows
from parlour.house.lobby.crowd import Crowd, People
from parlour.house.lobby.rows import Since
from parlour.house.ratings.matchmaking import rows as matchmaking_rows
from parlour.house.ratings.matchmaking.rows import Waits
from parlour.house.ratings.rows import Rating
from parlour.house.table.live.audience import Audience, Listener
from parlour.house.table.live.table import Table
from parlour.house.table.storage.rows import Listing

log = logging.getLogger(__name__)
BEAT = 1.0  # seconds between two looks, at least
HERE = 6.0  # seconds for which a guest without a stream counts as here
LATELY = 10_000  # guests who may
SELDOM = 10  # beats between two checks without news: a message may have been lost
MINUTE = 60.0  # seconds for which ages, and the order of games to watch, stay as they are


class Others(NamedTuple):
    """Others' tables as every page shows them, and the time from which ages count; who waits for an opponent; the bots'
    ratings; and how many people are here besides the one who looks."""

    waiting: tuple[Listing, ...] = ()
    playing: tuple[Listing, ...] = ()
    time: float = 0.0
    asking: tuple[Waits, ...] = ()
    bots: tuple[Rating, ...] = ()
    people: People = People()


class Lobby:
    """Queries until cancelled (`run`). `reported`: whether all changes by other processes are reported here."""

    def __init__(self, store: Store, reported: Callable[[], bool], tables: Mapping[str, Table]) -> None:
        self._store, self._reported = store, reported
        self.audience = Audience()
        self.crowd = Crowd(tables, self.audience)
        self.others = Others()
        self.version = 0  # how often `others` changed
        self.own: dict[str, dict[str, int]] = {}  # of guests with a page here: their tables, and counts of changes
        self.lately: dict[str, float] = {}  # who joined the queue, or looked without a stream, and when; in that order
        self._news = True
        self._wanted = asyncio.Event()
        self._looking = asyncio.Lock()
        self._looked = -MINUTE  # seconds of the monotonic clock
        self._sample: tuple[str, ...] = ()  # games to watch as they were in the last full minute, in order

    def note(self) -> None:
        """Note a change that lists may show."""
        self._news = True

    def ask(self, guest: str) -> None:
        """Note that a guest is here for some seconds, even without an open page."""
        now = time.monotonic()
        self.lately.pop(guest, None)
        self.lately[guest] = now
        while len(self.lately) > LATELY or next(iter(self.lately.values())) <= now - HERE:
            del self.lately[next(iter(self.lately))]

    def here(self) -> set[str]:
        """Return the guests who see a page of the lobby, or asked for it lately."""
        long_ago = time.monotonic() - HERE
        return {*self.audience.looking(), *(guest for guest, at in self.lately.items() if at > long_ago)}

    def moved(self, guest: str) -> None:
        """Note news in this guest's own lists that no count of changes shows."""
        self.own.pop(guest, None)  # so that the next look finds it changed
        self.note()

    @contextlib.contextmanager
    def listening(self, guest: str, hidden: float = 0.0, pulse: str = "") -> Iterator[Listener]:
        """Register an open page of the lobby; `hidden` and `pulse` are those of a `Listener`."""
        listener = Listener(guest, hidden, pulse)
        self.audience.add(listener)
        self._news |= guest not in self.own
        self._wanted.set()
        try:
            yield listener
        finally:
            self.audience.discard(listener)
            if guest not in self._open():
                self.own.pop(guest, None)
            if not self.audience.listeners:
                self._wanted.clear()

    async def run(self) -> None:
        """Query whenever it is due and a page is open."""
        beat = 0
        while True:
            await self._wanted.wait()
            await asyncio.sleep(BEAT)
            beat += 1
            try:
                if self._due() or not self._reported() or beat % SELDOM == 0:
                    await self.look()
            except ParlourError as error:
                log.warning("The lobby could not read the database: %s", error)
            except Exception:  # nothing else checks
                log.exception("The lobby could not read the database. It will try again.")

    def _due(self) -> bool:
        return self._news or self.others.time != _minute()

    async def fresh(self) -> Others:
        """Return others' tables, at most one beat old. Raises StoreFailed."""
        if self._due() or time.monotonic() - self._looked > BEAT:
            await self.look()
        return self.others

    async def look(self) -> None:
        """Read all lists, and wake the pages with news. Raises StoreFailed."""
        begun = time.monotonic()
        async with self._looking:
            if self._looked > begun:  # another look began after this one was wanted
                return
            self._looked, self._news = time.monotonic(), False
            try:
                await self._look(_minute())
            except BaseException:
                self._news = True
                raise

    async def _look(self, minute: float) -> None:
        again = minute == self.others.time
        known = {*self._sample, *(one.table.id for one in self.others.waiting + self.others.playing)}
        waiting, playing = await self._store.look(partial(rows.others, since=Since(known, minute) if again else None))
        if not again:
            self._sample = tuple(one.table.id for one in playing)
        place = {table_id: i for i, table_id in enumerate(self._sample)}
        playing.sort(key=lambda one: place.get(one.table.id, -1))  # those that have begun since come first
        levels = {level for game in all_games().values() for level in bots.choices(game)}
        asking, strong = await self._store.look(partial(matchmaking_rows.opponents, now=time.time(), levels=levels))
        others = Others(_listed(waiting), _listed(playing), minute, tuple(asking), tuple(strong), self.crowd.others())
        if here := self._open():
            own = await self._store.look(partial(rows.own, guests=list(here)))
            changed = {guest for guest, tables in own.items() if self.own.get(guest) != tables}
            self.own.update((guest, own[guest]) for guest in here & self._open())
        else:
            changed = set()
        if others != self.others:
            self.others, self.version = others, self.version + 1
            self.audience.wake(changed)
        else:
            self.audience.wake((), changed)

    def _open(self) -> set[str]:
        """Return the guests with an open page of the lobby, visible or not."""
        return {listener.guest for listener in self.audience.listeners}


def _listed(tables: list[Listing]) -> tuple[Listing, ...]:
    return tuple(Listing(one.table.listed(), one.seats) for one in tables)


def _minute() -> float:
    return time.time() // MINUTE * MINUTE
