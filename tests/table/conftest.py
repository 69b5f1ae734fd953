"""A house in this process, and people who come to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from litestar import Litestar

from parlour.table.house.house import House
from parlour.table.load.scratch import scratch
from parlour.table.settings import Settings
from parlour.table.staff.analysing import Analyst
from parlour.table.web.app import create_app
from tests.table.people import Person


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    # So few tables that they come and go; and tests ask for more than people do.
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, tables=2, limits=False)


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[Litestar]:
    made = create_app(settings)
    await made.state.house.open()  # not `lifespan`: its task group cannot live in a fixture
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
    """Makes a new person at each call."""
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


@pytest.fixture(scope="module")
def database(postgresql: str) -> Iterator[str]:
    """A database of PostgreSQL's for one file of tests, dropped afterwards."""
    with scratch(postgresql) as address:
        yield address
