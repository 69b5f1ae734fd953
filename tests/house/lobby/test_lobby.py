"""The lobby's lists and their stream: live, shared by all who see the same, and silent about moves."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import statistics
import time
import zlib
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.http.places import OF_A_GUEST, Places
from parlour.house.lobby import api as lobby_api
from parlour.house.lobby import lists
from parlour.house.lobby import rows as lobby_rows
from parlour.house.lobby.api import lobby_events
from parlour.house.lobby.pages import about, awaited, own_tables
from parlour.house.lobby.rows import LISTED
from tests.house.people import BOT, LINK, ME, OPEN, Person, guest_of, open_tables, turn, two_at_table
from tests.house.serving import Nursery

WAIT = 20.0  # seconds, on a busy machine


class Page:
    """An open page of the lobby in a house of this process, with the last version of each list."""

    def __init__(self, house: House, guest: str, *, packed: bool = False) -> None:
        self.lists: dict[str, str] = {}
        self.messages: list[bytes] = []
        self._events = lobby_events(house, guest, packed=packed)
        self._unpack = zlib.decompressobj(wbits=31) if packed else None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Page:
        self._task = asyncio.create_task(self._read())
        await self.until(lambda: bool(self.lists))
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._events.aclose()

    async def _read(self) -> None:
        async for raw in self._events:
            data = self._unpack.decompress(raw) if self._unpack else raw
            if data.startswith(b"event: lists"):
                self.messages.append(data)
                self.lists.update(lists_in(data))

    async def until(self, good: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT):
            while not good():
                if self._task is not None and self._task.done():
                    self._task.result()
                await asyncio.sleep(0.01)

    def shows(self, key: str, table: str) -> bool:
        return f"/t/{table}" in self.lists[key]


def lists_in(event: bytes) -> dict[str, str]:
    """Return the lists in a message, by their keys."""
    html = json.loads(event.partition(b"data: ")[2])["html"]
    pieces = re.split(r'(?=<\w+ class="[a-z ]+" data-key="(?:waiting|playing|past|running)")', html)
    return {found[1]: piece for piece in pieces if (found := re.search(r'data-key="(\w+)"', piece))}


@pytest.fixture
async def page(house: House, arrive: Callable[[], Person]) -> AsyncIterator[Page]:
    """Open the lobby of a guest who plays nowhere."""
    async with Page(house, (await guest_of(arrive())).id) as opened:
        yield opened


async def test_a_table_comes_and_goes_within_two_seconds(ann: Person, bob: Person, page: Page) -> None:
    async def soon(key: str, table: str, *, shown: bool) -> None:
        before = time.monotonic()
        await page.until(lambda: page.shows(key, table) == shown)
        assert time.monotonic() - before < 2

    table = await ann.make(ME, OPEN, OPEN, options={"target": "5000"})
    await soon("waiting", table, shown=True)
    assert "Where the finish line is: 5,000 points" in page.lists["waiting"]
    assert "</svg>Ann</bdi> is waiting</span>" in page.lists["waiting"]
    assert "2 of 3 free" in page.lists["waiting"]
    await bob.do(f"tables/{table}/sit")
    await page.until(lambda: "1 of 3 free" in page.lists["waiting"])
    await bob.do("me", name="Bea")
    await page.until(lambda: "</svg>Bea</bdi>" in page.lists["waiting"])
    await ann.do(f"tables/{table}/start", bots=True)
    await soon("waiting", table, shown=False)
    await soon("playing", table, shown=True)
    other = await ann.make(ME, OPEN)
    await soon("waiting", other, shown=True)
    await ann.do(f"tables/{other}/seats", seat=1, kind="link")  # no seat is free for others
    await soon("waiting", other, shown=False)
    await ann.do(f"tables/{other}/seats", seat=1, kind="open")
    await soon("waiting", other, shown=True)
    await ann.do(f"tables/{other}/leave")
    await soon("waiting", other, shown=False)
    assert "No one is waiting." in page.lists["waiting"]


async def test_a_private_table_is_in_its_players_list_alone(ann: Person, house: House, page: Page) -> None:
    async with Page(house, (await guest_of(ann)).id) as mine:
        secret = await ann.make(ME, OPEN, public=False)
        shown = await ann.make(ME, OPEN)
        await page.until(lambda: page.shows("waiting", shown))
        await mine.until(lambda: mine.shows("running", secret) and mine.shows("running", shown))
        assert not mine.shows("waiting", shown)  # it is her own
        assert secret.encode() not in b"".join(page.messages)


async def test_a_lobby_shows_its_guest_where_it_is_their_turn(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    async with Page(house, (await guest_of(ann)).id) as anns, Page(house, (await guest_of(bob)).id) as bobs:
        pages = {ann: anns, bob: bobs}
        for _ in range(3):
            mover, seen = await turn(table, ann, bob)
            waiter = bob if mover is ann else ann
            await pages[mover].until(lambda: "<strong>your turn" in pages[mover].lists["running"])  # noqa: B023
            await pages[waiter].until(lambda: "<strong>your turn" not in pages[waiter].lists["running"])  # noqa: B023
            await mover.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])


async def test_a_list_of_games_says_what_each_waits_for(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    waiting = await ann.make(ME, OPEN)
    mover, _ = await turn(table, ann, bob)
    names = {ann: (await guest_of(ann)).name, bob: (await guest_of(bob)).name}
    for person in (ann, bob):
        found = await awaited(house, (await guest_of(person)).id)
        assert found[table] == ("your turn" if person is mover else f"waiting for {names[mover]}")
        assert found.get(waiting) == ("waiting for players" if person is ann else None)
    await bob.do(f"tables/{waiting}/sit")
    assert (await awaited(house, (await guest_of(ann)).id))[waiting] == "waiting for the start"


async def test_a_lesson_is_listed_as_one(ann: Person) -> None:
    await ann.do("lessons", game="fortune", ruleset="")
    assert "<b>Fortune: lesson</b>" in (await ann.get("/")).text


async def test_pages_that_see_the_same_share_one_drawing_and_its_compression(
    ann: Person, house: House, arrive: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    real = lobby_api.lobby_list

    def counted(key: str, *shown: Any) -> Any:
        drawn.append(key)
        return real(key, *shown)

    monkeypatch.setattr(lobby_api, "lobby_list", counted)
    async with contextlib.AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(Page(house, (await guest_of(arrive())).id, packed=True)) for _ in range(12)
        ]
        drawn.clear()
        table = await ann.make(ME, OPEN)
        for one in pages:
            await one.until(lambda: one.shows("waiting", table))  # noqa: B023
        assert drawn == ["waiting"]
        assert len({message for one in pages for message in one.messages[-1:]}) == 1


async def test_ft_26_a_move_is_sent_to_no_page_but_those_of_its_players(
    ann: Person, bob: Person, house: House, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even its place in the list shows it, when an hour has passed since the last move; nor does a new age."""
    tables = [await two_at_table(ann, bob) for _ in range(3)]
    hour = time.time() // 3600 * 3600 - 3600  # another minute than the one in which the lists were made
    for table in tables[:2]:
        async with house.store.change(table) as change:
            await change.set(touched=hour - 7200, created=hour - 120)
    monkeypatch.setattr(lists, "_minute", lambda: hour)
    house.lobby.note()
    await page.until(lambda: all(page.shows("playing", table) for table in tables))
    monkeypatch.setattr(lists, "_minute", lambda: hour + 60)
    await page.until(lambda: "3 min" in page.lists["playing"])
    before, looked = len(page.messages), house.lobby._looked
    for table in tables:
        mover, seen = await turn(table, ann, bob)
        await mover.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
    await page.until(lambda: not house.lobby._news and house.lobby._looked > looked)
    assert len(page.messages) == before
    monkeypatch.setattr(lists, "_minute", lambda: hour + 120)  # only with the minute
    await page.until(lambda: "4 min" in page.lists["playing"])
    assert len(page.messages) == before + 1


async def test_of_many_games_none_is_pushed_in_or_out_by_a_move(ann: Person, bob: Person, house: House) -> None:
    tables = await open_tables(house, ann, 25, ME, BOT) + await open_tables(house, bob, 15, ME, BOT)
    for one in [*house.tables.values()]:
        if one.work.bots is not None:  # its move would be within this hour
            await one.work.bots
    for i, table in enumerate(tables):  # yesterday, all in different hours from this one
        async with house.store.change(table) as change:
            await change.set(created=time.time() - 86400 - i, touched=time.time() - 7200)
    await house.lobby.look()
    listed = [one.table.id for one in house.lobby.others.playing]
    assert listed == tables[:LISTED]
    for table in (tables[20], tables[35]):
        async with house.store.change(table) as change:
            await change.set(touched=time.time())
    await house.lobby.look()
    assert [one.table.id for one in house.lobby.others.playing] == listed
    house.lobby.others = house.lobby.others._replace(time=0.0)  # the minute is over
    await house.lobby.look()
    assert [one.table.id for one in house.lobby.others.playing[:3]] == [tables[20], tables[35], tables[0]]


async def test_nobody_looks_where_no_page_is_open_and_once_a_second_where_many_are(
    ann: Person, house: House, arrive: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    real = lobby_rows.others

    def counted(connection: sa.Connection, since: Any) -> Any:
        looks.append(time.monotonic())
        return real(connection, since)

    monkeypatch.setattr(lobby_rows, "others", counted)
    for _ in range(5):
        await ann.make(ME, OPEN)
    assert not looks
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(10):
            await stack.enter_async_context(Page(house, (await guest_of(arrive())).id))
        looks.clear()
        until = time.monotonic() + 2.5
        while time.monotonic() < until:
            await ann.do("me", name=f"Ann {len(looks)}")
            house.lobby.note()
            await asyncio.sleep(0.05)
        assert 1 <= len(looks) <= 3
    assert not house.lobby.own
    assert not house.lobby.audience.listeners


async def test_ones_tables_are_read_again_only_where_something_changed(ann: Person, house: House) -> None:
    guest = (await guest_of(ann)).id
    table = await ann.make(ME, OPEN)  # where no bot moves meanwhile
    changes = (await house.store.look(partial(lobby_rows.own, guests=[guest])))[guest]
    known = await own_tables(house, guest, None, changes)
    assert set(changes) == {table}
    wrong = known._replace(running=tuple(turn._replace(mine=not turn.mine) for turn in known.running))
    assert await own_tables(house, guest, wrong, changes) == wrong  # it was not read again
    assert await own_tables(house, guest, wrong, {table: changes[table] + 1}) != wrong


async def test_what_a_table_is_for_is_said_in_words(ann: Person, house: House) -> None:
    table = await ann.make(
        ME, OPEN, game="family-trade", options={"ruleset": "god-of-the-market", "honour_calls": "on"}
    )
    row = (await house.store.load(table)).table
    said = "God of the Market · A false &#34;done!&#34;, for a penalty of 100,000: possible"
    assert about(row) == said.replace("&#34;", '"')
    text = (await Person(transport=ann._transport, base_url="http://house.test").get("/")).text
    assert said in text
    assert 'data-for="family-trade.god-of-the-market" data-seats="2"' in text
    assert "</mark> Prices on the market table <a" in text  # a house value, by its title


async def test_a_link_to_a_seat_is_in_no_list(ann: Person, house: House, page: Page) -> None:
    table = await ann.make(ME, OPEN, LINK)
    await page.until(lambda: page.shows("waiting", table))
    (token,) = [seat.token for seat in (await house.store.load(table)).seats if seat.token]
    async with Page(house, (await guest_of(ann)).id) as mine:
        assert mine.shows("running", table)
        assert token.encode() not in b"".join(mine.messages + page.messages)


async def test_the_stream_goes_on_when_the_database_was_away(
    ann: Person, house: House, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise StoreFailed("away")

    with monkeypatch.context() as patched:
        patched.setattr(lobby_rows, "others", away)
        table = await ann.make(ME, OPEN)
        looked = house.lobby._looked
        await page.until(lambda: house.lobby._looked > looked)
        assert not page.shows("waiting", table)
    await page.until(lambda: page.shows("waiting", table))


async def test_the_house_closes_with_pages_open(house: House, page: Page) -> None:
    house.close_streams()
    assert page._task is not None
    await asyncio.wait_for(page._task, WAIT)


async def test_a_place_is_taken_and_refused(app: Litestar, ann: Person) -> None:
    app.state.places = places = Places(100, limits=True)
    places._open[(await guest_of(ann)).id] = OF_A_GUEST
    answer = await ann.get("/api/lobby/events")
    assert answer.status_code == 429
    assert "You already have 12 pages open" in answer.json()["error"]["message"]


# Several processes --------------------------------------------------------------------------------
async def _follow(person: Person, seen: dict[str, str]) -> None:
    with contextlib.suppress(httpx.HTTPError):
        async with person.stream("GET", "/api/lobby/events", timeout=WAIT) as answer:
            event = b""
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    event = line.encode()
                    seen.update(lists_in(event))


@pytest.mark.service
@pytest.mark.parametrize("away", [False, True])
async def test_what_is_done_through_another_process_is_sent_too(
    away: bool, database: str, redis_url: str, nursery: Nursery
) -> None:
    """This also works without Redis, and for a guest's own tables."""
    redis = {} if away else {"redis": redis_url}
    urls = [nursery.start(database=database, **redis).url for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack:
        here, there = [await stack.enter_async_context(Person(base_url=url, timeout=WAIT)) for url in urls]
        same = await stack.enter_async_context(Person(base_url=urls[0], timeout=WAIT))
        await there.do("me", name="Bob")
        same.cookies = there.cookies  # Bob's other device
        shown: list[dict[str, str]] = [{}, {}]
        tasks = [asyncio.create_task(_follow(who, seen)) for who, seen in zip((here, same), shown, strict=True)]

        async def until(good: Callable[[], bool]) -> float:
            before = time.monotonic()
            async with asyncio.timeout(WAIT):
                while not good():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            return time.monotonic() - before

        await until(lambda: all(shown))
        table = await there.make(ME, OPEN)
        took = [
            await until(lambda: table in shown[0]["waiting"]),
            await until(lambda: table in shown[1]["running"]),
        ]
        await here.do(f"tables/{table}/sit")
        await there.do(f"tables/{table}/start")
        took.append(await until(lambda: table not in shown[0]["waiting"] and table in shown[0]["running"]))
        for _ in range(2):
            mover, seen = await turn(table, here, there)
            own, other = shown if mover is here else shown[::-1]
            took.append(await until(lambda: "your turn" in own["running"] and "your turn" not in other["running"]))  # noqa: B023
            await mover.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
        assert statistics.median(took) < 3  # a second for the news, one to query; a busy machine may take longer once
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_the_lobby_begins_with_the_game_that_was_played_last(ann: Person, bob: Person) -> None:
    def chosen(page: str) -> list[str]:
        return re.findall(r'<article class="pick game-([\w-]+)"><label class="tile"><input [^>]* checked', page)

    assert len(chosen((await ann.get("/")).text)) == 1
    table = await two_at_table(ann, bob, game="gatsby")
    assert chosen((await ann.get("/")).text) == []  # their own table leads
    for person in (ann, bob):
        await person.do(f"tables/{table}/end")
    assert chosen((await ann.get("/")).text) == ["gatsby"]
