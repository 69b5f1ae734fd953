"""Redis is killed, hung and restarted during games: pages get updates all the time, and through Redis when it is
back."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from tests.house.following import WAIT, Follower
from tests.house.own_redis import OwnRedis, redis_in
from tests.house.people import Person, turn, two_at_table
from tests.house.serving import Nursery

pytestmark = pytest.mark.service


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    with redis_in(tmp_path) as made:
        yield made


@pytest.fixture
async def people(nursery: Nursery, database: str, own_redis: OwnRedis) -> AsyncIterator[list[Person]]:
    """Yield Ann at the first process and Bob at the second."""
    await own_redis.until_there()
    servers = [nursery.start(database=database, redis=own_redis.url) for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack:
        found = [await stack.enter_async_context(Person(base_url=server.url, timeout=WAIT)) for server in servers]
        for person, name in zip(found, ("Ann", "Bob"), strict=True):
            await person.do("me", name=name)
        yield found
    for server in servers:
        server.kill()


async def test_pages_follow_while_redis_is_killed_hung_and_started(people: list[Person], own_redis: OwnRedis) -> None:
    ann, bob = people
    table = await two_at_table(ann, bob)
    pages = {ann: Follower(ann, table), bob: Follower(bob, table)}

    async def moves(count: int) -> None:
        """Make moves, each of which the other process shows, and send a chat message."""
        for _ in range(count):
            person, seen = await turn(table, ann, bob)
            other = bob if person is ann else ann
            led_to = await person.do(f"tables/{table}/moves", move=seen["legal"][-1], version=seen["table"]["version"])
            await pages[other].until(lambda update: update["version"] >= led_to["version"])  # noqa: B023
        line = f"after {seen['table']['version']}"
        await ann.do(f"tables/{table}/chat", text=line)
        await pages[bob].until(lambda update: line in str(update["table"]))

    try:
        await moves(2)
        own_redis.kill()
        await moves(2)
        own_redis.start()
        await own_redis.until_heard(by=2)
        await moves(2)
        own_redis.send(signal.SIGSTOP)
        await moves(2)
        own_redis.send(signal.SIGCONT)
        await own_redis.until_heard(by=2)
        await moves(2)
    finally:
        for page in pages.values():
            await page.close()


async def test_a_new_name_is_known_to_the_other_process(people: list[Person], own_redis: OwnRedis) -> None:
    """It knows through Redis at once; without Redis, after the time for which it trusts a name."""
    ann, bob = people
    async with Person(base_url=bob.base_url, timeout=WAIT) as tab:
        tab.cookies = httpx.Cookies(ann.cookies)

        async def called(name: str) -> None:
            async with asyncio.timeout(WAIT):
                while (await tab.get("/api/me")).json()["name"] != name:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)

        await called("Ann")
        await ann.do("me", name="Anna")
        await called("Anna")
        own_redis.kill()
        await ann.do("me", name="Hannah")
        await called("Hannah")
        await ann.do("me", name="Hanna")
        own_redis.start()
        await own_redis.until_heard(by=2)
        await called("Hanna")
