"""Bots at the table: in processes of their own, at a pace people can follow, and going on whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.core.replay import replay, verify
from parlour.games import find
from parlour.table.errors import NoAnswer
from parlour.table.house.house import House
from parlour.table.house.workers import Workers
from parlour.table.settings import Settings
from parlour.table.web.app import create_app
from tests.table.people import BOT, ME, OPEN, Person, play_on
from tests.table.serving import Nursery, lives

WAIT = 60  # seconds


async def _until(person: Person, table: str, good: Callable[[Any], bool]) -> Any:
    """See the table until something is so."""
    end = time.monotonic() + WAIT
    while True:
        seen = await person.see(table)
        if good(seen):
            return seen
        assert time.monotonic() < end, seen["table"]["version"]
        await asyncio.sleep(0.02)


async def test_a_person_and_a_bot_begin_at_once_and_play_in_turn(ann: Person, house: House) -> None:
    table = str((await ann.do("tables", game="fortune"))["id"])  # two clicks: nothing else is said
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
    table = await ann.make(*bots, options={"target": "5000", "round_limit": "100"})
    await _until(ann, table, lambda seen: seen["table"]["status"] == "over")
    record = await ann.record(table)
    assert record.names == ("Greedy bot", "Random bot", "Greedy bot (2)")
    verify(record, find)


async def test_a_worker_that_dies_is_replaced_and_asked_again(ann: Person, house: House) -> None:
    table = await ann.make({"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"})
    for _ in range(2):
        version = (await ann.see(table))["table"]["version"]
        seen = await _until(ann, table, lambda seen: seen["table"]["version"] > version)  # noqa: B023
        for pid in house.workers.processes():
            os.kill(pid, signal.SIGKILL)
        version = seen["table"]["version"]
    await _until(ann, table, lambda seen: seen["table"]["version"] > version + 3)
    replay(await ann.record(table), find)


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
    table = await ann.make(BOT, BOT, options={"target": "5000", "round_limit": "100"})
    await _until(ann, table, lambda seen: seen["table"]["status"] == "over")
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    assert (await ann.see(again))["table"]["status"] in ("playing", "over")


async def test_bots_take_their_time(tmp_path: Path) -> None:
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/parlour.db"))  # no override: the table's own pace
    house: House = app.state.house
    await house.open()
    try:
        async with Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as ann:
            table = await ann.make({"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"}, pace=0.4)
            moments = []
            for _ in range(3):
                version = (await ann.see(table))["table"]["version"]
                await _until(ann, table, lambda seen: seen["table"]["version"] > version)  # noqa: B023
                moments.append(time.monotonic())
            assert all(later - sooner > 0.35 for sooner, later in pairwise(moments))
    finally:
        await house.close()


def _children(pid: int) -> list[int]:
    """Processes that this one started (Linux only)."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if not listed.exists():
        pytest.skip("this system does not list the children of a process")
    return [int(child) for child in listed.read_text().split()]


@pytest.mark.slow
async def test_after_kill_9_the_bots_go_on_and_no_process_is_left_behind(nursery: Nursery, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/parlour.db"
    server = nursery.start(database=database, pace=0.05)
    async with Person(base_url=server.url) as ann:
        table = await ann.make(BOT, BOT)
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


async def test_who_waits_behind_one_that_takes_too_long_is_answered_all_the_same() -> None:
    workers = Workers(1)
    try:
        await workers.warm()
        slow = asyncio.create_task(workers.ask("a slow bot", time.sleep, 60, limit=1))
        await asyncio.sleep(0.1)
        waiting = [asyncio.create_task(workers.ask("another", abs, -number, limit=30)) for number in range(4)]
        with pytest.raises(NoAnswer):
            await slow
        assert await asyncio.gather(*waiting) == [0, 1, 2, 3]
    finally:
        workers.stop()
