"""Turns: whose bot thinks next, when more want to think than there are places.

Addresses take turns, and at each address its guests do, however many tables each of them has; hundreds of guests made
up at one address share its turns. Say that there are N places, that guests of A addresses wait for work, and that G of
them are at your address. Then at most A * G - 1 other decisions begin before yours: it begins after at most A * G / N
times the length of one, rounded up, and one more for those in progress. If bots are to move at k of your tables, you
wait k times as long for the last of them, and guests at other addresses wait no longer.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple


class Payer(NamedTuple):
    """Whose turn a piece of work takes: a guest's, at the address that they came from ("" if unknown)."""

    address: str
    guest: str


@dataclass(eq=False, slots=True)
class _Ticket:
    payer: Payer
    granted: asyncio.Future[None]
    urgent: Callable[[], bool]


class Turns:
    """A queue for `places`, in which addresses take turns, and so do the guests at each address. Work that a person is
    waiting for comes first."""

    def __init__(self, places: int) -> None:
        self.taken = 0
        self._places = places
        # By address and guest; in each, the one served last is last.
        self._tickets: OrderedDict[str, OrderedDict[str, deque[_Ticket]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """Return how many wait for their turn."""
        return sum(len(tickets) for guests in self._tickets.values() for tickets in guests.values())

    @asynccontextmanager
    async def take(self, payer: Payer, urgent: Callable[[], bool] = lambda: True) -> AsyncIterator[None]:
        """Wait for a turn of this guest's. When a place is free, `urgent` says whether a person is waiting for the
        work; all other work comes later."""
        await self._granted(_Ticket(payer, asyncio.get_running_loop().create_future(), urgent))
        try:
            yield
        finally:
            self.taken -= 1
            self._grant()

    async def _granted(self, ticket: _Ticket) -> None:
        address, guest = ticket.payer
        self._tickets.setdefault(address, OrderedDict()).setdefault(guest, deque()).append(ticket)
        self._grant()
        try:
            await ticket.granted
        except asyncio.CancelledError:
            if ticket.granted.cancelled():
                self._drop(ticket)
            else:  # granted at the very moment when it was no longer wanted
                self.taken -= 1
                self._grant()
            raise

    def _grant(self) -> None:
        while self.taken < self._places and self._tickets:
            ticket = self._next()
            self._drop(ticket)
            address, guest = ticket.payer
            if address in self._tickets:
                self._tickets.move_to_end(address)
                if guest in self._tickets[address]:
                    self._tickets[address].move_to_end(guest)
            if not ticket.granted.done():
                self.taken += 1
                ticket.granted.set_result(None)

    def _next(self) -> _Ticket:
        """Return the oldest ticket of the guest served longest ago, at the address served longest ago; of the urgent
        ones, if there are any."""
        all_of_them = (one for guests in self._tickets.values() for tickets in guests.values() for one in tickets)
        first = next(all_of_them)
        return first if first.urgent() else next((one for one in all_of_them if one.urgent()), first)

    def _drop(self, ticket: _Ticket) -> None:
        address, guest = ticket.payer
        guests = self._tickets.get(address, OrderedDict[str, deque[_Ticket]]())
        tickets = guests.get(guest, deque())
        if ticket in tickets:
            tickets.remove(ticket)
        if not tickets:
            guests.pop(guest, None)
        if not guests:
            self._tickets.pop(address, None)
