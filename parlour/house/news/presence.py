"""Who is present at the tables: the pages open here, what they are sent about it, and the reports of other
processes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from parlour.house.lobby.crowd import PLACES, Crowd
from parlour.house.news.peers import Peers
from parlour.house.news.pulses import Pulses
from parlour.house.table.live import looking
from parlour.house.table.live.audience import Listener
from parlour.house.table.live.table import Table

if TYPE_CHECKING:
    from parlour.house.news.fanout import News

SEEN_AFTER = 0.7  # seconds until arrivals are reported together
LEFT_AFTER = 3.0  # the same for departures: a reload is not one
EVERY, LASTS = 3.0, 8.0  # seconds between two reports to the other processes, and for which one counts


class Presence:
    """The people at this process's `tables`."""

    def __init__(self, tables: Mapping[str, Table], crowd: Crowd, pulses: Pulses, peers: Peers) -> None:
        self._tables, self._crowd, self._pulses, self._peers = tables, crowd, pulses, peers
        self._closing = False

    def close(self) -> None:
        """Stop reporting, because the house closes."""
        self._closing = True

    @contextlib.contextmanager
    def listening(self, table: Table, guest: str, hidden: float = 0.0, pulse: str = "") -> Iterator[Listener]:
        """Register a page open at the table; `hidden` and `pulse` are those of a `Listener`."""
        listener = Listener(guest, hidden, pulse)
        table.audience.add(listener)
        self._pulses.add(listener, table.id)
        if guest in table.players():
            notice(table)  # for their own page; the others get it soon
        self._soon_tell(table, SEEN_AFTER)
        try:
            yield listener
        finally:
            table.audience.discard(listener)
            self._soon_tell(table, LEFT_AFTER)

    def tell(self, table: Table) -> None:
        """Report who is present, if that changed."""
        table.audience.telling = None
        if self._closing:
            return
        tell_pages(table)
        if (soon := looking.next_absent(table)) is not None:
            self._soon_tell(table, soon)
        self._peers.tell(table.id, list({one.guest for one in table.audience.listeners if one.here}))

    def hear(self, news: News) -> None:
        """Note who looks at a table, or is in the house, through another process."""
        if news.guests is not None and news.table in PLACES:
            self._crowd.hear(news.sender, news.table, news.guests)
        elif news.guests is not None and (table := self._tables.get(news.table)) is not None:
            table.audience.hear(news.sender, news.guests, now=time.monotonic())
            tell_pages(table)

    async def repeat(self) -> None:
        """Repeat the report to other processes until the house closes: they drop what they have not heard for long."""
        while True:
            await asyncio.sleep(EVERY)
            for place, marks in self._crowd.here().items():
                self._peers.tell(place, marks)
            for table in list(self._tables.values()):
                if self._peers.connected():  # otherwise the last report still counts
                    table.audience.lose(time.monotonic() - LASTS)
                if table.audience.listeners:
                    self.tell(table)

    def _soon_tell(self, table: Table, seconds: float) -> None:
        """Report who is present, once for all who come and go until then."""
        loop, audience = asyncio.get_running_loop(), table.audience
        if audience.telling is not None and audience.telling.when() <= loop.time() + seconds:
            return
        if audience.telling is not None:
            audience.telling.cancel()
        audience.telling = None if self._closing else loop.call_later(seconds, self.tell, table)


def notice(table: Table) -> None:
    """Note who is present at a table, and which players have been away for long."""
    missing = {table.seats[seat].guest_id for seat in looking.missing(table)}
    table.audience.notice(table.players(), missing)


def tell_pages(table: Table) -> None:
    """Notify a table's open pages here if the people present have changed."""
    notice(table)
    if table.audience.announce():
        table.wake()
