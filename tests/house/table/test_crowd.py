"""A thousand spectators at one table: it is drawn once for all of them, and others hardly notice."""

from __future__ import annotations

import asyncio
import contextlib
import re
import resource
import statistics
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from parlour.house.house import House
from parlour.house.news import presence
from parlour.house.site import drawing
from parlour.house.table.live.audience import PORTION, Listener
from parlour.house.table.web.stream import events
from parlour.house.table.web.updates import Page
from tests.house.people import Person, play_on, turn, two_at_table
from tests.house.serving import Nursery

MANY = 1000
HELD = 0.05  # seconds of the event loop, in one piece
WAIT = 120  # seconds, on a busy machine


class Crowd:
    """Pages of spectators in this process."""

    def __init__(self, house: House, live: Any, many: int) -> None:
        self.got = [0] * many
        self.bytes: set[bytes] = set()
        self.tasks = [asyncio.create_task(self._look(house, live, number)) for number in range(many)]

    async def _look(self, house: House, live: Any, number: int) -> None:
        page = Page(changes=True, packed=True)
        async for chunk in events(house, live, f"stranger-{number}", page, "http://house.test"):
            self.got[number] += len(chunk)
            self.bytes.add(chunk)

    async def quiet(self) -> None:
        """Wait until no page has got anything for a while."""
        seen: list[int] = []
        while seen != self.got or not all(self.got):
            seen = [*self.got]
            await asyncio.sleep(1.0)

    async def leave(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture
async def crowd(ann: Person, bob: Person, house: House) -> AsyncIterator[Any]:
    """Start a game of two with a thousand spectators."""
    table = await two_at_table(ann, bob)
    made = Crowd(house, live := await house.table(table), MANY)
    await made.quiet()
    yield table, live, made
    await made.leave()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often scenes and the rest of pages have been drawn."""
    count = {"scene_drawing": 0, "table_drawing": 0}

    def counting(name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            count[name] += 1
            return draw(*args)

        return counted

    for name in count:
        monkeypatch.setattr(drawing, name, counting(name, getattr(drawing, name)))
    return count


async def test_a_move_is_drawn_once_for_all_who_look_on(
    crowd: Any, ann: Person, bob: Person, drawn: dict[str, int]
) -> None:
    table, live, made = crowd
    before, sent = live.version, len(made.bytes)
    await play_on(table, 1, ann, bob, first=True)
    await made.quiet()
    assert 1 <= drawn["scene_drawing"] <= live.version - before  # each position once
    assert drawn["table_drawing"] == 0  # nothing in it has changed
    assert len(made.bytes) - sent <= 2  # the same bytes for all of them, and the heartbeat
    await ann.do(f"tables/{table}/chat", text="hello")
    await made.quiet()
    assert drawn["table_drawing"] == 1


async def test_what_was_drawn_is_let_go_with_the_last_who_looks(crowd: Any, ann: Person, bob: Person) -> None:
    table, live, made = crowd
    await play_on(table, 3, ann, bob)
    await made.quiet()
    assert len(live.audience._views) == 1
    await made.leave()
    assert live.audience._views == {}
    assert not live.audience.present()


async def test_news_are_sent_in_portions_and_to_players_first(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    live = await house.table(table)
    guests = [(await person.get("/api/me")).json()["id"] for person in (ann, bob)]
    listeners = [Listener(f"stranger-{number}") for number in range(100)] + [Listener(guest) for guest in guests]
    for listener in listeners:
        live.audience.add(listener)
    live.wake()
    woken: list[set[str]] = []
    for turn_of_the_loop in range(20):
        if turn_of_the_loop == 3:
            live.wake()  # again, before all were notified: no page is left out, and players come first again
        woken.append({one.guest for one in listeners if one.news.is_set()})
        for one in listeners:
            one.news.clear()
        await asyncio.sleep(0)
    assert all(len(some) <= PORTION for some in woken)
    order = [some for some in woken if some]
    assert [order[0], order[1]] in ([{guests[0]}, {guests[1]}], [{guests[1]}, {guests[0]}])
    assert set().union(*order[2:4]) <= {f"stranger-{number}" for number in range(100)}
    assert set().union(*order[4:6]) == {*guests}
    assert sum(map(len, order[6:])) == 100


async def test_who_comes_and_goes_wakes_nobody_at_once(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await two_at_table(ann, bob)
    live, woken = await house.table(table), 0
    wake = live.wake

    def counted() -> None:
        nonlocal woken
        woken += 1
        wake()

    monkeypatch.setattr(live, "wake", counted)
    monkeypatch.setattr(presence, "SEEN_AFTER", 0.2)
    monkeypatch.setattr(presence, "LEFT_AFTER", 0.3)
    listening = [house.presence.listening(live, f"stranger-{number}") for number in range(MANY)]
    for one in listening:
        one.__enter__()
    assert woken == 0
    async with asyncio.timeout(WAIT):
        while not woken:  # noqa: ASYNC110 - it is a timer that is waited for
            await asyncio.sleep(0.01)
    assert (await ann.see(table))["table"]["watchers"] == MANY
    for one in listening:
        one.__exit__(None, None, None)
    assert woken == 1
    async with asyncio.timeout(WAIT):
        while woken == 1:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert live.audience.noticed == (frozenset(), 0, frozenset())
    with house.presence.listening(live, "stranger-0"):  # a reloaded page
        pass
    with house.presence.listening(live, "stranger-1"):
        await asyncio.sleep(0.5)
        assert woken == 3
    with house.presence.listening(live, "stranger-2"):  # one replaces another: no news
        await asyncio.sleep(0.7)
    assert woken == 3


async def test_who_was_missed_by_a_page_that_was_opened_meanwhile_is_told_to_it(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both lose the connection; Bob is back first, and his page says that Ann is away."""
    table = await two_at_table(ann, bob)
    live, woken = await house.table(table), asyncio.Event()
    guests = [seat.guest_id for seat in live.seats]
    monkeypatch.setattr(presence, "SEEN_AFTER", 0.2)
    with house.presence.listening(live, guests[0]), house.presence.listening(live, guests[1]):
        await asyncio.sleep(0.5)
        assert live.audience.noticed[0] == {*guests}
    monkeypatch.setattr(live, "wake", woken.set)
    with house.presence.listening(live, guests[1]):
        assert live.audience.noticed[0] == {guests[1]}
        with house.presence.listening(live, guests[0]):
            async with asyncio.timeout(WAIT):
                await woken.wait()
            assert live.audience.noticed[0] == {*guests}


# Over real sockets ----------------------------------------------------------------------------------


async def _look_on(url: str, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a stream as a browser does, and read its first message."""
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    ask = f"GET /api/tables/{table}/events?have=. HTTP/1.1\r\nHost: {place.netloc}\r\nAccept-Encoding: gzip\r\n\r\n"
    writer.write(ask.encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _drain(reader: asyncio.StreamReader, got: list[float]) -> None:
    with contextlib.suppress(ConnectionError):
        while await reader.read(65536):
            got[0] = time.monotonic()


def _stalls(heard: Path) -> list[tuple[float, str]]:
    """Return for how many seconds the loop was blocked, each time, and where."""
    found = re.findall(r"of which (\d+) ms were computation, in: (.*)", heard.read_text())
    return [(float(ms) / 1000, where) for ms, where in found]


@pytest.mark.slow
async def test_a_thousand_who_look_on_hardly_delay_anybody_else(nursery: Nursery, tmp_path: Path) -> None:
    """We measure how long the event loop is blocked, after which other requests get their turn; and how long a stranger
    really waits, with and without such a table. Most of that is this test, which reads a thousand pages on the same
    cores."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    heard = tmp_path / "heard"
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", said=str(heard), deadlines={"LIMIT": HELD})
    got = [0.0]
    async with (
        Person(base_url=server.url, timeout=WAIT) as ann,
        Person(base_url=server.url, timeout=WAIT) as bob,
        Person(base_url=server.url, timeout=WAIT) as stranger,
    ):
        table = await two_at_table(ann, bob)
        waits: dict[str, list[float]] = {"alone": [], "beside them": []}

        async def wait_for(what: str, until: Callable[[], bool]) -> None:
            while not until():
                began = time.monotonic()
                await stranger.get("/api/me")
                waits[what].append(time.monotonic() - began)
                await asyncio.sleep(0.005)

        await wait_for("alone", lambda: len(waits["alone"]) >= 100)
        streams = []
        for _ in range(MANY // 50):
            streams += await asyncio.gather(*(_look_on(server.url, table) for _ in range(50)))
        drains = [asyncio.create_task(_drain(reader, got)) for reader, _ in streams]
        while time.monotonic() - got[0] < 2:  # noqa: ASYNC110 - until nothing comes any more
            await asyncio.sleep(0.1)
        opened, took = len(_stalls(heard)), []
        for _ in range(15):
            person, seen = await turn(table, ann, bob)
            began = time.monotonic()
            move = asyncio.create_task(
                person.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])
            )
            await wait_for("beside them", lambda began=began: got[0] > began and time.monotonic() - got[0] > 0.1)
            await move
            took.append(got[0] - began)
        stalls = _stalls(heard)[opened:]
        server.kill()
        for task in drains:
            task.cancel()
        for _, writer in streams:
            writer.close()
    for what, times in waits.items():
        cut = statistics.quantiles(times, n=100)
        print(f"\na stranger {what}: median {cut[49] * 1000:.0f} ms, p99 {cut[98] * 1000:.0f} ms,"
              f" longest {max(times) * 1000:.0f} ms of {len(times)}")  # fmt: skip
    print(f"all {MANY} pages in {statistics.median(took) * 1000:.0f} ms; the loop was blocked: {stalls or 'never'}")
    assert [one for one in stalls if one[0] > HELD] == []
    assert statistics.median(waits["beside them"]) < statistics.median(waits["alone"]) + 0.1  # it was seven seconds
