"""Who has muted and blocked whom, for everyone who is looking: cached, and read again after a change.

Hidden messages are part of a guest's view of a table, on all their pages at once. Other processes are notified through
Redis; each also checks the database at intervals, as `doors` does.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import NamedTuple

from parlour.house.database.store import Store
from parlour.house.errors import StoreFailed
from parlour.house.news.beats import by_the_clock
from parlour.house.social import rows
from parlour.house.social.rows import Regard

# Seconds for which data is trusted that another process may have changed; and while they report changes.
FRESH, TOLD = 3.0, 300.0
REMEMBERED = 10_000  # guests


class _Known(NamedTuple):
    regard: Regard
    asked: float


class Regards:
    """The marks of each guest. `alone`: whether no other process changes them, or all report it. `here`: who looks at
    anything in this process. `wake` refreshes some guests' pages."""

    def __init__(
        self, store: Store, alone: Callable[[], bool], here: Callable[[], Collection[str]],
        wake: Callable[[Collection[str]], None],
    ) -> None:  # fmt: skip
        self._store, self._alone, self._here, self._wake = store, alone, here, wake
        self._known: OrderedDict[str, _Known] = OrderedDict()

    async def of(self, guest: str) -> Regard:
        """Return how a guest stands to others."""
        known = self._known.get(guest)
        if known is not None and time.monotonic() - known.asked < (TOLD if self._alone() else FRESH):
            return known.regard
        try:
            found = await self._store.ask(partial(rows.regards, guests=[guest]))
        except StoreFailed:
            if known is None:
                raise
            return known.regard  # a page that is open stays open while the database is away
        if self._known.get(guest) is known:  # otherwise it changed meanwhile
            self._remember(guest, found[guest])
        return found[guest]

    def forget(self, guests: Iterable[str]) -> None:
        """Refresh these guests' pages after a change between them."""
        some = [*guests]
        for guest in some:
            self._known.pop(guest, None)
        self._wake(some)

    async def look(self) -> None:
        """Refresh the pages of guests whose marks changed elsewhere. Raises StoreFailed."""
        here = [guest for guest in self._here() if guest in self._known]
        if not here:
            return
        found = await self._store.ask(partial(rows.regards, guests=here))
        known = {guest: self._known[guest].regard for guest in here if guest in self._known}
        changed = [guest for guest, regard in known.items() if regard != found[guest]]
        for guest in known.keys() - set(changed):
            self._remember(guest, found[guest])
        if changed:
            self.forget(changed)

    async def run(self) -> None:
        """Check at intervals until cancelled."""
        await by_the_clock(self.look, self._alone)

    def _remember(self, guest: str, regard: Regard) -> None:
        self._known[guest] = _Known(regard, time.monotonic())
        self._known.move_to_end(guest)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
