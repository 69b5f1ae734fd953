"""`GET /health`: ready or not, and why, at once, even if the database or Redis hangs."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house.app import create_app, open_house
from parlour.house.errors import TooFast
from parlour.house.house import House
from parlour.house.http import health
from parlour.house.http.rates import READING, Price, Rates
from parlour.house.settings import Settings
from tests.house.people import Person
from tests.house.wire_cutter import Line

WAIT = 20.0  # seconds


async def ask(app: Litestar) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as client:
        return await client.get("/health")


async def until(app: Litestar, good: Callable[[httpx.Response], Any]) -> httpx.Response:
    """Return the first answer that is `good`."""
    end = time.monotonic() + WAIT
    while not good(answer := await ask(app)):
        assert time.monotonic() < end, answer.text
        await asyncio.sleep(0.05)
    return answer


async def test_a_house_that_is_open_is_ready(app: Litestar) -> None:
    answer = await ask(app)
    assert (answer.status_code, answer.json()) == (200, {"ready": True})
    assert answer.headers["cache-control"] == "no-store"
    assert not {"set-cookie", "retry-after"} & set(answer.headers)


async def test_a_house_that_closes_says_so(settings: Settings) -> None:
    app = create_app(settings)
    house = await open_house(app)
    assert (await ask(app)).status_code == 200
    house.close_streams()  # what the server does when it gets a signal to stop
    answer = await ask(app)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.json()["why"] == ["The house is shutting down. Games continue when it is open again."]
    await house.close()


async def test_asking_often_costs_one_look(app: Litestar, house: House) -> None:
    looks: list[str] = []
    house.store.timed = lambda operation, _: looks.append(operation)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as client:
        answers = await asyncio.gather(*(client.get("/health") for _ in range(200)))
    assert {answer.status_code for answer in answers} == {200}
    assert looks.count("accepted_keys") <= 10  # at most one a second, even on a slow machine


async def test_a_loop_that_stood_still_is_reported(app: Litestar) -> None:
    time.sleep(health.LAGS + 0.2)  # noqa: ASYNC251 - what no part of the house may do
    answer = await until(app, lambda answer: "degraded" in answer.json())
    assert answer.status_code == 200
    assert "Every request waited" in answer.json()["degraded"][0]


@pytest.mark.service
class TestServices:
    """PostgreSQL and Redis behind a connection that the test freezes and cuts."""

    @pytest.fixture
    async def lines(self, postgresql: str, redis_url: str) -> AsyncIterator[tuple[Line, Line]]:
        places = [sa.make_url(one.replace("+asyncpg", "")) for one in (postgresql, redis_url)]
        async with (
            Line(places[0].host or "", places[0].port or 5432) as database,
            Line(places[1].host or "", places[1].port or 6379) as redis,
        ):
            yield database, redis

    @pytest.fixture
    def settings(self, postgresql: str, redis_url: str, lines: tuple[Line, Line]) -> Settings:
        here = {"host": "127.0.0.1", "drivername": "postgresql"}
        database = sa.make_url(postgresql).set(port=lines[0].port, **here).render_as_string(hide_password=False)
        redis = sa.make_url(redis_url).set(port=lines[1].port).render_as_string(hide_password=False)
        return Settings(database=database, redis=redis, pace=0, engine="plain")

    async def test_a_database_that_hangs_is_reported_at_once(self, app: Litestar, lines: tuple[Line, Line]) -> None:
        assert (await ask(app)).status_code == 200
        lines[0].freeze()
        answer = await until(app, lambda answer: answer.status_code == 503)
        assert answer.json()["why"] == ["The database doesn't respond."]
        began = time.monotonic()
        answers = await asyncio.gather(*(ask(app) for _ in range(20)))
        assert {answer.status_code for answer in answers} == {503}
        assert time.monotonic() - began < 20 * health.HANGS  # the house knows by now, so no request waits
        lines[0].thaw()
        assert (await until(app, lambda answer: answer.status_code == 200)).json() == {"ready": True}

    async def test_a_redis_that_is_away_makes_it_worse_but_not_unready(
        self, app: Litestar, ann: Person, lines: tuple[Line, Line]
    ) -> None:
        lines[1].cut()
        answer = await until(app, lambda answer: "degraded" in answer.json())
        assert answer.status_code == 200
        assert answer.json()["degraded"] == ["Redis is unavailable, so updates from other processes arrive later."]
        await ann.do("me", name="Ann again")  # the house works
        lines[1].mend()
        await until(app, lambda answer: answer.json() == {"ready": True})


async def test_it_is_answered_also_to_an_address_that_has_asked_for_too_much(tmp_path: Path) -> None:
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/parlour.db"))
    house = await open_house(app)
    rates = app.state.rates = Rates(clock=lambda: 0.0)  # budgets never refill
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as client:
        with contextlib.suppress(TooFast):
            while True:
                rates.charge(Price(READING), None, "127.0.0.1")
        assert (await client.get("/nothing")).status_code == 429
        assert (await client.get("/health")).status_code == 200
        counted = (await client.get("/metrics", headers={"Host": "localhost"})).text
        assert 'parlour_limited_total{kind="requests"} 1.0' in counted
    await house.close()
