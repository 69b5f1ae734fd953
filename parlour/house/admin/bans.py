"""The bans and the moderators' notice. Every request needs them, so they are in memory. Moderators change them through
any process; the others reload them when notified, and at intervals."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network

from parlour.house.accounts.guests import Pass
from parlour.house.admin import rows
from parlour.house.admin.rows import Ban, Notice
from parlour.house.database.store import Store
from parlour.house.news.beats import by_the_clock


class Bans:
    """The bans and the notice. `alone`: whether no other process changes them, or all report it. `changed` is called
    for a new notice or ban."""

    def __init__(self, store: Store, alone: Callable[[], bool], changed: Callable[[], None]) -> None:
        self._store, self._alone, self._changed = store, alone, changed
        self._learning = asyncio.Lock()  # the first query may be answered last, with old data
        self.notice = Notice()
        self._bans: list[Ban] = []
        self._guests: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}  # by version and length of the prefix

    async def learn(self) -> None:
        """Read them. Raises StoreFailed."""
        async with self._learning:
            bans, notice = await self._store.look(partial(rows.order, now=time.time()))
            if (bans, notice) == (self._bans, self.notice):
                return
            self.notice = notice
            self.take(bans)
            self._changed()

    def take(self, bans: list[Ban]) -> None:
        """Use these as the bans in force."""
        self._bans = bans
        self._guests = {one.guest: one for one in bans if one.guest}
        self._networks = {}
        for one in bans:
            if one.network:
                found = ip_network(one.network)
                of_length = self._networks.setdefault((found.version, found.prefixlen), {})
                of_length[int(found.network_address)] = one

    def ban_of(self, guest: str | None, host: str) -> Ban | None:
        """Return the ban of a guest or of their address, while it lasts."""
        found = self._guests.get(guest or "") or (self._of_address(host) if self._networks else None)
        return found if found is not None and (found.until is None or found.until > time.time()) else None

    def bars(self, one: Pass, host: str) -> bool:
        """Return whether a ban ends this person's stream to that address."""
        return self.ban_of(one.guest, host) is not None

    def _of_address(self, host: str) -> Ban | None:
        try:
            address = ip_address(host.partition("%")[0])
        except ValueError:
            return None
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        number, now = int(address), time.time()
        for (version, length), bans in self._networks.items():
            if version == address.version:
                rest = address.max_prefixlen - length
                found = bans.get(number >> rest << rest)
                if found is not None and (found.until is None or found.until > now):
                    return found
        return None

    async def run(self) -> None:
        """Check at intervals until cancelled."""
        await by_the_clock(self.learn, self._alone)
