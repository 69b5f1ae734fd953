"""A house in this process, and people who visit it."""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house import app as application
from parlour.house.analysis.jobs import Analyst
from parlour.house.database.files import SECRET
from parlour.house.database.migrating import migrate
from parlour.house.house import House
from parlour.house.load.scratch import scratch
from parlour.house.settings import Settings
from tests.house.clock import Clock, Pass, pass_on
from tests.house.people import Person
from tests.house.receiving import Letters, mail_server

PREFIX = "sqlite:///"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    # Few tables, so that they are unloaded and loaded again; and no limits, as tests send more requests than people.
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, tables=2, limits=False)


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create an SQLite file with empty tables: copying it is faster than migrating each new file."""
    made = tmp_path_factory.mktemp("blank") / "parlour.db"
    engine = sa.create_engine(f"{PREFIX}{made}")
    with engine.begin() as connection:
        migrate(connection)
    engine.dispose()
    made.chmod(SECRET)
    return made


@pytest.fixture(scope="session")
def create(blank: Path) -> Callable[[Settings], Litestar]:
    """Return a function that makes an application as `create_app` does, on a new or existing SQLite file; one at a
    time. All share the same routes, which store nothing of a house: making them takes longer than most tests."""
    kept: list[tuple[Litestar, Any]] = []
    real, made_with = application.App, 0

    def routed(**given: Any) -> Litestar:
        nonlocal made_with
        made_with += 1
        if not kept:
            first = real(**given)
            kept.append((first, first.asgi_handler))
        made, made.asgi_handler = kept[0]
        made.state = given["state"]
        return made

    def create(settings: Settings) -> Litestar:
        database = Path(settings.database.removeprefix(PREFIX))
        if settings.database.startswith(PREFIX) and database.parent.is_dir() and not database.exists():
            shutil.copy(blank, database)
        before = made_with
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(application, "App", routed)
            made = application.create_app(settings)
        assert made_with == before + 1, "create_app no longer makes its application with App, so this saves nothing"
        return made

    return create


@pytest.fixture
async def letters() -> AsyncIterator[Letters]:
    """Run a mail server; yield the emails that it got."""
    async with mail_server() as made:
        yield made


@pytest.fixture
async def app(settings: Settings, create: Callable[[Settings], Litestar]) -> AsyncIterator[Litestar]:
    made = create(settings)
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


@pytest.fixture(scope="module")
def database(postgresql: str) -> Iterator[str]:
    """Create a PostgreSQL database for one file of tests, and drop it afterwards."""
    with scratch(postgresql) as address:
        yield address
