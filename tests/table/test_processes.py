"""Several server processes on one PostgreSQL, told of each other's news by Redis."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Iterator

import asyncpg
import httpx
import pytest
import sqlalchemy as sa

from parlour.core.replay import replay
from parlour.games import find
from tests.table.forging import ROYALE_SEATS, royale
from tests.table.people import ME, OPEN, Person, play_on, turn
from tests.table.serving import Nursery, Server

pytestmark = pytest.mark.service
WAIT = 20  # seconds


@pytest.fixture(scope="module")
def database(postgresql: str) -> Iterator[str]:
    """A database of its own, dropped afterwards."""
    url = sa.make_url(postgresql).set(drivername="postgresql")
    name = f"parlour_test_{secrets.token_hex(4)}"

    async def run(statement: str) -> None:
        connection = await asyncpg.connect(url.render_as_string(hide_password=False))
        await connection.execute(statement)
        await connection.close()

    asyncio.run(run(f"CREATE DATABASE {name}"))
    yield url.set(database=name).render_as_string(hide_password=False)
    asyncio.run(run(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="module")
def servers(database: str, redis_url: str, nursery: Nursery) -> list[Server]:
    return [nursery.start(database=database, redis=redis_url) for _ in range(2)]


@pytest.fixture
async def people(servers: list[Server]) -> AsyncIterator[list[Person]]:
    """Ann comes to the first process, Bob to the second."""
    async with contextlib.AsyncExitStack() as stack:
        found = [await stack.enter_async_context(Person(base_url=server.url, timeout=WAIT)) for server in servers]
        for person, name in zip(found, ("Ann", "Bob"), strict=True):
            await person.do("me", name=name)
        yield found


class Follower:
    """An open page, read in the background."""

    def __init__(self, person: Person, table: str) -> None:
        self.updates: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        self.task = asyncio.create_task(self._read(person, table))

    async def _read(self, person: Person, table: str) -> None:
        with contextlib.suppress(httpx.HTTPError):
            async with person.stream("GET", f"/api/tables/{table}/events") as answer:
                async for line in answer.aiter_lines():
                    if line.startswith("data: "):
                        self.updates.put_nowait(json.loads(line[6:]))

    async def until(self, good: object) -> dict[str, object]:
        while True:
            update = await asyncio.wait_for(self.updates.get(), WAIT)
            if good(update):  # type: ignore[operator]
                return update

    async def close(self) -> None:
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task


async def _begin(ann: Person, bob: Person) -> str:
    table = await ann.make(ME, OPEN)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


async def test_what_happens_at_one_process_is_seen_at_the_other(people: list[Person]) -> None:
    ann, bob = people
    table = await ann.make(ME, OPEN)
    page = Follower(ann, table)
    await page.until(lambda update: update["table"])
    await bob.do(f"tables/{table}/sit")
    await page.until(lambda update: "Bob" in update["table"])
    other = Follower(bob, table)
    await ann.do(f"tables/{table}/start")
    await other.until(lambda update: update["frames"])
    for _ in range(6):
        person, seen = await turn(table, ann, bob)
        watcher = other if person is ann else page
        led_to = await person.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
        update = await watcher.until(lambda update: update["version"] >= led_to["version"])  # noqa: B023
        assert update["version"] == led_to["version"]
        if (await ann.see(table))["table"]["status"] == "over":
            break
    await bob.do(f"tables/{table}/chat", text="well played")
    await page.until(lambda update: "well played" in update["table"])
    view = (await ann.see(table))["table"]
    assert [seat["present"] for seat in view["seats"]] == [True, True]  # Bob's page is open at the other process
    await page.close()
    await other.close()


async def test_a_move_sent_to_both_processes_is_made_once(people: list[Person]) -> None:
    ann, bob = people
    table = await _begin(ann, bob)
    for _ in range(5):
        person, seen = await turn(table, ann, bob)
        body = {"move": "stop", "version": seen["table"]["version"]}
        before = len((await ann.record(table)).steps)
        async with Person(base_url=(bob if person is ann else ann).base_url, timeout=WAIT) as same:
            same.cookies = person.cookies
            answers = await asyncio.gather(
                *(hand.do(f"tables/{table}/moves", **body) for hand in (person, same) for _ in range(4))
            )
        assert len({answer["version"] for answer in answers}) == 1
        made = (await ann.record(table)).steps[before:]
        assert sum(actor >= 0 for actor, _ in made) == 1


async def test_a_seat_is_taken_by_one(people: list[Person], servers: list[Server]) -> None:
    ann, bob = people
    table = await ann.make(ME, OPEN)
    async with Person(base_url=servers[0].url, timeout=WAIT) as eve:
        answers = await asyncio.gather(*(who.post(f"/api/tables/{table}/sit", json={}) for who in (bob, eve)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_a_whole_game_across_two_processes_verifies(people: list[Person]) -> None:
    ann, bob = people
    table = str(
        (await ann.do("tables", game="fortune", seats=[ME, OPEN], options={"target": "5000", "finish": "at_least"}))[
            "id"
        ]
    )
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await play_on(table, 40, ann, bob)
    record = await bob.record(table)
    assert record == await ann.record(table)
    replay(record, find)


async def test_when_a_process_dies_its_people_go_on_at_the_other(
    nursery: Nursery, database: str, redis_url: str, people: list[Person]
) -> None:
    ann, bob = people
    third = nursery.start(database=database, redis=redis_url)
    bob.base_url = httpx.URL(third.url)
    table = await _begin(ann, bob)
    version = await play_on(table, 4, ann, bob)
    third.kill()
    bob.base_url = ann.base_url
    assert (await bob.see(table))["table"]["version"] == version
    await play_on(table, 2, ann, bob)


async def test_ft_26_an_answer_given_at_one_process_counts_at_the_other(
    nursery: Nursery, database: str, redis_url: str, servers: list[Server], people: list[Person]
) -> None:
    """Ann discards at the first process, which sees the question through; Bob answers at the second."""
    ann, bob = people
    third = nursery.start(database=database, redis=redis_url)  # the others do not know the table yet
    for person in people:
        person.base_url = httpx.URL(third.url)
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN])
    table = str(made["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    third.kill()
    connection = await asyncpg.connect(database)
    await connection.execute("DELETE FROM steps WHERE table_id = $1", table)
    steps = [(table, i, *step, "") for i, step in enumerate(royale("1 oil 1 shrimp", "2 gold").steps)]
    await connection.executemany("INSERT INTO steps VALUES ($1, $2, $3, $4, $5, $6)", steps)
    for person, server in zip(people, servers, strict=True):
        person.base_url = httpx.URL(server.url)
    async with Person(base_url=servers[0].url, timeout=WAIT, cookies=bob.cookies) as tab:
        page, other = Follower(tab, table), Follower(ann, table)  # Bob has the page open at the first process too
        await page.until(lambda update: update["frames"])
        asked = await ann.do(f"tables/{table}/moves", move="discard gold", version=len(steps))
        seen = await bob.see(table)
        assert seen["legal"] == ["take", "pass"]
        await page.until(lambda update: "finishes your hand" in str(update["frames"]))
        touched = await connection.fetchval("SELECT touched FROM tables WHERE id = $1", table)
        body = {"move": "pass", "version": seen["table"]["version"]}
        answers = await asyncio.gather(*(hand.do(f"tables/{table}/moves", **body) for hand in (bob, tab, bob, tab)))
        assert [answer["version"] for answer in answers] == [body["version"]] * 4
        await page.until(lambda update: "You let it lie" in str(update["frames"]))
        assert await connection.fetchval("SELECT touched FROM tables WHERE id = $1", table) == touched
        await other.until(lambda update: update["version"] > asked["version"])
        seen = await bob.see(table)  # who draws, and discards at the second process: it does not wait for the first now
        began = time.monotonic()
        moved = await bob.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])
        await page.until(lambda update: update["version"] > moved["version"])
        assert 2.4 < time.monotonic() - began < 5.0
        await page.close()
        await other.close()
    passed = "SELECT count(*) FROM steps WHERE table_id = $1 AND actor = 1 AND text = 'pass'"
    assert await connection.fetchval(passed, table) == 1
    await connection.close()
