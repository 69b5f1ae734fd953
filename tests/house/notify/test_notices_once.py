"""No notification is lost or sent twice: over kill -9, over normal restarts, with several processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.house.people import Person, two_at_table
from tests.house.receiving import Service, service, stop, until
from tests.house.serving import Nursery, Server, lives

QUICK = {"outside": "any", "grace": 0.05}


@pytest.fixture
async def world() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


@asynccontextmanager
async def two(server: Server) -> AsyncIterator[tuple[Person, Person]]:
    async with Person(base_url=server.url, timeout=30) as ann, Person(base_url=server.url, timeout=30) as bob:
        await ann.do("me", name="Ann")
        await bob.do("me", name="Bob")
        yield ann, bob


def moved(server: Server, *people: Person) -> None:
    """Move people to the house's new port, with their cookies, which belong to the host."""
    for person in people:
        person.base_url = server.url  # type: ignore[assignment]


async def tables_of_two(ann: Person, bob: Person, count: int) -> list[str]:
    """Create this number of tables at which it is Ann's turn."""
    found = [await two_at_table(ann, bob) for _ in range(count)]
    for table in found:
        await stop(bob, table)
    return found


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_what_was_written_before_the_house_went_is_notified_once_after_it(
    nursery: Nursery, tmp_path: Path, world: Service, how: signal.Signals
) -> None:
    """The house stops right after the moves, before anything was sent; and again when everything was."""
    database = f"sqlite:///{tmp_path}/parlour.db"
    server = nursery.start(database=database, **{**QUICK, "grace": 60.0})
    async with two(server) as (ann, bob):
        tables = await tables_of_two(ann, bob, 6)
        mine = world.browser()
        await bob.do("me/told", **mine.subscription(turn=True, chat=True))
        for table in tables:
            await stop(ann, table)
        await ann.do(f"tables/{tables[0]}/chat", text="Hello")
        await gone(server, how)
        assert mine.got == []
        server = nursery.start(database=database, **QUICK)
        moved(server, ann, bob)
        await until(lambda: len(mine.got) >= 7)
        await gone(server, how)
        server = nursery.start(database=database, **QUICK)
        moved(server, ann, bob)
        await stop(bob, tables[0])
        await stop(ann, tables[0])
        await until(lambda: len(mine.got) >= 8)  # the sign that the new house has sent
    tags = sorted(one["tag"] for one in mine.got)
    assert tags == sorted([*(f"turn-{table}" for table in tables), f"chat-{tables[0]}", f"turn-{tables[0]}"])
    assert len({one["key"] for one in mine.got}) == 8


async def test_a_house_killed_while_it_sends_sends_the_same_again_and_nothing_is_lost(
    nursery: Nursery, tmp_path: Path, world: Service
) -> None:
    """This is the only gap: sent, and not yet noted. The repetition has the same key, topic and tag, so a browser and a
    push service show it as one."""
    database = f"sqlite:///{tmp_path}/parlour.db"
    server = nursery.start(database=database, **QUICK)
    async with two(server) as (ann, bob):
        (table,) = await tables_of_two(ann, bob, 1)
        mine = world.browser()
        world.slow = asyncio.Event()  # the push service has it, and does not answer
        await bob.do("me/told", **mine.subscription())
        await stop(ann, table)
        await until(lambda: mine.got)
        await gone(server, signal.SIGKILL)
        world.slow.set()

        with sqlite3.connect(tmp_path / "parlour.db") as file:  # ends the lease of a minute
            assert file.execute("UPDATE notices SET leased = 0 WHERE leased > 0").rowcount == 1
        file.close()
        nursery.start(database=database, **QUICK)
        await until(lambda: len(mine.got) >= 2)
    assert len(mine.got) == 2
    assert mine.got[0] == mine.got[1]
    assert mine.headers[0]["Topic"] == mine.headers[1]["Topic"]


async def test_several_processes_tell_each_thing_once(nursery: Nursery, database: str, world: Service) -> None:
    servers = [nursery.start(database=database, **QUICK) for _ in range(3)]
    async with two(servers[0]) as (ann, bob):
        tables = await tables_of_two(ann, bob, 6)
        mine = world.browser()
        await bob.do("me/told", **mine.subscription(turn=True, chat=True))
        for table in tables:
            await stop(ann, table)
        await until(lambda: len(mine.got) >= 6)
        await stop(bob, tables[0])
        await stop(ann, tables[0])
        await until(lambda: len(mine.got) >= 7)
    assert len({one["key"] for one in mine.got}) == len(mine.got) == 7


async def gone(server: Server, how: signal.Signals) -> None:
    """Stop a server, and wait until it has ended."""
    os.kill(server.pid, how)
    await until(lambda: not lives(server.pid))
