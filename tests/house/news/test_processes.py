"""Several server processes on one PostgreSQL that get each other's news through Redis."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from functools import partial

import asyncpg
import httpx
import pytest

from parlour.core.errors import ParlourError
from parlour.core.replay import replay
from parlour.games import find
from parlour.house.accounts import rows as account_rows
from parlour.house.database.store import Conflict, Store
from parlour.house.table.storage import queries
from parlour.house.table.storage.rows import StepRow
from tests.house.following import WAIT, Follower
from tests.house.forging import ROYALE_SEATS, royale
from tests.house.people import ME, OPEN, Person, play_on, turn
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.service


@pytest.fixture(scope="module")
def servers(database_of_file: str, redis_url: str, nursery: Nursery) -> list[Server]:
    return [nursery.start(database=database_of_file, redis=redis_url) for _ in range(2)]


@pytest.fixture
async def people(servers: list[Server]) -> AsyncIterator[list[Person]]:
    """Yield Ann at the first process and Bob at the second."""
    async with contextlib.AsyncExitStack() as stack:
        found = [await stack.enter_async_context(Person(base_url=server.url, timeout=WAIT)) for server in servers]
        for person, name in zip(found, ("Ann", "Bob"), strict=True):
            await person.do("me", name=name)
        yield found


async def _begin(ann: Person, bob: Person) -> str:
    table = await ann.make(ME, OPEN)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


async def test_what_happens_at_one_process_is_seen_at_the_other(people: list[Person]) -> None:
    ann, bob = people
    table = await ann.make(ME, OPEN)
    page = Follower(ann, table)
    await page.until(lambda update: bool(update["table"]))
    await bob.do(f"tables/{table}/sit")
    await page.until(lambda update: "Bob" in update["table"])
    other = Follower(bob, table)
    await ann.do(f"tables/{table}/start")
    await other.until(lambda update: bool(update["frames"]))
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
    while not all(seat["present"] for seat in (await ann.see(table))["table"]["seats"]):  # noqa: ASYNC110
        await asyncio.sleep(0.05)  # Bob's page is open at the other process, which reports it within a second
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
    nursery: Nursery, database_of_file: str, redis_url: str, people: list[Person]
) -> None:
    ann, bob = people
    third = nursery.start(database=database_of_file, redis=redis_url)
    bob.base_url = httpx.URL(third.url)
    table = await _begin(ann, bob)
    version = await play_on(table, 4, ann, bob)
    third.kill()
    bob.base_url = ann.base_url
    assert (await bob.see(table))["table"]["version"] == version
    await play_on(table, 2, ann, bob)


async def test_ft_26_an_answer_given_at_one_process_counts_at_the_other(
    nursery: Nursery, database_of_file: str, redis_url: str, servers: list[Server], people: list[Person]
) -> None:
    """Ann discards at the first process, which handles the question; Bob answers at the second."""
    ann, bob = people
    third = nursery.start(database=database_of_file, redis=redis_url)  # the others do not know the table yet
    for person in people:
        person.base_url = httpx.URL(third.url)
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN])
    table = str(made["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    third.kill()
    connection = await asyncpg.connect(database_of_file)
    await connection.execute("DELETE FROM steps WHERE table_id = $1", table)
    steps = [(table, i, *step, "") for i, step in enumerate(royale("1 oil 1 shrimp", "2 gold").steps)]
    await connection.executemany(
        "INSERT INTO steps (table_id, idx, actor, action, text, move_id) VALUES ($1, $2, $3, $4, $5, $6)", steps
    )
    for person, server in zip(people, servers, strict=True):
        person.base_url = httpx.URL(server.url)
    async with Person(base_url=servers[0].url, timeout=WAIT, cookies=bob.cookies) as tab:
        page, other = Follower(tab, table), Follower(ann, table)  # Bob has the page open at the first process too
        await page.until(lambda update: bool(update["frames"]))
        asked = await ann.do(f"tables/{table}/moves", move="discard gold", version=len(steps))
        seen = await bob.see(table)
        assert seen["legal"] == ["take", "let it lie"]
        await page.until(lambda update: "? You have " in str(update["frames"]))
        touched = await connection.fetchval("SELECT touched FROM tables WHERE id = $1", table)
        body = {"move": "let it lie", "version": seen["table"]["version"]}
        answers = await asyncio.gather(*(hand.do(f"tables/{table}/moves", **body) for hand in (bob, tab, bob, tab)))
        assert [answer["version"] for answer in answers] == [body["version"]] * 4
        await page.until(lambda update: "You let it lie" in str(update["frames"]))
        assert await connection.fetchval("SELECT touched FROM tables WHERE id = $1", table) == touched
        await other.until(lambda update: update["version"] > asked["version"])
        seen = await bob.see(table)  # at the second process, which does not wait for the first now
        began = time.monotonic()
        moved = await bob.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])
        await page.until(lambda update: update["version"] > moved["version"])
        assert 2.4 < time.monotonic() - began < 5.0
        await page.close()
        await other.close()
    passed = "SELECT count(*) FROM steps WHERE table_id = $1 AND actor = 1 AND text = 'let it lie'"
    assert await connection.fetchval(passed, table) == 1
    await connection.close()


async def test_a_table_that_another_process_starts_is_read_whole(
    people: list[Person], size: Callable[[int, int], int]
) -> None:
    """Its row says "playing" exactly when its first steps exist: both come from one snapshot."""
    ann, bob = people
    started = asyncio.Event()
    answers: list[int] = []

    async def look(table: str) -> None:
        while not started.is_set():
            answers.append((await bob.get(f"/api/tables/{table}")).status_code)

    rounds = 0
    while rounds < size(3, 12) or len(answers) <= 100:
        rounds += 1
        started.clear()
        tables = [await ann.make(ME, OPEN) for _ in range(4)]
        for table in tables:
            await bob.do(f"tables/{table}/sit")
        readers = [asyncio.create_task(look(table)) for table in tables]
        await asyncio.gather(*(ann.do(f"tables/{table}/start") for table in tables))
        started.set()
        await asyncio.gather(*readers)
        for table in tables:  # a guest may host only a few at once
            await ann.do(f"tables/{table}/leave")
    print(f"{len(answers)} reads")
    assert len(answers) > 100
    assert set(answers) == {200}


async def test_one_statement_reads_and_writes_what_several_do(database_of_file: str, people: list[Person]) -> None:
    """Compare PostgreSQL's single statements with the several that SQLite uses too."""
    ann, bob = people
    table = await _begin(ann, bob)
    await ann.do(f"tables/{table}/chat", text='Zoë "said" \\ 👩‍🚀')
    version = await play_on(table, 6, ann, bob)
    store = Store(database_of_file)
    await store.open()
    for start in (0, 3, version + 5):
        for after in (0, 10**6):
            async with store.read() as connection:
                wanted = {"table_id": table, "from_step": start, "after_chat": after}
                long = await connection.run_sync(partial(queries.load, **wanted))
            assert await store.load(table, start, after) == long
    with pytest.raises(ParlourError) as caught:
        await store.load("nothing")
    assert caught.value.code == "unknown-table"
    before = await store.load(table)
    steps = [StepRow(version + i, 0, 2**40, text, f"id-{i}") for i, text in enumerate(("a\tb", "é"))]
    assert await store.append(table, steps, over=True) == before.changes + 1
    after_it = await store.load(table)
    assert (after_it.steps[version:], after_it.table.status, after_it.changes) == (steps, "over", before.changes + 1)
    with pytest.raises(Conflict):
        await store.append(table, [steps[1], StepRow(version + 2, 0, 0, "new")], over=False)
    assert await store.load(table) == after_it
    await store.close()


async def test_a_new_guest_may_choose_a_name_in_two_pages_at_once(database_of_file: str) -> None:
    """Neither of two transactions sees the other write the guest's first name."""
    stores = [Store(database_of_file), Store(database_of_file)]
    for store in stores:
        await store.open()
    try:
        for number in range(30):
            guest = f"two-pages-{number}"
            await asyncio.gather(*(store.name_guest(guest, name) for store, name in zip(stores, "AB", strict=True)))
            assert (await stores[0].look(partial(account_rows.who, guest=guest))).name in ("A", "B")
    finally:
        for store in stores:
            await store.close()
