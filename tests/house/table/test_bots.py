"""Bots at the table: in their own processes, at a pace that people can follow, and despite every failure."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar

from parlour.core.match import Match
from parlour.core.replay import replay, verify
from parlour.games import find
from parlour.house.app import create_app, open_house
from parlour.house.errors import NoAnswer
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live.audience import Asked, Remote
from parlour.house.table.live.deciding import bot_to_move
from parlour.house.table.live.looking import looked_at, waited_for
from parlour.house.table.storage import upkeep
from parlour.house.workers.pool import OURS, Workers
from tests.house.people import BOT, ME, OPEN, Person, bots_alone, play_on
from tests.house.serving import Nursery, lives

WAIT = 60  # seconds


async def _until(person: Person, table: str, good: Callable[[Any], bool]) -> Any:
    """Read the table until something is true."""
    end = time.monotonic() + WAIT
    while True:
        seen = await person.see(table)
        if good(seen):
            return seen
        assert time.monotonic() < end, seen["table"]["version"]
        await asyncio.sleep(0.05)


async def test_a_person_and_a_bot_begin_at_once_and_play_in_turn(ann: Person, house: House) -> None:
    table = str((await ann.do("tables", game="fortune"))["id"])  # two clicks: only the game is given
    view = (await ann.see(table))["table"]
    assert [(seat["kind"], seat["name"]) for seat in view["seats"]] == [("guest", "Ann"), ("bot", "Medium bot")]
    for _ in range(6):
        seen = await _until(ann, table, lambda seen: seen["legal"] or seen["table"]["status"] == "over")
        if seen["table"]["status"] == "over":
            break
        await ann.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
    record = await ann.record(table)
    assert {actor for actor, _ in record.steps} == {-1, 0, 1}
    replay(record, find)
    assert house.workers.processes()
    assert os.getpid() not in house.workers.processes()


async def test_bots_alone_play_to_the_end(ann: Person) -> None:
    bots = [{"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "random"}, BOT]
    table = await bots_alone(ann, *bots, options={"target": "5000", "round_limit": "100"})
    await _until(ann, table, lambda seen: seen["table"]["status"] == "over")
    record = await ann.record(table)
    assert record.names == ("Ann", "Greedy bot", "Random bot", "Greedy bot (2)")
    verify(record, find)


@pytest.mark.usefixtures("own_workers")
async def test_a_worker_that_dies_is_replaced_and_asked_again(ann: Person, house: House) -> None:
    table = await bots_alone(ann, {"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"})
    for _ in range(2):
        version = (await ann.see(table))["table"]["version"]
        seen = await _until(ann, table, lambda seen: seen["table"]["version"] > version)  # noqa: B023
        for pid in house.workers.processes():
            with contextlib.suppress(ProcessLookupError):  # the pool ends the others when one has died
                os.kill(pid, signal.SIGKILL)
        version = seen["table"]["version"]
    await _until(ann, table, lambda seen: seen["table"]["version"] > version + 3)
    replay(await ann.record(table), find)


def _compiles() -> bool:
    """Return whether this process has loaded the compiler, or is loading it."""
    return "numba" in sys.modules or any(thread.name.startswith("compile") for thread in threading.enumerate())


@pytest.mark.usefixtures("own_workers")
@pytest.mark.parametrize("engine", ["plain", ""])
@pytest.mark.suite("plain")
async def test_a_house_whose_engine_is_plain_compiles_nothing_for_its_bots(engine: str) -> None:
    workers, match = Workers(1, engine=engine), Match(find("fortune"), 2, seed=3)
    try:
        async with workers.turn(OURS):
            await workers.choose(match, match.current_player, "greedy")
            assert await workers.ask("the test", _compiles) == (not engine)
    finally:
        workers.stop()


async def test_who_leaves_is_played_for(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await bob.do(f"tables/{table}/leave")
    for _ in range(3):
        seen = await _until(ann, table, lambda seen: seen["legal"])
        await ann.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
    await bob.do(f"tables/{table}/sit")
    await play_on(table, 1, ann, bob)


async def test_a_rematch_with_bots_begins_at_once(ann: Person) -> None:
    table = await bots_alone(ann, BOT, options={"target": "5000", "round_limit": "100"})
    await _until(ann, table, lambda seen: seen["table"]["status"] == "over")
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    view = (await ann.see(again))["table"]
    assert view["status"] == "playing"
    assert [(seat["kind"], seat["name"]) for seat in view["seats"]] == [("bot", "Greedy bot"), ("guest", "Ann")]


async def test_bots_take_their_time(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/parlour.db", engine="plain")  # with the table's own pace
    app = create_app(settings)
    house = await open_house(app)
    try:
        async with Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as ann:
            table = await bots_alone(ann, {"kind": "bot", "bot": "random"}, pace=0.4)
            moments = []
            for _ in range(3):
                version = (await ann.see(table))["table"]["version"]
                await _until(ann, table, lambda seen: seen["table"]["version"] > version)  # noqa: B023
                moments.append(time.monotonic())
            assert all(later - sooner > 0.35 for sooner, later in pairwise(moments))
    finally:
        await house.close()


async def test_bots_hurry_for_the_one_person_until_that_person_decides(tmp_path: Path) -> None:
    """With bots that take 30 seconds, a hurried one answers at once; the next takes its time again. With two people at
    the table no one can hurry."""
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/parlour.db", engine="plain", limits=False))
    house = await open_house(app)
    try:
        transport = httpx.ASGITransport(app=app)
        async with (
            Person(transport=transport, base_url="http://house.test") as ann,
            Person(transport=transport, base_url="http://house.test") as bob,
        ):
            made = await ann.do("tables", game="fortune", seats=[ME, BOT], pace=30)
            table = str(made["id"])
            live = await house.table(table)
            for turn in range(2):
                while bot_to_move(live) is None:  # its first roll may have ended its turn
                    seen = await ann.see(table)
                    await ann.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
                await asyncio.sleep(0.3)
                assert bot_to_move(live) is not None, turn  # it takes its time, even after it was hurried once
                await ann.do(f"tables/{table}/pace", once=True)
                await _until(ann, table, lambda seen: seen["legal"])
            assert (await ann.see(table))["table"]["pace"] == 30
            other = await ann.make(ME, OPEN, BOT)
            await bob.do(f"tables/{other}/sit")
            await ann.refused(f"tables/{other}/pace", 403, "forbidden", once=True)
    finally:
        await house.close()


def _children(pid: int) -> list[int]:
    """Return the processes that this one started (Linux only)."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if not listed.exists():
        pytest.skip("this system does not list the children of a process")
    return [int(child) for child in listed.read_text().split()]


@pytest.mark.slow
async def test_after_kill_9_the_bots_go_on_and_no_process_is_left_behind(nursery: Nursery, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/parlour.db"
    server = nursery.start(database=database, pace=0.05)
    async with Person(base_url=server.url) as ann:
        table = await bots_alone(ann)
        seen = await _until(ann, table, lambda seen: seen["table"]["version"] > 8)
    children = _children(server.pid)
    assert children
    server.kill()
    end = time.monotonic() + 10
    while any(map(lives, children)):
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
    again = nursery.start(database=database, pace=0)
    async with Person(base_url=again.url) as ann:
        await _until(ann, table, lambda now: now["table"]["version"] > seen["table"]["version"] + 3)


@pytest.mark.usefixtures("own_workers")
async def test_who_waits_behind_one_that_takes_too_long_is_answered_all_the_same() -> None:
    workers = Workers(1)

    async def ask(work: Callable[[Any], Any], argument: object, limit: float) -> Any:
        async with workers.turn(OURS):
            return await workers.ask("a bot", work, argument, limit=limit)

    try:
        await workers.warm()
        slow = asyncio.create_task(ask(time.sleep, 60, limit=1))
        await asyncio.sleep(0.1)
        waiting = [asyncio.create_task(ask(abs, -number, limit=30)) for number in range(4)]
        with pytest.raises(NoAnswer):
            await slow
        assert await asyncio.gather(*waiting) == [0, 1, 2, 3]
    finally:
        workers.stop()


async def test_a_decision_over_which_processes_die_lets_others_have_their_turn(
    ann: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would be retried forever, and no other bot in the house would move."""
    table = await house.table(await ann.make(ME, BOT))
    asked = 0

    async def ask(*_: Any, **__: Any) -> int:
        nonlocal asked
        asked += 1
        if asked > 100:
            raise AssertionError
        raise NoAnswer("The computation failed or took too long. Please try again.")

    monkeypatch.setattr(house.workers, "ask", ask)
    with pytest.raises(NoAnswer):
        await house.workers.choose(table.fork(), 0, "greedy")
    assert 1 < asked < 10


async def test_a_table_needs_a_person(ann: Person) -> None:
    refusal = await ann.refused("tables", 400, "bad-setup", game="fortune", seats=[BOT, BOT])
    assert refusal["message"].startswith("A table needs at least one person: ")
    table = await ann.make(OPEN, OPEN)  # its host has no seat
    await ann.refused(f"tables/{table}/start", 400, "bad-setup", bots=True)
    await ann.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start", bots=True)


@pytest.mark.parametrize("crowd", [False, True], ids=["of one guest", "of a guest each"])
@pytest.mark.suite("of a guest each")
async def test_two_hundred_tables_made_at_one_address_hold_up_nobody_at_another(
    app: Litestar, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch, crowd: bool
) -> None:
    """We count, rather than time, the decisions made for others before the bot of a person with one table moves.
    Dropping the cookie before each table gains nothing."""
    served: list[str] = []
    honest = house.workers.choose

    async def choose(match: Match, seat: int, bot: str, **_: object) -> int:
        served.append("Bob" if "Bob" in match.names else "another")
        return await honest(match, seat, bot)

    monkeypatch.setattr(house.workers, "choose", choose)
    monkeypatch.setattr(upkeep, "MOST", 200)  # more tables than a guest may have
    async with house.workers.turn(OURS):  # the only place, so all others wait
        elsewhere = httpx.ASGITransport(app=app, client=("198.51.100.1", 4711))
        async with Person(transport=elsewhere, base_url="http://house.test") as ann:
            theirs: set[str] = set()
            while len(theirs) < 200:
                if crowd:
                    ann.cookies.clear()
                theirs.add(await ann.make(ME, BOT, BOT, BOT))
        mine = await bob.make(ME, BOT)
        for _ in range(20):  # Bob's rolls, if he begins
            live = await house.table(mine)
            if bot_to_move(live) is not None:
                break
            await bob.do(f"tables/{mine}/moves", move="stop", version=live.version)
        assert house.workers.waiting > 100
        assert not served
        version = live.version
    await _until(bob, mine, lambda seen: seen["table"]["version"] > version)
    assert served[: served.index("Bob") + 1].count("another") <= 1


async def test_bots_wait_where_nobody_looks(ann: Person, house: House) -> None:
    table = await bots_alone(ann, BOT, BOT)
    live = await house.table(table)

    async def minute_passes() -> None:
        live.audience.asked = Asked()
        while live.work.bots is not None and not live.work.bots.done():  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    await minute_passes()
    assert bot_to_move(live) is not None
    version = live.version
    assert not live.busy()  # nothing happens there, so it may be unloaded
    await _until(ann, table, lambda seen: seen["table"]["version"] > version + 3)  # a request counts as looking
    with house.presence.listening(live, "nobody") as listener:  # and so is a page
        live.audience.asked = Asked()
        version = live.version
        while live.version < version + 10:
            listener.news.clear()
            await listener.news.wait()
    await minute_passes()
    live.audience.remotes["elsewhere"] = Remote(frozenset({"a guest"}), time.monotonic())
    assert looked_at(live)
    assert not waited_for(live)  # no player is looking


async def test_a_start_loads_no_table(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain")
    version, table = 0, ""
    cookies: dict[str, str] = {}
    for _ in range(2):
        app = create_app(settings)
        house = await open_house(app)
        try:
            assert not house.tables
            transport = httpx.ASGITransport(app=app)
            async with Person(transport=transport, base_url="http://house.test", cookies=cookies) as ann:
                table = table or await bots_alone(ann, BOT, BOT)
                seen = await _until(ann, table, lambda seen: seen["table"]["version"] > version + 3)  # noqa: B023
                version, cookies = seen["table"]["version"], dict(ann.cookies)
        finally:
            await house.close()
