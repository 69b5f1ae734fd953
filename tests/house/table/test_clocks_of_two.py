"""Two processes on one PostgreSQL: time runs out, and is given back, only once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import httpx
import pytest
import sqlalchemy as sa

from parlour.house.app import create_app, open_house
from parlour.house.database import schema
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.settings import Settings
from parlour.house.table.jobs.clocks import LOST
from parlour.house.table.live.tempo import LAG
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import AWAY
from tests.house.people import ME, OPEN, Person

pytestmark = pytest.mark.service
LIVE = {"bank": 60.0, "increment": 5.0}


@pytest.fixture
def settings(database: str) -> Settings:
    return Settings(database=database, pace=0, engine="plain", limits=False)


@pytest.fixture
async def tables(settings: Settings) -> AsyncIterator[tuple[House, list[str]]]:
    """Open a house with five games of two people, whose clocks run."""
    app = create_app(settings)
    house = await open_house(app)
    made = []
    transport = httpx.ASGITransport(app=app)
    async with (
        Person(transport=transport, base_url="http://house.test") as ann,
        Person(transport=transport, base_url="http://house.test") as bob,
    ):
        for _ in range(5):
            made.append(await ann.make(ME, OPEN, tempo=LIVE))
            await bob.do(f"tables/{made[-1]}/sit")
            await ann.do(f"tables/{made[-1]}/start")
    yield house, made
    await house.close()


async def rows(house: House, *columns: sa.ColumnElement[object]) -> list[tuple[object, ...]]:
    async with house.store.read() as connection:
        return [tuple(row) for row in await connection.execute(sa.select(*columns))]


async def test_time_is_up_once_whoever_sees_it(tables: tuple[House, list[str]], settings: Settings) -> None:
    house, made = tables
    other = await House.open(settings, JOBS)
    try:
        c = storage.tables.c
        async with house.store.write() as connection:
            late = (
                sa.update(storage.tables)
                .where(c.id.in_(made), c.began > 0)
                .values(due=c.due - 100, began=c.began - 100)
            )
            await connection.execute(late)
        s = storage.steps.c
        async with asyncio.timeout(20):
            while True:
                found = await rows(house, s.table_id, s.actor, s.action)
                away = [(table, actor) for table, actor, action in found if action == AWAY and table in made]
                if len(away) >= len(made):
                    break
                await asyncio.sleep(0.1)
        assert len(away) == len({table for table, _ in away}) == len(made)
        for table in made:
            for one in (house, other):
                async with one.hold(table) as held:
                    assert held.ledger.away.keys() == {actor for name, actor in away if name == table}
    finally:
        await other.close()


async def test_time_is_given_back_once_by_two_that_start_together(
    tables: tuple[House, list[str]], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, made = tables
    t = storage.tables.c
    async with asyncio.timeout(10):  # it has stored a beat
        while not [1 for (key,) in await rows(house, schema.settings.c.key) if key == "alive"]:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    before = {str(name): float(str(due)) for name, due in await rows(house, t.id, t.due) if name in made}
    await house.close()
    down = 10 * LOST
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + down)
    both = await asyncio.gather(*(House.open(settings, JOBS) for _ in range(2)))
    try:
        async with asyncio.timeout(10):
            while True:
                after = {str(name): float(str(due)) for name, due in await rows(both[0], t.id, t.due) if name in made}
                if all(after[name] > before[name] + 1 for name in before):
                    break
                await asyncio.sleep(0.1)
        await asyncio.sleep(1.2)  # two more beats of both
        after = {str(name): float(str(due)) for name, due in await rows(both[0], t.id, t.due) if name in made}
        for name in before:
            assert after[name] - before[name] == pytest.approx(down, abs=down / 3)  # a busy machine is down longer
            assert after[name] > time.time() + 60 + LAG - 10
    finally:
        for one in both:
            await one.close()
