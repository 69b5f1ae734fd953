"""Bans and the notice to everyone over two processes, with Redis and while it is down."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import pytest

from parlour.house.admin import rows as admin_rows
from parlour.house.database.store import Store
from tests.house.following import WAIT
from tests.house.moderators import does
from tests.house.own_redis import OwnRedis, redis_in
from tests.house.people import ME, OPEN, Person
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.service
TOLD = 2.0  # seconds within which the other process knows, by Redis
LOOKED = 6.0  # while Redis is down: until a process notices and reads the database
BUSY = 6.0  # more on a busy machine


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    with redis_in(tmp_path) as made:
        yield made


@dataclass
class Page:
    """A stream, read in the background."""

    person: Person
    path: str
    text: str = ""
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(httpx.HTTPError):
            async with self.person.stream("GET", self.path) as answer:
                async for line in answer.aiter_lines():
                    self.text += line + "\n"
                    self.opened.set()
                    self.news.set()

    async def has(self, text: str) -> None:
        async with asyncio.timeout(WAIT):
            while text not in self.text:
                self.news.clear()
                await self.news.wait()

    async def close(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


@dataclass
class Two:
    """Two processes, a moderator at the first, and people at both, all at one table."""

    servers: list[Server]
    moderator: Person
    ann: Person  # at the first
    bob: Person  # at the second
    bob_too: Person  # Bob, at the first
    table: str


@pytest.fixture
async def two(nursery: Nursery, database: str, own_redis: OwnRedis) -> AsyncIterator[Two]:
    await own_redis.until_there()
    servers = [nursery.start(database=database, redis=own_redis.url) for _ in range(2)]
    store = Store(database)
    await store.open()
    key = await store.do(partial(admin_rows.make_key, now=time.time()))
    await store.close()
    async with contextlib.AsyncExitStack() as stack:
        moderator, ann, bob, bob_too = [
            await stack.enter_async_context(Person(base_url=servers[number].url, timeout=WAIT))
            for number in (0, 0, 1, 0)
        ]
        assert (await moderator.post(f"/house/enter/{key}", json={})).is_success
        await ann.do("me", name="Ann")
        await bob.do("me", name="Bob")
        bob_too.cookies = httpx.Cookies(bob.cookies)
        table = await ann.make(ME, OPEN, OPEN)
        await bob.do(f"tables/{table}/sit")
        yield Two(servers, moderator, ann, bob, bob_too, table)
    for server in servers:
        server.kill()


async def a_ban(two: Two, within: float) -> None:
    """Ban Bob at the first process: in this time his pages at both end, and he can change nothing at either. After the
    ban is lifted he can, in the same time."""
    bob = (await two.bob.get("/api/me")).json()["id"]
    paths = (f"/api/tables/{two.table}/events", "/api/lobby/events")
    pages = [Page(person, path) for person in (two.bob, two.bob_too) for path in paths]
    others = Page(two.ann, paths[0])
    await asyncio.gather(*(page.opened.wait() for page in (*pages, others)))
    began = time.monotonic()
    await does(two.moderator, "ban", guest=bob, length="hour")
    answers = [await two.bob_too.post("/api/me", json={"name": "Bart"})]  # at the moderator's process, at once
    async with asyncio.timeout(within):
        while (answer := await two.bob.post("/api/me", json={"name": "Bob"})).is_success:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await asyncio.gather(*(page.task for page in pages))
        took = time.monotonic() - began
    answers.append(answer)
    answers += [await two.bob.post(f"/api/tables/{two.table}/{path}", json={}) for path in ("moves", "sit", "chat")]
    answers += [await person.get(path) for person in (two.bob, two.bob_too) for path in paths]
    assert {(one.status_code, one.json()["error"]["code"]) for one in answers} == {(403, "banned")}
    assert not others.task.done()
    print(f"banned everywhere after {took:.2f} s")
    number = re.search(r'name="id" value="(\d+)"', (await two.moderator.get("/house/bans")).text)
    assert number is not None
    await does(two.moderator, "lift", id=number[1])
    async with asyncio.timeout(within):
        while not (await two.bob.post("/api/me", json={"name": "Bob"})).is_success:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await others.close()


async def a_notice(two: Two, within: float, text: str) -> None:
    """Publish a notice: every open page of both processes shows it in this time, and drops it when it is withdrawn."""
    paths = (f"/api/tables/{two.table}/events", "/api/lobby/events")
    pages = [Page(person, path) for person in (two.ann, two.bob) for path in paths]
    await asyncio.gather(*(page.opened.wait() for page in pages))
    await does(two.moderator, "notice", text=text)
    async with asyncio.timeout(within):
        await asyncio.gather(*(page.has(text) for page in pages))
    assert (await two.bob.get("/api/notice")).json()["text"] == text
    before = [page.text.count("event: notice") for page in pages]
    await does(two.moderator, "notice", text="")
    async with asyncio.timeout(within):
        for page, number in zip(pages, before, strict=True):
            while page.text.count("event: notice") == number:
                page.news.clear()
                await page.news.wait()
    assert (await two.bob.get("/api/notice")).json()["text"] == ""
    await asyncio.gather(*(page.close() for page in pages))


async def test_bans_and_the_notice_reach_the_other_process_by_redis(two: Two) -> None:
    await a_ban(two, TOLD + BUSY)
    await a_notice(two, TOLD + BUSY, "We close at ten.")


async def test_they_reach_it_while_redis_is_hung_or_away(two: Two, own_redis: OwnRedis) -> None:
    own_redis.send(signal.SIGSTOP)
    await a_ban(two, LOOKED + BUSY)
    own_redis.kill()
    await a_ban(two, LOOKED + BUSY)
    await a_notice(two, LOOKED + BUSY, "We close at eleven.")
