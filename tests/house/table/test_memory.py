"""Tables in memory: idle ones are unloaded, busy ones stay, and a table's tasks end with it.

The houses of these tests keep two tables in memory (conftest.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour.core.match import Match
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live.table import Table
from tests.house.forging import begun, discard
from tests.house.people import ME, OPEN, Person, two_at_table


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", tables=2, patience=0.3, limits=False
    )


async def others(house: House, person: Person, tables: int = 6) -> None:
    """Create and open other tables as another person."""
    for _ in range(tables):
        await person.see(await person.make(ME, OPEN))
    assert len(house.tables) <= 3


async def test_quiet_tables_leave_memory_and_come_back(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    version = (await ann.see(table))["table"]["version"]
    live = await house.table(table)
    await others(house, bob)
    assert table not in house.tables
    assert (await ann.see(table))["table"]["version"] == version
    assert await house.table(table) is not live


async def test_a_table_with_an_open_question_stays_in_memory_and_goes_on(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    """A task of an unloaded table once ran in an endless loop, and blocked the whole house."""
    cid = arrive()
    table = await house.table(await begun(ann, bob, cid))
    await discard(table, ann, bob, cid)
    assert table.questions.open is not None
    await others(house, arrive())
    assert house.tables.get(table.id) is table
    for _ in range(200):
        if table.questions.open is None:
            break
        await asyncio.sleep(0.02)
    assert table.questions.open is None  # the card was drawn


async def test_a_table_that_waits_for_its_lock_is_not_two_tables(ann: Person, bob: Person, house: House) -> None:
    """If it is unloaded between being found and being locked, it is found again."""
    table = await two_at_table(ann, bob)
    old = await house.table(table)
    await old.lock.acquire()

    async def held() -> object:
        async with house.hold(table) as live:
            return live

    waiting = asyncio.create_task(held())
    await asyncio.sleep(0)
    old.lock.release()
    del house.tables[table]  # as loading another table might, before the waiting task runs
    assert await waiting is house.tables[table] is not old


async def test_a_table_that_is_dropped_as_it_comes_is_handed_over(
    ann: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ann.make(ME, OPEN)
    del house.tables[table]
    load = house._load

    async def dropped(table_id: str) -> Table:
        live = await load(table_id)
        del house.tables[table_id]  # as loading others at the same time might
        return live

    monkeypatch.setattr(house, "_load", dropped)
    assert (await house.table(table)).id == table
    monkeypatch.setattr(house, "_load", load)
    async with house.hold(table) as live:
        assert live is house.tables[table]


async def test_bots_go_on_where_the_table_is_now(ann: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of an unloaded table would think forever, and never move."""
    chosen: list[int] = []

    async def choose(match: Match, *_: object, **__: object) -> int:
        chosen.append(len(match.steps))
        if len(chosen) == 3:
            del house.tables[table]
        return match.legal_action_ids()[0]

    monkeypatch.setattr(house.workers, "choose", choose)
    table = await ann.make(ME, *[{"kind": "bot", "bot": "random"}] * 3)
    await ann.do(f"tables/{table}/leave")
    old = await house.table(table)
    while len(chosen) < 3:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert old.work.bots is not None
    await old.work.bots
    assert len(chosen) < 10
    live, _ = await house.look(table, "nobody")
    assert live is not old
    with house.presence.listening(live, "nobody") as listener:
        while live.version < old.version + 10:
            await listener.news.wait()
            listener.news.clear()
    assert chosen[2] in chosen[3:]  # the lost move is chosen again


async def test_what_is_done_at_a_table_ends_with_it(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    people = [ann, bob, arrive()]
    table = await house.table(await begun(*people))
    await discard(table, *people)
    task = table.work.asking
    assert task is not None
    assert not task.done()
    house.forget(table)
    await asyncio.wait([task], timeout=5)
    assert task.done()


async def test_a_house_closes_whatever_waits(ann: Person, bob: Person, house: House) -> None:
    table = await house.table(await begun(ann, bob))
    await discard(table, ann, bob)
    await asyncio.wait_for(house.close(), 5)
