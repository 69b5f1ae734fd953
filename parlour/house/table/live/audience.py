"""The open pages of a table: who is looking, how they are notified of news, and what was drawn for them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
Key = tuple[Hashable, ...]  # of a cached thing: its kind, and what it depends on
KEPT = 12_000  # bytes cached for all pages of one view, about
PORTION = 20  # pages that are notified in one turn of the event loop
PULSE, VANISHED = 3.0, 6.0  # seconds between a page's heartbeats, and after which a page without one is gone
GONE = 120.0  # seconds after which a hidden page counts as away


@dataclass(slots=True)
class Asked:
    """The times of the last request about a table, by anyone and by a player (seconds of the monotonic
    clock). `table.live.looking` reads it."""

    anybody: float = -inf
    player: float = -inf


class Remote(NamedTuple):
    """The guests looking through another process, and when it reported them (seconds of the monotonic clock)."""

    guests: frozenset[str]
    time: float


class Kept:
    """A cache of what was made for the pages that see the same. It drops the least recently used beyond a number of
    bytes, but always keeps the last of each kind (the first word of its key), however large. For a single page it keeps
    nothing else, because no other page will need it.

    Each view has its own cache: what one viewer gets must not displace what another gets next. Otherwise a message
    would have to be made whole again, and its length could give away a secret question.
    """

    def __init__(self, common: dict[str, object] | None = None) -> None:
        """Start empty. `common`: the last thing made of each kind, for any view, of which others may reuse parts."""
        self.pages = 0  # with this view now
        self.common = {} if common is None else common
        self._made: OrderedDict[Key, tuple[Any, int]] = OrderedDict()
        self._size = 0

    def get(self, key: Key, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """Return what `make` makes for `key`; call it only if that is not cached. `size` returns its bytes."""
        if key in self._made:
            self._made.move_to_end(key)
        else:
            made = make()  # which may cache other things
            self._made[key] = made, size(made)
            self._size += self._made[key][1]
            while self._size > (KEPT if self.pages > 1 else 0) and (old := self._too_old()) is not None:
                self._size -= self._made.pop(old)[1]
        found: T = self._made[key][0]
        return found

    def _too_old(self) -> Key | None:
        """Return the key to drop first, None if all are needed."""
        many = Counter(key[0] for key in self._made)
        return next((key for key in self._made if many[key[0]] > 1), None)


class Listener:
    """One open page. Two notices count as one, because the page then takes the newest state. `hidden`: for how many
    seconds it had been hidden when it opened its stream (0: it is visible); it opens another when that changes.
    `pulse`: the name for its heartbeats, "" if it can't send any; it is asked for them only if the house would not
    notice otherwise that it has gone."""

    def __init__(self, guest: str, hidden: float = 0.0, pulse: str = "") -> None:
        self.guest, self.seen, self.here, self.pulse = guest, hidden <= 0, hidden < GONE, pulse
        self.lost = inf  # the time on the loop's clock at which it counts as gone
        self.news = asyncio.Event()
        self.view: Hashable = None

    def beat(self) -> None:
        """Note a heartbeat, or begin to expect them."""
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
    """The open pages of one table. As there may be many, work for all of them is done in portions, and other work runs
    in between."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.asked = Asked()
        self.remotes: dict[str, Remote] = {}
        # Players who are present, how many others, and players who have been away for long.
        self.noticed: tuple[frozenset[str], int, frozenset[str]] = frozenset(), 0, frozenset()
        self._changed = False  # since it was last announced; what has changed back was shown meanwhile
        self.telling: asyncio.TimerHandle | None = None  # when the others' pages will show who is here
        self.seen: dict[str, float] = {}  # when absent players were last here (seconds of the monotonic clock)
        self._born = time.monotonic()
        self._here: Counter[str] = Counter()
        self._views: dict[Hashable, Kept] = {}
        self._common: dict[str, object] = {}
        self._first: dict[Listener, None] = {}  # players to notify, one in each turn of the event loop
        self._waiting: dict[Listener, None] = {}  # all others
        self._waking: asyncio.Handle | None = None

    def add(self, listener: Listener) -> None:
        """Note that a page was opened."""
        self.listeners.add(listener)
        if listener.here:
            self._here[listener.guest] += 1

    def discard(self, listener: Listener) -> None:
        """Note that a page was closed."""
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
        """Note that the page now sees `view`; return the cache of all pages that do. It is dropped with the last of
        them."""
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
        """Count the guests' open pages, without those that have been hidden for long."""
        here = Counter(self._here)
        for remote in self.remotes.values():
            here.update(remote.guests)
        return here

    def looking(self) -> set[str]:
        """Return the guests who see the page, as far as this process knows."""
        return {listener.guest for listener in self.listeners if listener.seen}

    def away(self, guest: str) -> float:
        """Return for how many seconds a guest has been away, as far as this process knows; 0 if they are here."""
        return 0.0 if self.present()[guest] else time.monotonic() - self.seen.get(guest, self._born)

    def hear(self, sender: str, guests: Collection[str], *, now: float) -> None:
        """Note who is looking through another process. Guests who have stopped were here until now."""
        before = self.remotes.get(sender)
        for guest in () if before is None else before.guests.difference(guests):
            self.seen[guest] = now
        self.remotes[sender] = Remote(frozenset(guests), now)

    def lose(self, before: float) -> None:
        """Forget processes that have sent nothing since, and the guests who were looking through them."""
        for sender in [sender for sender, remote in self.remotes.items() if remote.time < before]:
            remote = self.remotes.pop(sender)
            self.seen.update(dict.fromkeys(remote.guests, remote.time))

    def notice(self, players: Collection[str], missing: Collection[str] = ()) -> None:
        """Note who is present, and which players have been away for long."""
        here = self.present()
        playing = frozenset(player for player in players if here[player])
        self.seen = {guest: when for guest, when in self.seen.items() if guest in players}
        before, self.noticed = self.noticed, (playing, len(here) - len(playing), frozenset(missing))
        self._changed |= before != self.noticed

    def announce(self) -> bool:
        """Return whether the people present have changed since the last call, even if it is as it was by now: a page
        that was opened meanwhile shows what was true then."""
        changed, self._changed = self._changed, False
        return changed

    # News --------------------------------------------------------------------------------------
    def wake(self, players: Collection[str], whom: Collection[str] | None = None) -> None:
        """Notify every page, or those of some guests, that something is new: the players' pages one after another,
        because each needs its own drawing, then the others in portions."""
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
