"""The regular checks of the database continue, even if one of them fails."""

from __future__ import annotations

import asyncio

import pytest

from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.news import lookout
from parlour.house.news.lookout import Lookout
from parlour.house.table.live.table import Table
from tests.house.people import ME, OPEN, Person


async def test_a_table_that_cannot_be_read_keeps_no_other_from_its_news(ann: Person, house: House) -> None:
    tables = [await house.table(await ann.make(ME, OPEN)) for _ in range(2)]
    read: list[Table] = []

    async def refresh(table: Table) -> None:
        if table is tables[0]:
            raise IndexError("a fault in the rules of a game")
        read.append(table)

    for table in tables:
        table.changes = -1  # the database has more
    await Lookout(house.store, lambda: tables, refresh, lambda: False, lambda _: None).look()
    assert read == tables[1:]
    assert not tables[0].lock.locked()


async def test_it_looks_again_after_any_failure(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout, "BEAT", 0.001)
    honest, looks = house.store.check, 0

    async def check() -> str:
        nonlocal looks
        looks += 1
        if looks == 1:
            raise RuntimeError("an unexpected error")
        return await honest()

    monkeypatch.setattr(house.store, "check", check)
    taken = asyncio.Event()
    task = asyncio.create_task(
        Lookout(house.store, list, house.refresh, lambda: False, lambda _: taken.set()).run()  # new keys are used
    )
    done, _ = await asyncio.wait([task, asyncio.create_task(taken.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert task not in done
    task.cancel()


async def test_what_is_missed_during_a_look_is_looked_for_after_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.store, "sqlite", False)  # as with PostgreSQL and Redis: no check without a reason
    monkeypatch.setattr(lookout, "SELDOM", 10**9)
    monkeypatch.setattr(lookout, "BEAT", 0.001)
    watch = Lookout(house.store, list, house.refresh, lambda: True, lambda _: None)
    looks, enough = 0, asyncio.Event()

    async def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            watch.hurry()  # news was missed during a check
        elif looks == 2:
            raise StoreFailed("The database is away for a moment.")
        else:
            enough.set()

    monkeypatch.setattr(watch, "look", look)
    task = asyncio.create_task(watch.run())
    watch.hurry()
    await asyncio.wait_for(enough.wait(), 60)
    task.cancel()
