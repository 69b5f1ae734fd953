"""Limits the open streams: of a guest, of an address, and in all.

| open pages | |
|---|--:|
| of a guest | 12 |
| at an address | 60 |
| in all | three quarters of the connections |

Without --base-url, the links in a page have the name in the Host header, and pages under different names are drawn
separately. So an address can have pages open under at most four names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import NamedTuple

from parlour.house.errors import TooFast

Stream = AsyncGenerator[bytes, None]
OF_A_GUEST, AT_AN_ADDRESS = 12, 60  # pages that stay open at once
NAMES = 4  # of the house, under which an address has pages open at once
AGAIN = 30  # seconds after which a refused page tries again: another must close first
KIND = "open pages"  # what there are too many of, for the metrics


class Places:
    """The open streams. `limits`: whether they are limited for each guest and each address; the total always is,
    because each stream uses a connection."""

    def __init__(self, most: int, *, limits: bool) -> None:
        self._most, self._limits = most, limits
        self._open: Counter[str] = Counter()
        self._under: dict[str, Counter[str]] = {}  # by address: the names of the house
        self.count = 0

    def admit(self, guest: str, address: str, name: str = "") -> None:
        """Raise TooFast if there is no place for another stream."""
        if self.count >= self._most:
            raise TooFast(
                "This house has reached its limit of open pages. Please try again later.", wait=AGAIN, kind=KIND
            )
        if not self._limits:
            return
        if self._open[guest] >= OF_A_GUEST:
            raise TooFast(
                f"You already have {OF_A_GUEST} pages open, which is the limit. Close one of them.",
                wait=AGAIN,
                kind=KIND,
            )
        if self._open[_at(address)] >= AT_AN_ADDRESS:
            raise TooFast(
                f"Your address already has {AT_AN_ADDRESS} pages open. Everyone who shares it counts towards this "
                "limit.",
                wait=AGAIN,
                kind=KIND,
            )
        under = self._under.get(address, Counter())
        if name not in under and len(under) >= NAMES:
            raise TooFast(
                "Pages at your address use too many names of this house. Close some of them.", wait=AGAIN, kind=KIND
            )

    async def seat(
        self, stream: AsyncGenerator[bytes, None], guest: str, address: str, name: str = ""
    ) -> AsyncGenerator[bytes, None]:
        """Yield from the same stream, counted from its first message to its end. If the last place was taken since
        `admit`, it ends at once."""
        try:
            self.admit(guest, address, name)
        except TooFast:
            await stream.aclose()
            return
        payers = guest, _at(address)
        self._open.update(payers)
        under = self._under.setdefault(address, Counter())
        under[name] += 1
        self.count += 1
        try:
            async with aclosing(stream):
                async for message in stream:
                    yield message
        finally:
            self.count -= 1
            for payer in payers:
                self._open[payer] -= 1
                if not self._open[payer]:
                    del self._open[payer]
            under[name] -= 1
            if not under[name]:
                del under[name]
            if not under:
                self._under.pop(address, None)


class Place(NamedTuple):
    """A place for another stream of a guest; `seat` takes it."""

    places: Places
    guest: str
    address: str
    name: str = ""  # of the house, as the page requested it
    door: Callable[[Stream], Stream] = lambda stream: stream  # which shuts when the guest's session ends

    def seat(self, stream: Stream) -> Stream:
        """Return the stream, counted while it is open."""
        return self.places.seat(self.door(stream), self.guest, self.address, self.name)


def _at(address: str) -> str:
    return f"at {address}"
