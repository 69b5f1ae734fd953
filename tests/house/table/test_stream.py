"""The stream: whole positions in order; missing some does no harm, and no page delays another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.house.house import House
from parlour.house.news import presence
from parlour.house.table.web import stream
from parlour.house.table.web.updates import Page
from tests.house.people import ME, OPEN, Person, guest_of, play_on, turn, two_at_table
from tests.house.serving import Nursery

WAIT = 10  # seconds


class Open:
    """An open page that reads messages when the test says so."""

    def __init__(self, house: House, events: AsyncIterator[bytes]) -> None:
        self.house, self.events = house, events

    async def message(self) -> bytes:
        return await asyncio.wait_for(anext(self.events), WAIT)

    async def update(self) -> Any:
        """Return the next update; skip anything else."""
        while True:
            text = (await self.message()).decode()
            if text.startswith("event: update\n"):
                head, data = text.removesuffix("\n\n").split("\ndata: ")
                made = json.loads(data)
                assert head == f"event: update\nid: {made['version']}"
                return made


@pytest.fixture
async def look(house: House) -> AsyncIterator[Callable[..., Any]]:
    """Yield a function that opens pages: await look(table, person, since)."""
    opened: list[Any] = []

    async def open_page(table: str, person: Person, since: int = -1) -> Open:
        guest = await guest_of(person)
        opened.append(stream.events(house, await house.table(table), guest.id, Page(since), "http://house.test"))
        return Open(house, opened[-1])

    yield open_page
    for events in opened:
        await events.aclose()


async def test_the_first_message_is_the_whole_and_the_next_what_was_done(
    ann: Person, bob: Person, look: Callable[..., Any]
) -> None:
    table = await two_at_table(ann, bob)
    start = (await ann.see(table))["table"]["version"]
    page = await look(table, ann)
    first = await page.update()
    assert [frame["version"] for frame in first["frames"]] == [start]
    assert 'data-key="scene"' in first["frames"][0]["html"]
    assert 'data-key="table"' in first["table"]
    assert first["frames"][0]["log"].count("<li") >= 3  # a new page gets the whole log
    person, _ = await turn(table, ann, bob)
    led_to = (await person.do(f"tables/{table}/moves", move="stop", version=start))["version"]
    second = await page.update()
    assert [frame["version"] for frame in second["frames"]] == list(range(start + 1, led_to + 1))
    assert second["frames"][0]["moment"] == "move"
    assert {frame["moment"] for frame in second["frames"]} >= {"roll", "turn"}


async def test_who_missed_steps_gets_them_and_who_missed_many_the_last(
    ann: Person, bob: Person, look: Callable[..., Any]
) -> None:
    table = await two_at_table(ann, bob)
    version = await play_on(table, 12, ann, bob)
    few = await (await look(table, ann, version - 3)).update()
    assert [frame["version"] for frame in few["frames"]] == [version - 2, version - 1, version]
    many = await (await look(table, bob, 0)).update()
    assert [frame["version"] for frame in many["frames"]] == [version]
    whole = (await ann.get(f"/t/{table}")).text
    assert many["frames"][0]["log"] in whole  # no gap in the log
    none = await (await look(table, bob, version)).update()
    assert none["frames"] == []
    future = await (await look(table, bob, version + 50)).update()  # the server went back to an older database
    assert [frame["version"] for frame in future["frames"]] == [version]


async def test_a_page_that_does_not_read_holds_up_nobody_and_then_gets_the_newest(
    ann: Person, bob: Person, look: Callable[..., Any]
) -> None:
    table = await two_at_table(ann, bob)
    slow, quick = await look(table, bob), await look(table, ann)
    await slow.update()
    await quick.update()
    seen = 0
    for _ in range(10):
        version = await play_on(table, 1, ann, bob)
        while seen < version:
            seen = (await quick.update())["version"]
    newest = await slow.update()
    assert newest["version"] == newest["frames"][-1]["version"] == version


async def test_seats_chat_and_start_are_sent_to_a_table_that_waits(
    ann: Person, bob: Person, look: Callable[..., Any]
) -> None:
    table = await ann.make(ME, OPEN)
    page = await look(table, ann)
    assert (await page.update())["frames"] == []
    await bob.do(f"tables/{table}/sit")
    assert "Bob" in (await page.update())["table"]
    await bob.do(f"tables/{table}/chat", text="ready & willing")
    assert "ready &amp; willing" in (await page.update())["table"]
    await ann.do(f"tables/{table}/start")
    begun = await page.update()
    assert [frame["version"] for frame in begun["frames"]] == list(range(1, begun["version"] + 1))


async def test_a_table_that_is_closed_ends_its_streams(ann: Person, bob: Person, look: Callable[..., Any]) -> None:
    table = await ann.make(ME, OPEN)
    page = await look(table, bob)
    await page.update()
    await ann.do(f"tables/{table}/leave")
    with pytest.raises(StopAsyncIteration):
        await page.update()


async def test_who_is_there_and_who_only_watches(
    ann: Person, bob: Person, arrive: Callable[[], Person], look: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(presence, "LEFT_AFTER", 0.05)
    table = await two_at_table(ann, bob)
    eve = arrive()
    pages = [await look(table, person) for person in (ann, ann, eve)]
    for page in pages:
        await page.update()
    view = (await bob.see(table))["table"]
    assert ([seat["present"] for seat in view["seats"]], view["watchers"]) == ([True, False], 1)
    await pages[1].events.aclose()  # one of two tabs
    await pages[2].events.aclose()
    view = (await bob.see(table))["table"]
    assert ([seat["present"] for seat in view["seats"]], view["watchers"]) == ([True, False], 0)


async def test_a_quiet_line_is_kept_open(
    ann: Person, bob: Person, look: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.02)
    page = await look(await two_at_table(ann, bob), ann)
    await page.update()
    assert (await page.message()).startswith(b":")


async def test_over_the_wire_a_restarted_server_goes_on_where_the_page_was(nursery: Nursery, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/parlour.db"
    server = nursery.start(database=database)
    async with Person(base_url=server.url) as ann, Person(base_url=server.url) as bob:
        table = await two_at_table(ann, bob)
        start = (await ann.see(table))["table"]["version"]
        async with ann.stream("GET", f"/api/tables/{table}/events") as answer:
            assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
            lines = answer.aiter_lines()
            assert [await anext(lines) for _ in range(4)] == ["retry: 1000", "", "event: update", f"id: {start}"]
        version = await play_on(table, 2, ann, bob)
        server.kill()
        server = nursery.start(database=database)
        ann.base_url = bob.base_url = httpx.URL(server.url)
        headers = {"Last-Event-ID": str(start)}  # what a browser sends automatically
        async with ann.stream("GET", f"/api/tables/{table}/events", headers=headers) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    frames = json.loads(line[6:])["frames"]
                    assert [frame["version"] for frame in frames] == list(range(start + 1, version + 1))
                    break
        assert (await ann.see(table))["table"]["my_seat"] == 0  # the cookie is still valid
