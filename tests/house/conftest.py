"""A house in this process, and people who visit it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path

import argon2
import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.scratch import scratch
from parlour.bots import processes
from parlour.house.accounts import passwords
from parlour.house.analysis.jobs import Analyst
from parlour.house.app import create_app, open_house
from parlour.house.database import sqlite
from parlour.house.database.migrating import migrate
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.workers import pool
from tests.house import once
from tests.house.clock import Clock, Pass, pass_on
from tests.house.people import Person
from tests.house.receiving import Inbox, mail_server
from tests.house.staff import Staff

once.share()


@pytest.fixture(scope="session")
def durable() -> tuple[str, ...]:
    """Return what a house asks of SQLite, for tests of what survives a power cut."""
    return sqlite.PRAGMAS


@pytest.fixture(autouse=True)
def _without_waiting(durable: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let houses of this process leave it to the system when it writes to the disk."""
    assert "synchronous=FULL" in durable
    monkeypatch.setattr(sqlite, "PRAGMAS", tuple(one.replace("FULL", "OFF") for one in durable))


@pytest.fixture(scope="session")
def staff() -> Iterator[Staff]:
    """Create the staff of this process's houses, and end it."""
    made = Staff()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _workers(staff: Staff, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each house the worker processes of one before it."""
    monkeypatch.setattr(pool, "processes", staff)


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let passwords take a millisecond instead of a tenth of a second: many tests claim a name."""
    quick = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "PasswordHasher", lambda **_: quick)


@pytest.fixture
def real_passwords(_quick_passwords: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let passwords take their time, for tests of just that."""
    monkeypatch.setattr(passwords, "PasswordHasher", argon2.PasswordHasher)


@pytest.fixture
def own_workers(_workers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each house start worker processes of its own, and end them."""
    monkeypatch.setattr(pool, "processes", processes)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    # Few tables, so that they are unloaded and loaded again; no limits, as tests send more requests than people; and
    # nothing compiled, as the bots of a test make few decisions.
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, tables=2, limits=False, engine="plain")


@pytest.fixture(scope="session")
def create() -> Callable[[Settings], Litestar]:
    """Return a function that makes an application as `create_app` does, on a new or existing SQLite file."""

    def create(settings: Settings) -> Litestar:
        once.lay(settings)
        return create_app(settings)

    return create


@pytest.fixture
async def inbox() -> AsyncIterator[Inbox]:
    """Run a mail server; yield the emails that it got."""
    async with mail_server() as made:
        yield made


@pytest.fixture
async def app(settings: Settings, create: Callable[[Settings], Litestar]) -> AsyncIterator[Litestar]:
    made = create(settings)
    await open_house(made)  # not `lifespan`: its task group cannot live in a fixture
    yield made
    await made.state.house.close()


@pytest.fixture
def house(app: Litestar) -> House:
    found: House = app.state.house
    return found


@pytest.fixture
def analyst(app: Litestar) -> Analyst:
    found: Analyst = app.state.analyst
    return found


@pytest.fixture
async def arrive(app: Litestar) -> AsyncIterator[Callable[[], Person]]:
    """Yield a function that creates a new person."""
    people: list[Person] = []

    def new() -> Person:
        people.append(Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test"))
        return people[-1]

    yield new
    for person in people:
        await person.aclose()


@pytest.fixture
async def ann(arrive: Callable[[], Person]) -> Person:
    person = arrive()
    await person.do("me", name="Ann")
    return person


@pytest.fixture
async def bob(arrive: Callable[[], Person]) -> Person:
    person = arrive()
    await person.do("me", name="Bob")
    return person


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock that the test moves."""
    made = Clock()
    monkeypatch.setattr(time, "time", made)
    return made


@pytest.fixture
def later(house: House, clock: Clock) -> Pass:
    """Return a function that lets time pass at the house, opened `by_hand`."""
    return partial(pass_on, house, clock)


@pytest.fixture(scope="session")
def empty_database(postgresql: str) -> Iterator[str]:
    """Create a PostgreSQL database with a house's empty tables, to be copied: to migrate each takes longer."""
    with scratch(postgresql) as address:
        engine = create_async_engine(sa.make_url(address).set(drivername="postgresql+asyncpg"))

        async def fill() -> None:
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
            await engine.dispose()

        asyncio.run(fill())
        yield address


@pytest.fixture(scope="module")
def database_of_file(postgresql: str, empty_database: str) -> Iterator[str]:
    """Create a PostgreSQL database for one file of tests, and drop it afterwards."""
    with scratch(postgresql, empty_database) as address:
        yield address


@pytest.fixture
def database(
    postgresql: str, empty_database: str, database_of_file: str, request: pytest.FixtureRequest
) -> Iterator[str]:
    """Return the PostgreSQL database of this file of tests; for a second attempt create another, because what the
    first has left would let it fail again."""
    if getattr(request.node, "execution_count", 1) == 1:
        yield database_of_file
    else:
        with scratch(postgresql, empty_database) as address:
            yield address
