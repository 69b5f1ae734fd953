"""Presence behind proxies, over two processes: a page whose stream is at one process and whose heartbeats go to the
other. And in the lobby: a guest who waits for others, or is invited, and vanishes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest

from parlour.house.news import pulses
from parlour.house.news.peers import Peers
from tests.house.following import WAIT
from tests.house.news.test_vanished import HONEST, Page, here, seen_to_go
from tests.house.own_redis import OwnRedis, redis_in
from tests.house.people import ME, OPEN, Person, guest_of, two_at_table
from tests.house.serving import Nursery
from tests.house.wire_cutter import Line

SILENT = 6.0  # seconds after which a page counts as vanished


@dataclass
class Two:
    """Two houses. Ann uses both; through a proxy, Bob's stream goes to the first, and his requests to the second."""

    redis: OwnRedis
    anns: list[Person]
    lines: list[Line]
    bobs: list[Person]
    table: str

    async def shown(self) -> list[bool]:
        """Return whether each shows Bob as present."""
        return [await here(ann, self.table) for ann in self.anns]


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    with redis_in(tmp_path) as made:
        yield made


@pytest.fixture
async def two(nursery: Nursery, database: str, own_redis: OwnRedis) -> AsyncIterator[Two]:
    await own_redis.until_there()
    servers = [nursery.start(database=database, redis=own_redis.url, proxies=("127.0.0.1",)) for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack:
        timeout = httpx.Timeout(WAIT, read=None)
        ports = [int(server.url.rpartition(":")[2]) for server in servers]
        lines = [await stack.enter_async_context(Line("127.0.0.1", port)) for port in ports]
        urls = [server.url for server in servers] + [f"http://127.0.0.1:{line.port}" for line in lines]
        people = [await stack.enter_async_context(Person(base_url=url, timeout=timeout)) for url in urls]
        anns, bobs = people[:2], people[2:]
        for one, other in (anns, bobs):
            await one.get("/api/me")
            other.cookies = httpx.Cookies(one.cookies)
        await own_redis.until_heard(by=2)
        yield Two(own_redis, anns, lines, bobs, await two_at_table(anns[0], bobs[0]))
    for server in servers:
        server.kill()


@pytest.mark.service
async def test_what_a_page_says_to_another_process_is_heard_where_it_is_open(two: Two) -> None:
    async with Page(two.bobs[0], two.table, says=two.bobs[1]) as page:
        await asyncio.wait_for(page.asked.wait(), WAIT)
        while page.pulses < 4 and not page.ended:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        assert not page.ended
        while not all(await two.shown()):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        for line in two.lines:
            line.freeze()

        async def somewhere() -> bool:
            return any(await two.shown())

        await seen_to_go(somewhere)
        assert not page.ended  # the page has not noticed yet


@pytest.mark.service
@pytest.mark.whole
async def test_nobody_is_taken_to_have_vanished_while_redis_is_away(two: Two) -> None:
    async with Page(two.bobs[0], two.table, says=two.bobs[1]) as page:
        await asyncio.wait_for(page.asked.wait(), WAIT)
        while page.pulses < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        two.redis.kill()
        end = time.monotonic() + 2 * SILENT
        while time.monotonic() < end:
            assert (await two.shown())[0]
            assert not page.ended
            await asyncio.sleep(0.2)
        two.redis.start()
        await two.redis.until_heard(by=2)
        said = page.pulses
        while page.pulses < said + 4 and not page.ended:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        assert not page.ended


@pytest.mark.service
async def test_no_page_is_missed_before_its_heartbeat_can_have_arrived(
    own_redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each connection a page has the whole time to be heard."""
    monkeypatch.setattr(pulses, "VANISHED", 0.5)
    await own_redis.until_there()
    peers = Peers(own_redis.url, shared=True)
    await peers.open(AsyncMock(), lambda: None)
    heartbeats = pulses.Pulses(peers)
    try:
        for _ in range(2):
            async with asyncio.timeout(WAIT):
                while not peers.connected():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                connected = time.monotonic()
                while not heartbeats.heard():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert time.monotonic() - connected > 0.4
            own_redis.kill()
            async with asyncio.timeout(WAIT):
                while peers.connected():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert not heartbeats.heard()
            own_redis.start()
    finally:
        await peers.close()


@pytest.mark.service
@pytest.mark.whole
async def test_a_name_is_good_at_the_table_whose_page_made_it_up(two: Two) -> None:
    """At no process does the name of a page work at another table, or in the lobby."""
    bob = two.bobs[0]
    other = await bob.make(ME, OPEN)
    async with Page(bob, two.table, says=bob, where=f"/api/tables/{other}/here") as page:
        await asyncio.wait_for(page.asked.wait(), WAIT)
        async with asyncio.timeout(HONEST):
            while not page.ended:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert page.pulses


# In the lobby -------------------------------------------------------------------------------------
LOBBY: dict[str, Any] = {"path": "/api/lobby/events?", "where": "/api/lobby/here"}


@pytest.mark.service
async def test_who_waits_in_the_lobby_and_vanishes_is_waited_for_no_more(nursery: Nursery, tmp_path: Path) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", proxies=("127.0.0.1",))
    async with (
        Line("127.0.0.1", int(server.url.rpartition(":")[2])) as proxy,
        Person(base_url=server.url, timeout=WAIT) as ann,
        Person(base_url=f"http://127.0.0.1:{proxy.port}", timeout=httpx.Timeout(WAIT, read=None)) as bob,
    ):
        await bob.do("lobby/play", game="fortune")

        async def waits() -> bool:
            return "1 person is waiting" in (await ann.get("/")).text

        async with Page(bob, "", **LOBBY) as page:
            await asyncio.wait_for(page.asked.wait(), WAIT)
            while page.pulses < 4 and not page.ended:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            assert not page.ended
            assert await waits()
            proxy.freeze()
            await seen_to_go(waits)
            assert not page.ended
        assert await ann.do("lobby/play", game="fortune") == {"url": None}, "paired with an absent guest"


@pytest.mark.service
@pytest.mark.whole
async def test_who_is_back_at_once_goes_on_waiting(nursery: Nursery, tmp_path: Path) -> None:
    """A page whose heartbeat was late opens another stream, and no page shows a difference."""
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", proxies=("127.0.0.1",))
    async with (
        Person(base_url=server.url, timeout=WAIT) as ann,
        Person(base_url=server.url, timeout=httpx.Timeout(WAIT, read=None)) as bob,
    ):
        await bob.do("lobby/play", game="fortune")
        for _ in range(2):
            async with Page(bob, "", says=None, **LOBBY) as page:
                while not page.ended:
                    assert "1 person is waiting" in (await ann.get("/")).text
                    await asyncio.sleep(0.1)
        async with Page(bob, "", **LOBBY) as page:
            while page.pulses < 3:
                assert "1 person is waiting" in (await ann.get("/")).text
                await asyncio.sleep(0.1)


async def test_in_the_lobby_those_are_asked_to_whom_it_matters(nursery: Nursery, tmp_path: Path) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", proxies=("127.0.0.1",))
    async with (
        Person(base_url=server.url, timeout=WAIT) as ann,
        Person(base_url=server.url, timeout=httpx.Timeout(WAIT, read=None)) as bob,
    ):
        table = await two_at_table(ann, bob)
        for person in (ann, bob):
            await person.do(f"tables/{table}/end")
        async with Page(bob, "", **LOBBY) as page:
            while not page.opened:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            assert not page.asked.is_set()
            await ann.do(f"tables/{table}/rematch")  # invites him
            await asyncio.wait_for(page.asked.wait(), WAIT)
        assert (await guest_of(bob)).id
