"""How many tables a guest may have open, and what the house cleans up: on both databases, with a moved clock."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house.accounts import origins
from parlour.house.database import schema
from parlour.house.errors import StoreFailed, TooManyTables
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.settings import Settings
from parlour.house.table.jobs import sweeping
from parlour.house.table.jobs.sweeping import sweep
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.upkeep import MOST
from tests.house.people import BOT, ME, OPEN, Person, bots_alone, open_tables, play_on, two_at_table

DAY = 86400.0
HERE = {"kind": "here"}
SHORT = {"target": "5000", "round_limit": "100"}
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.service)]
SUITE = pytest.mark.suite("sqlite")  # both: the tests with several houses or transactions at once


@pytest.fixture(params=BOTH)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    address = f"sqlite:///{tmp_path}/parlour.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("database")
    return Settings(database=address, pace=0, engine="plain", keep=30)


def until(days: float) -> float:
    """Return the time in this number of days."""
    return time.time() + days * DAY


@pytest.fixture(autouse=True)
async def _empty(house: House) -> None:
    """Delete everything: all of these tests share one PostgreSQL."""
    async with house.store.write() as connection:
        await connection.execute(sa.delete(storage.tables))
        await connection.execute(sa.delete(schema.settings).where(schema.settings.c.key == "tidied"))


async def there(house: House) -> set[str]:
    """Return the tables in the database."""
    async with house.store.read() as connection:
        return set(
            await connection.run_sync(lambda connection: list(connection.scalars(sa.select(storage.tables.c.id))))
        )


@pytest.fixture
async def second(app: Litestar, settings: Settings) -> AsyncIterator[House]:
    """Open another process's house on the same database, if that is possible."""
    if settings.database.startswith("sqlite"):
        yield app.state.house
        return
    other = await House.open(settings, JOBS)
    yield other
    await other.close()


@SUITE
async def test_a_guest_hosts_so_many_tables_and_no_more(ann: Person, bob: Person, house: House) -> None:
    tables = [table for other in (OPEN, BOT) for table in await open_tables(house, ann, MOST // 2, ME, other)]
    refusal = await ann.refused("tables", 409, "too-many-tables", game="fortune")
    assert f"You already host {MOST} unfinished tables" in refusal["message"]
    assert len(refusal["allowed"]) == 3
    assert {*refusal["allowed"]} < {f"/t/{table}" for table in tables}
    for table in (tables[0], tables[-1]):  # one that waits and one under way
        await ann.do(f"tables/{table}/leave")
        await ann.make(ME, OPEN)
        await ann.refused("tables", 409, "too-many-tables", game="fortune")
    await bob.make(ME, BOT)


async def test_many_at_once_are_no_more(ann: Person, house: House, second: House) -> None:
    """This holds even on two processes."""

    async def one(where: House) -> list[str]:
        while True:
            with contextlib.suppress(StoreFailed):  # on a busy machine they wait longer than a house lets them
                return await open_tables(where, ann, 1, ME, OPEN)

    wanted = [one(where) for where in (house, second) for _ in range(MOST)]
    made = await asyncio.gather(*wanted, return_exceptions=True)
    assert sum(isinstance(one, list) for one in made) == MOST
    assert sum(isinstance(one, TooManyTables) for one in made) == MOST


@SUITE
async def test_an_address_has_so_many_tables_open_and_no_more(
    app: Litestar, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of guests doesn't matter, nor the way in which tables are created."""
    monkeypatch.setattr(origins, "MOST", 7)
    monkeypatch.setattr(origins, "LOOK", 3)
    elsewhere = httpx.ASGITransport(app=app, client=("198.51.100.1", 4711))
    async with Person(transport=elsewhere, base_url="http://house.test") as made_up:

        async def ask(path: str, **body: Any) -> httpx.Response:
            made_up.cookies.clear()
            return await made_up.post(f"/api/{path}", json=body)

        ways: list[tuple[str, dict[str, Any]]] = [
            ("tables", {"game": "fortune"}),
            ("tables", {"game": "fortune", "seats": [ME, OPEN]}),
            ("lessons", {"game": "fortune"}),
        ]
        made = [await ask(path, **body) for path, body in (*ways, *ways)]
        guest = dict(made_up.cookies)
        assert {answer.status_code for answer in made} == {201}
        answers = [await ask("lobby/play", game="gatsby", players=2) for _ in range(2)]  # they are paired
        assert answers[1].json()["url"]
        for path, body in (*ways, ("lobby/play", {"game": "gatsby"})):
            refused = await ask(path, **body)
            assert (refused.status_code, refused.json()["error"]["code"]) == (409, "too-many-tables")
            assert "People at your address already have 7 unfinished tables" in refused.json()["error"]["message"]
        await ann.make(ME, OPEN)  # a guest at another address may
        made_up.cookies.clear()
        made_up.cookies.update(guest)  # the learner of the last lesson
        await made_up.do(f"tables/{made[-1].json()['id']}/leave")
        assert (await ask("tables", game="fortune")).status_code == 201
        assert (await ask("tables", game="fortune")).status_code == 409


@SUITE
async def test_tables_that_wait_are_closed_in_the_end(ann: Person, bob: Person, house: House) -> None:
    old, played = await ann.make(ME, OPEN), await two_at_table(ann, bob, options=SHORT)
    await play_on(played, 5000, ann, bob, first=True)
    again = (await ann.do(f"tables/{played}/rematch"))["id"]
    live = await house.table(old)
    with house.presence.listening(live, "a guest") as listener:
        listener.news.clear()
        assert await sweep(house, "me", until(6.9)) == 0
        assert await sweep(house, "me", until(7.1)) == 2
        assert live.gone
        assert listener.news.is_set()  # the page's stream ends; its next request says why
    assert await there(house) >= {played}
    assert not await there(house) & {old, again}
    for answer in (await ann.get(f"/api/tables/{old}"), await ann.get(f"/t/{old}", headers={"accept": "text/html"})):
        assert answer.status_code == 404
        assert "a waiting table closes" in answer.text
    assert (await ann.see(played))["table"]["rematch"] == ""
    assert (await ann.do(f"tables/{played}/rematch"))["id"] not in ("", again)


async def test_games_against_bots_are_kept_as_long_as_is_said(
    ann: Person, bob: Person, house: House, settings: Settings
) -> None:
    alone = await ann.make(ME, BOT)
    left = await bots_alone(ann)
    shared = await two_at_table(ann, bob)
    passed = await ann.make(ME, HERE)
    gone = await two_at_table(ann, bob)
    for person in (ann, bob):  # bots play on, and both may come back
        await person.do(f"tables/{gone}/leave")
    both = await ann.make(ME, HERE)
    await ann.do(f"tables/{both}/leave")
    people = {shared, passed, gone, both}
    house.settings = replace(settings, keep=None)
    assert await sweep(house, "me", until(10_000)) == 0
    house.settings = settings
    assert await sweep(house, "me", until(29.9)) == 0
    assert await there(house) >= {alone, left, *people}
    assert await sweep(house, "me", until(30.1)) == 2
    assert await there(house) >= people
    assert not await there(house) & {alone, left}
    assert await sweep(house, "me", until(10_000)) == 0  # people's games are never deleted
    assert (await bob.see(shared))["table"]["status"] == "playing"


@SUITE
async def test_a_finished_game_against_bots_goes_and_one_touched_meanwhile_stays(ann: Person, house: House) -> None:
    over = await bots_alone(ann, options=SHORT)
    while (await ann.see(over))["table"]["status"] != "over":  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    assert await sweep(house, "me", until(30.1)) == 1
    touched = await ann.make(ME, OPEN)
    async with house.store.change(touched) as change:
        await change.set(touched=until(20))
    assert await sweep(house, "me", until(26.9)) == 0
    assert await sweep(house, "me", until(27.1)) == 1


async def test_it_is_done_in_pieces_and_by_one_process_only(
    ann: Person, house: House, second: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "PIECE", 4)
    monkeypatch.setattr(sweeping, "PAUSE", 0.0)
    tables = {await ann.make(ME, OPEN) for _ in range(10)}
    pieces: list[int] = []
    honest, others = house.store.clear, second.store.clear

    async def noted(mine: str, now: float, *rest: Any) -> list[str]:
        if pieces:  # in the middle of a round, another process tries to begin one
            assert await others("another", now, *rest) == []
        found = await honest(mine, now, *rest)
        pieces.append(len(found))
        return found

    monkeypatch.setattr(house.store, "clear", noted)
    now = until(8)
    assert await sweep(house, "me", now) == 10
    assert pieces == [4, 4, 2]
    assert not await there(house) & tables
    await ann.make(ME, OPEN)
    monkeypatch.setattr(house.store, "clear", honest)
    later = now + 8 * DAY
    assert await sweep(house, "me", later) == 1
    left = await ann.make(ME, OPEN)
    assert await second.store.clear("another", later + sweeping.REST - 1, None, sweeping.REST, 50) == []
    assert await there(house) >= {left}


@SUITE
async def test_a_clock_that_was_ahead_keeps_nobody_off_for_years(ann: Person, house: House) -> None:
    """The machine may have started with a wrong clock, or its clock was set wrong once."""
    await house.store.clear("before", until(3650), None, sweeping.REST, 50)
    table = await ann.make(ME, OPEN)
    assert await sweep(house, "me", until(8)) == 1
    assert table not in await there(house)


@SUITE
async def test_the_house_does_so_by_itself(ann: Person, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await ann.make(ME, OPEN)
    monkeypatch.setattr(sweeping, "FIRST", 0.0)
    done = asyncio.Event()

    async def noted(house: House, mine: str) -> int:
        found = await sweep(house, mine)
        done.set()
        return found

    monkeypatch.setattr(sweeping, "sweep", noted)
    if settings.database.startswith("sqlite"):
        settings = replace(settings, database=settings.database.replace("parlour.db", "other.db"))
    house = await House.open(settings, JOBS)
    try:
        await asyncio.wait_for(done.wait(), 30)
    finally:
        await house.close()
    assert (await ann.see(table))["table"]["status"] == "waiting"
