"""The open pages of tournaments: which have news, and what was drawn for all of them.

However many pages are open, there is at most one query a second for what has changed; without open pages there are no
queries. A tournament is read and drawn once for all who look at it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import partial

from markupsafe import Markup

from parlour.core.errors import ParlourError
from parlour.house.house import House
from parlour.house.profiles.pages import portraits
from parlour.house.table.live.audience import Audience, Listener
from parlour.house.tournaments import lists, pages, reading
from parlour.house.tournaments.pages import Shown
from parlour.house.tournaments.reading import Known
from parlour.house.tournaments.showing import SHOWN
from parlour.house.tournaments.viewing import view_of

log = logging.getLogger(__name__)
BEAT = 1.0  # seconds between two looks
KEPT = 32  # drawn tournaments


def _drawn(known: Known, pictures: Mapping[str, Markup]) -> Shown:
    return pages.shown(known, view_of(known, pictures))


class Watch:
    """The open pages of tournaments in this process. It looks for changes until the house closes."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._audiences: dict[str, Audience] = {}
        self._seen: dict[str, int] = {}  # how often these had changed at the last look
        self._shown: OrderedDict[str, Shown] = OrderedDict()  # the last asked for at the end
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._wanted = asyncio.Event()
        house.pages.more.append(self.wake)
        house.pages.elsewhere.append(self.looking)
        house.soon(self.run())

    @contextlib.contextmanager
    def listening(
        self, tournament: str, guest: str, hidden: float = 0.0, pulse: str = ""
    ) -> Iterator[tuple[Audience, Listener]]:
        """Register an open page; `hidden` and `pulse` are those of a `Listener`."""
        audience, listener = self._audiences.setdefault(tournament, Audience()), Listener(guest, hidden, pulse)
        audience.add(listener)
        self._wanted.set()
        try:
            yield audience, listener
        finally:
            audience.discard(listener)
            if not audience.listeners:
                self._audiences.pop(tournament, None)
                self._seen.pop(tournament, None)
            if not self._audiences:
                self._wanted.clear()

    async def shown(self, tournament: str) -> Shown:
        """Return a tournament as it is now, drawn for everyone. Raises NotFound, StoreFailed."""
        async with self._only(tournament):  # many pages wake at once: the first reads for all
            found = self._shown.get(tournament)
            if found is not None:
                now = await self._house.store.look(partial(lists.changes, tournaments=[tournament]))
                if now.get(tournament) == found.known.tournament.changes:
                    self._shown.move_to_end(tournament)
                    return found
            known = await reading.read(self._house, tournament)
            pictures = await portraits(self._house, [one.guest_id for one in known.entries[:SHOWN]])
            self._shown[tournament] = made = await asyncio.to_thread(_drawn, known, pictures)
            self._shown.move_to_end(tournament)
            for old in [one for one in self._shown if one not in self._audiences][:-KEPT]:
                del self._shown[old]
            return made

    @contextlib.asynccontextmanager
    async def _only(self, tournament: str) -> AsyncIterator[None]:
        lock = self._locks[tournament]
        try:
            async with lock:
                yield
        finally:
            if not lock.locked():
                self._locks.pop(tournament, None)

    def looking(self, tournament: str) -> frozenset[str]:
        """Return the guests who see the page of a tournament."""
        audience = self._audiences.get(tournament)
        return frozenset() if audience is None else frozenset(audience.looking())

    def wake(self) -> None:
        """Notify all pages: that they have news, or that the house closes."""
        for audience in self._audiences.values():
            audience.wake(())

    async def run(self) -> None:
        """Look for changes while pages are open."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(BEAT)
            try:
                await self.look()
            except ParlourError as error:
                log.warning("The pages of tournaments could not read the database: %s", error)
            except Exception:  # nothing else checks
                log.exception("The pages of tournaments could not read the database. They will try again.")

    async def look(self) -> None:
        """Wake the pages of tournaments that have changed since the last look. Raises StoreFailed."""
        found = await self._house.store.look(partial(lists.changes, tournaments=list(self._audiences)))
        for tournament, audience in list(self._audiences.items()):
            if self._seen.get(tournament) != (number := found.get(tournament, -1)):
                self._seen[tournament] = number
                audience.wake(())
