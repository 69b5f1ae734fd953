"""Turns: who thinks next, where fewer can think at once than want to.

Guests take turns, however many tables each of them has. With N places, and G guests for whom
something is to be worked out, at most G - 1 other decisions begin before that of a guest who waits
for one: it begins after at most G / N times as long as one takes, rounded up, and one more for
those under way. A guest with k tables at which bots are to move waits for the last of them k times
as long, and nobody else does.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class _Ticket:
    granted: asyncio.Future[None]
    urgent: Callable[[], bool]


class Turns:
    """A queue for `places`, in which guests take turns. First come those for whom somebody waits
    just now, then the others."""

    def __init__(self, places: int) -> None:
        self.taken = 0
        self._places = places
        self._tickets: OrderedDict[str, deque[_Ticket]] = OrderedDict()  # by guest; who was served last is last

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(map(len, self._tickets.values()))

    @asynccontextmanager
    async def take(self, guest: str, urgent: Callable[[], bool] = lambda: True) -> AsyncIterator[None]:
        """A turn for this guest. `urgent` says, when a place is free, whether somebody waits for
        what is to be done; whatever is not urgent comes after everything that is."""
        await self._granted(guest, urgent)
        try:
            yield
        finally:
            self.taken -= 1
            self._grant()

    async def _granted(self, guest: str, urgent: Callable[[], bool]) -> None:
        ticket = _Ticket(asyncio.get_running_loop().create_future(), urgent)
        self._tickets.setdefault(guest, deque()).append(ticket)
        self._grant()
        try:
            await ticket.granted
        except asyncio.CancelledError:
            if ticket.granted.cancelled():
                self._drop(guest, ticket)
            else:  # granted at the very moment at which nobody wanted it any more
                self.taken -= 1
                self._grant()
            raise

    def _grant(self) -> None:
        while self.taken < self._places and self._tickets:
            guest, ticket = self._next()
            self._drop(guest, ticket)
            if guest in self._tickets:
                self._tickets.move_to_end(guest)
            if not ticket.granted.done():
                self.taken += 1
                ticket.granted.set_result(None)

    def _next(self) -> tuple[str, _Ticket]:
        """The oldest ticket of the guest served longest ago; of those that are urgent, if any is."""
        for guest, tickets in self._tickets.items():
            for ticket in tickets:
                if ticket.urgent():
                    return guest, ticket
        guest, tickets = next(iter(self._tickets.items()))
        return guest, tickets[0]

    def _drop(self, guest: str, ticket: _Ticket) -> None:
        tickets = self._tickets.get(guest, deque())
        if ticket in tickets:
            tickets.remove(ticket)
        if not tickets:
            self._tickets.pop(guest, None)
