"""Open pages in a simulated week (`tests.house.week`), whose networks fail and recover: afterwards each shows the same
as a newly opened page, and the house knows the same viewers as the test."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import httpx

from tests.house.people import Person
from tests.house.watching import PATIENCE, Watching
from tests.house.week_house import Host
from tests.house.wire_cutter import Line

NETWORKS = 6
BACK = (5.0, 60.0, 1200.0, 6 * 3600.0)  # seconds for which a network is down
HIDDEN = 5  # seconds for which a page behind another has been out of sight


@dataclass
class Page:
    """A person's open page."""

    who: int
    table: str
    network: int
    page: Watching
    on: bool = True  # whether it is followed


@dataclass
class Network:
    """The connection of some pages to the house; `back`: when it will work again, 0 while it works."""

    line: Line
    back: float = 0.0


@dataclass
class Pages:
    """All open pages."""

    host: Host
    choice: random.Random
    stack: AsyncExitStack
    networks: list[Network] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    clients: dict[tuple[int, int], Person] = field(default_factory=dict)
    opened: int = 0
    cut: int = 0
    resumed: int = 0
    tried: int = 0  # of their streams, those that had to be opened once more

    async def lay(self) -> None:
        """Set up the networks."""
        for _ in range(NETWORKS):
            line = await self.stack.enter_async_context(Line("127.0.0.1", self.host.port))
            self.networks.append(Network(line))

    def looks(self) -> set[tuple[int, str]]:
        """Return which people see which tables' pages."""
        return {(one.who, one.table) for one in self.pages if one.on and not one.page.hidden}

    async def known(self, ids: list[str]) -> None:
        """Wait until the house knows who is looking, which takes a moment. `ids`: of the people."""
        wanted = sorted({(ids[who], table) for who, table in self.looks()})
        async with asyncio.timeout(PATIENCE):
            while sorted({(guest, table) for guest, table in await self.host.ask("looks")}) != wanted:
                for one in self.pages:
                    if one.on:
                        one.page.keep_on()
                await asyncio.sleep(0.005)

    async def open(self, who: int, person: Person, table: str) -> None:
        """Open a page for a person, who may put it behind others."""
        up = [i for i, network in enumerate(self.networks) if not network.back]
        if not up or any((one.who, one.table) == (who, table) for one in self.pages):
            return
        i = self.choice.choice(up)
        if (who, i) not in self.clients:
            url = f"http://127.0.0.1:{self.networks[i].line.port}"
            timeout = httpx.Timeout(PATIENCE, read=None)
            made = Person(base_url=url, cookies=httpx.Cookies(person.cookies), timeout=timeout)
            self.clients[who, i] = await self.stack.enter_async_context(made)
        page = Watching(self.clients[who, i], table)
        page.hidden = HIDDEN if self.choice.random() < 0.2 else 0
        await page.open()
        self.pages.append(Page(who, table, i, page))
        self.opened += 1

    async def close(self, who: int, share: float) -> None:
        """Close this share of the pages that a returned person had left open."""
        for one in [one for one in self.pages if one.who == who and self.choice.random() < share]:
            await one.page.close()
            self.pages.remove(one)

    async def cut_off(self, now: float) -> None:
        """Cut a network for a while."""
        network = self.choice.choice(self.networks)
        if network.back:
            return
        network.back = now + self.choice.choice(BACK)
        network.line.cut()
        for one in self.pages:
            if self.networks[one.network] is network and one.on:
                await one.page.ended()
                one.on = False
                self.cut += 1

    async def come_back(self, now: float) -> None:
        """Restore the networks whose time has come; their pages continue where they were."""
        for network in self.networks:
            if 0 < network.back <= now:
                network.back = 0.0
                network.line.mend()
        await self._follow()

    async def house_is_back(self) -> None:
        """Wait after a restart until all pages have noticed it, and continue where they can."""
        for one in self.pages:
            if one.on:
                await one.page.ended()
                one.on = False
        await self._follow()

    async def _follow(self) -> None:
        off = [one for one in self.pages if not one.on and not self.networks[one.network].back]
        for one in off:
            one.page.follow()
            one.on = True
        for one in off:
            before = one.page.again
            await one.page.becomes_fresh()
            self.resumed += 1
            self.tried += one.page.again - before

    async def end(self) -> None:
        """Close all pages."""
        for one in self.pages:
            await one.page.close()
        self.pages.clear()
