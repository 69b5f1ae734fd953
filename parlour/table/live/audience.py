"""The pages that are open at a table: who looks, how they are told that there is something new, and
what was drawn for them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Hashable
from itertools import islice
from math import inf
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
KEPT = 12_000  # bytes that are kept for all pages of one view, about
PORTION = 20  # pages that are woken in one turn of the event loop
PULSE, VANISHED = 3.0, 6.0  # seconds between two words of a page that it is there; without one for which it is not
GONE = 120.0  # seconds after which a page that is hidden means that nobody is here


class Remote(NamedTuple):
    """Who looks at the table through another process, and when it said so (seconds of the monotonic
    clock)."""

    guests: frozenset[str]
    time: float


class Kept:
    """What was made for the pages that see the same, the last used longest, within a number of
    bytes; but of each kind (the first word of its key) always the last, however large, and for a
    lone page nothing else: no other gets there later.

    Each view has its own: what one viewer is sent must not push out what another is sent next,
    since a message that had to be made whole again could be told from its length (FT-26).
    """

    def __init__(self, common: dict[str, Any] | None = None) -> None:
        """`common`: what was made last of a kind, for pages of whatever view, where others may take parts of it."""
        self.pages = 0  # that look so now
        self.common = {} if common is None else common
        self._made: OrderedDict[tuple[Any, ...], tuple[Any, int]] = OrderedDict()
        self._size = 0

    def get(self, key: tuple[Any, ...], make: Callable[[], T], size: Callable[[T], int]) -> T:
        """What `make` makes for `key`, made once while it is kept. `size`: its bytes."""
        if key in self._made:
            self._made.move_to_end(key)
        else:
            made = make()  # which may keep other things
            self._made[key] = made, size(made)
            self._size += self._made[key][1]
            while self._size > (KEPT if self.pages > 1 else 0) and (old := self._too_old()) is not None:
                self._size -= self._made.pop(old)[1]
        found: T = self._made[key][0]
        return found

    def _too_old(self) -> tuple[Any, ...] | None:
        """What is to go first, None if all is needed."""
        many = Counter(key[0] for key in self._made)
        return next((key for key in self._made if many[key[0]] > 1), None)


class Listener:
    """One open page. Two notices count as one: the page then takes whatever is newest. `hidden`: for how many seconds
    it was behind others, or put away, when it opened its stream (0: it is seen); it opens another when that changes.
    `pulse`: the name under which it says that it is still there, "" if it cannot; it is asked to only where the house
    would not notice that it is not."""

    def __init__(self, guest: str, hidden: float = 0.0, pulse: str = "") -> None:
        self.guest, self.seen, self.here, self.pulse = guest, hidden <= 0, hidden < GONE, pulse
        self.lost = inf  # the moment of the loop's clock at which it is taken to have vanished
        self.news = asyncio.Event()
        self.view: Hashable = None

    def beat(self) -> None:
        """It says that it is there, or is asked to from now on."""
        self.lost = asyncio.get_running_loop().time() + VANISHED

    async def wait(self, until: float) -> bool:
        """Wait for news until this moment of the loop's clock; return whether there is any."""
        try:
            async with asyncio.timeout_at(until):
                await self.news.wait()
        except TimeoutError:
            pass
        return self.news.is_set()


class Audience:
    """The open pages of one table. Many may look: whatever is done for all of them is done in
    portions, between which others have their turn."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.remotes: dict[str, Remote] = {}
        # Players who are present, how many others, and players who have been away for long.
        self.noticed: tuple[frozenset[str], int, frozenset[str]] = frozenset(), 0, frozenset()
        self._announced = self.noticed
        self.telling: asyncio.TimerHandle | None = None  # when others will be told who is there
        self.seen: dict[str, float] = {}  # when players who are not here were (seconds of the monotonic clock)
        self._born = time.monotonic()
        self._here: Counter[str] = Counter()
        self._views: dict[Hashable, Kept] = {}
        self._common: dict[str, Any] = {}
        self._first: dict[Listener, None] = {}  # players who are to be woken, one in a turn of the event loop
        self._waiting: dict[Listener, None] = {}  # all others
        self._waking: asyncio.Handle | None = None

    def add(self, listener: Listener) -> None:
        """A page is opened."""
        self.listeners.add(listener)
        if listener.here:
            self._here[listener.guest] += 1

    def discard(self, listener: Listener) -> None:
        """A page is closed."""
        self.listeners.discard(listener)
        self._first.pop(listener, None)
        self._waiting.pop(listener, None)
        if listener.here:
            self._here[listener.guest] -= 1
            if not self._here[listener.guest]:
                del self._here[listener.guest]
                self.seen[listener.guest] = time.monotonic()
        self._leave(listener)

    # What they see -----------------------------------------------------------------------------
    def look(self, listener: Listener, view: Hashable) -> Kept:
        """The page now sees `view`; return what is kept for all who do. It is let go with the
        last of them."""
        if listener.view != view or view not in self._views:
            self._leave(listener)
            listener.view = view
            self._views.setdefault(view, Kept(self._common)).pages += 1
        return self._views[view]

    def _leave(self, listener: Listener) -> None:
        if (kept := self._views.get(listener.view)) is not None:
            kept.pages -= 1
            if not kept.pages:
                del self._views[listener.view]
        listener.view = None

    # Who is there ------------------------------------------------------------------------------
    def present(self) -> Counter[str]:
        """Guests who have the page open, and how often; not those who have hidden it for long."""
        here = Counter(self._here)
        for remote in self.remotes.values():
            here.update(remote.guests)
        return here

    def looking(self) -> set[str]:
        """Guests who see the page, as far as this process knows."""
        return {listener.guest for listener in self.listeners if listener.seen}

    def away(self, guest: str) -> float:
        """For how many seconds a guest has not been here, as far as this process knows; 0 for who is."""
        return 0.0 if self.present()[guest] else time.monotonic() - self.seen.get(guest, self._born)

    def hear(self, sender: str, guests: Collection[str], *, now: float) -> None:
        """Another process tells who looks through it. Whoever no longer does was here until now."""
        before = self.remotes.get(sender)
        for guest in () if before is None else before.guests.difference(guests):
            self.seen[guest] = now
        self.remotes[sender] = Remote(frozenset(guests), now)

    def lose(self, before: float) -> None:
        """Processes that have told nothing since are not there any more, nor who looked through them."""
        for sender in [sender for sender, remote in self.remotes.items() if remote.time < before]:
            remote = self.remotes.pop(sender)
            self.seen.update(dict.fromkeys(remote.guests, remote.time))

    def notice(self, players: Collection[str], missing: Collection[str] = ()) -> None:
        """Look who is there, and who of the players has been away for long."""
        here = self.present()
        playing = frozenset(player for player in players if here[player])
        self.seen = {guest: when for guest, when in self.seen.items() if guest in players}
        self.noticed = playing, len(here) - len(playing), frozenset(missing)

    def announce(self) -> bool:
        """Whether who is there is news; it is none from now on."""
        before, self._announced = self._announced, self.noticed
        return before != self.noticed

    # News --------------------------------------------------------------------------------------
    def wake(self, players: Collection[str], whom: Collection[str] | None = None) -> None:
        """Tell every page, or those of some guests, that there is something new: one after another
        those of the players, for whom each has to be drawn by itself, then the others in portions."""
        for listener in self.listeners:
            if whom is None or listener.guest in whom:
                (self._first if listener.guest in players else self._waiting)[listener] = None
        if self._waking is None:
            self._wake()

    def _wake(self) -> None:
        some = [*self._first][:1] or [*islice(self._waiting, PORTION)]
        for listener in some:
            self._first.pop(listener, None)
            self._waiting.pop(listener, None)
            listener.news.set()
        # The event loop looks at all connections before its next turn.
        more = self._first or self._waiting
        self._waking = asyncio.get_running_loop().call_soon(self._wake) if more else None
