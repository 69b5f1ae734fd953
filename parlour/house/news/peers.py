"""The other processes of a house, if it has any, behind one face, whether they report through Redis or not."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.house.news.fanout import Fanout, News


class Peers:
    """Reports to the other processes, and knows whether they report here.

    `redis` is the address through which all report, None if they do not. `shared` says whether other processes may use
    the same database.
    """

    def __init__(self, redis: str | None, *, shared: bool) -> None:
        self.shared = shared
        self._address = redis
        self._fanout: Fanout | None = None

    async def open(self, heard: Callable[[News], Awaitable[None]], missed: Callable[[], None]) -> None:
        """Connect to Redis, if it is used; see `Fanout`. Raises DatabaseUnreachable."""
        if self._address:
            from parlour.house.news.fanout import Fanout  # a house without Redis need not load its client

            fanout = Fanout(self._address, heard, missed)
            try:
                await fanout.open()
            except BaseException:
                await fanout.close()
                raise
            self._fanout = fanout

    async def close(self) -> None:
        """Disconnect from Redis."""
        if self._fanout is not None:
            await self._fanout.close()

    @property
    def use_redis(self) -> bool:
        """Return whether this house has a Redis, connected or not."""
        return bool(self._address)

    def connected(self) -> bool:
        """Return whether the other processes report their changes here, and this process to them."""
        return self._fanout is not None and self._fanout.connected

    def connected_for(self) -> float:
        """Return for how many seconds it has been connected, 0 if it is not."""
        return time.monotonic() - self._fanout.since if self._fanout is not None and self._fanout.connected else 0.0

    def all_known(self) -> bool:
        """Return whether this process learns of every change to the database: there are no others, or all report."""
        return not self.shared or self.connected()

    def tell(self, table_id: str, guests: list[str] | None = None) -> None:
        """Report that a table has news, or with `guests` who looks at it here."""
        if self._fanout is not None:
            self._fanout.tell(table_id, guests)

    def tell_name(self, guest: str) -> None:
        """Report a guest's new name."""
        if self._fanout is not None:
            self._fanout.tell_name(guest)

    def tell_pulse(self, pulse: str, table: str) -> None:
        """Pass on a heartbeat of a page that may be open at another process; `table` is "" in the lobby."""
        if self._fanout is not None:
            self._fanout.tell_pulse(pulse, table)

    def tell_all(self) -> None:
        """Report news of the whole house, for which all processes check again."""
        if self._fanout is not None:
            self._fanout.tell_all()

    async def add_up(self, spent: dict[str, float]) -> list[float]:
        """Return how long buckets take to fill, over all processes; nothing while Redis is unavailable. See
        `Fanout.add_up`."""
        return [] if self._fanout is None else await self._fanout.add_up(spent)
