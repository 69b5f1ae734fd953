"""On PostgreSQL a move is one trip to the database, even at a process without the newest state: it reads nothing first,
and if another process was faster the database does not accept the move."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar

from parlour.core.replay import replay
from parlour.games import find
from parlour.house.app import create_app, open_house
from parlour.house.house import House
from parlour.house.settings import Settings
from tests.house.people import Person, turn, two_at_table

pytestmark = pytest.mark.service


@pytest.fixture
def settings(database: str) -> Settings:
    return Settings(database=database, pace=0, engine="plain", limits=False)  # no Redis: processes get no news in time


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[Litestar]:
    """Open another process's application."""
    made = create_app(settings)
    await open_house(made)
    yield made
    await made.state.house.close()


async def at(app: Litestar, person: Person) -> Person:
    """Return the same person at another process, which has their table in memory."""
    transport = httpx.ASGITransport(app=app)
    return Person(transport=transport, base_url="http://house.test", cookies=httpx.Cookies(person.cookies))


async def next_move(table: str, *people: Person, **more: Any) -> tuple[Person, dict[str, Any]]:
    """Return the player whose turn it is, and a move for them."""
    person, seen = await turn(table, *people)
    return person, {"move": seen["legal"][-1], "version": seen["table"]["version"], **more}


async def test_a_move_is_one_trip(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    for _ in range(6):
        person, body = await next_move(table, ann, bob)
        asked: list[str] = []
        house.store.timed = lambda operation, _, asked=asked: asked.append(operation)  # type: ignore[misc]
        await person.do(f"tables/{table}/moves", **body)
        house.store.timed = None
        assert asked.count("append") == 1
        assert not {"changes_at", "load"} & set(asked)


async def test_a_process_that_knows_less_makes_the_move_once(ann: Person, bob: Person, other: Litestar) -> None:
    """Other processes may have made moves meanwhile, sent a chat message, or made the same move."""
    table = await two_at_table(ann, bob)
    there = {person: await at(other, person) for person in (ann, bob)}
    made = 0
    for what in ("nothing", "chat", "move", "the same", "a move and chat"):
        for person in there.values():
            await person.see(table)  # so its present state is in memory there
        person, body = await next_move(table, ann, bob, id=f"first {what}")
        led_to = None
        if what in ("move", "the same", "a move and chat"):
            led_to = await person.do(f"tables/{table}/moves", **body)
            made += 1
        if "chat" in what:
            await ann.do(f"tables/{table}/chat", text=what)
        if what == "the same":
            assert await there[person].do(f"tables/{table}/moves", **body) == led_to
        else:
            person, body = await next_move(table, ann, bob, id=f"second {what}")
            led_to = await there[person].do(f"tables/{table}/moves", **body)
            made += 1
        assert led_to is not None
        assert (await ann.see(table))["table"]["version"] == led_to["version"]
    record = await bob.record(table)
    replay(record, find)
    assert sum(actor >= 0 for actor, _ in record.steps) == made


async def test_what_is_refused_is_refused_for_what_is_so_now(
    ann: Person, bob: Person, house: House, other: Litestar
) -> None:
    """A process with an old state of the table reads it again before it refuses."""
    table = await two_at_table(ann, bob)
    person, body = await next_move(table, ann, bob)
    there = await at(other, person)
    await there.see(table)
    await person.do(f"tables/{table}/leave")
    await there.refused(f"tables/{table}/moves", 403, "not-seated", **body)
    table = await two_at_table(ann, bob)
    person, body = await next_move(table, ann, bob)
    there = await at(other, person)
    await there.see(table)
    async with house.store.change(table) as change:
        await change.delete()
    await there.refused(f"tables/{table}/moves", 404, "unknown-table", **body)
