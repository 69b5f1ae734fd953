"""No task outlives its table, whether that is unloaded, closed, expired, swept away, or ends with the house.

A waiting task refers to its table, so a freed table has no tasks.
"""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.jobs.sweeping import sweep
from parlour.house.table.live.audience import Asked
from parlour.house.table.live.deciding import bot_to_move
from parlour.house.table.live.table import Table
from tests.house.forging import ROYALE_SEATS, begun, discard
from tests.house.people import BOT, ME, OPEN, Person, bots_alone
from tests.house.table.test_upkeep import until

Way = Callable[[House, Person, str], Awaitable[None]]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", tables=2, keep=30)


@pytest.fixture
def thinking(house: House, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Make bots think forever; return an event that is set when one does."""
    begun = asyncio.Event()

    async def choose(*_: object, **__: object) -> int:
        begun.set()
        return int(await asyncio.Event().wait())

    monkeypatch.setattr(house.workers, "choose", choose)
    return begun


async def freed(table: weakref.ref[Table]) -> None:
    """Wait until nothing refers to the table."""
    for _ in range(200):
        gc.collect()
        if table() is None:
            return
        await asyncio.sleep(0.05)
    held = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    raise AssertionError(held)


async def swept(house: House, _: Person, table: str) -> None:
    assert await sweep(house, "me", until(31)) == 1
    assert table not in house.tables


async def evicted(house: House, ann: Person, table: str) -> None:
    """Unload a table without pages by loading others. While the bot thinks, it would stay."""
    live = await house.table(table)
    live.audience.asked = Asked()
    assert live.work.bots is not None
    live.work.bots.cancel()  # as after its move
    await asyncio.wait([live.work.bots])
    for _ in range(6):
        await ann.see(await ann.make(ME, OPEN))
    assert table not in house.tables


async def ruled_out(house: House, ann: Person, table: str) -> None:
    """Close it as another process with other rules would."""
    async with house.store.change(table) as change:
        await change.set(status="closed")
    live = await house.table(table)
    live.doubtful = True
    assert (await ann.see(table))["table"]["status"] == "closed"
    assert bot_to_move(live) is None
    house.forget(live)


@pytest.mark.parametrize("way", [swept, evicted, ruled_out])
@pytest.mark.suite("evicted")
async def test_where_a_bot_thinks(ann: Person, house: House, thinking: asyncio.Event, way: Way) -> None:
    table = await bots_alone(ann, BOT, BOT)
    await thinking.wait()
    live = weakref.ref(await house.table(table))
    await way(house, ann, table)
    await freed(live)
    assert house.workers.thinking == house.workers.waiting == 0


async def test_where_a_question_is_open(ann: Person, bob: Person, arrive: Callable[[], Person], house: House) -> None:
    people = [ann, bob, arrive()]
    table = await house.table(await begun(*people))
    await discard(table, *people)
    assert table.work.asking is not None
    live, table_id = weakref.ref(table), table.id
    async with house.store.write() as connection:
        await connection.run_sync(lambda one: one.exec_driver_sql("DELETE FROM tables").close())
    house.closed(table_id)
    del table
    await freed(live)


async def expired(house: House, _: Person, table: str) -> None:
    assert await sweep(house, "me", until(8)) == 1
    assert table not in house.tables


async def left(_: House, ann: Person, table: str) -> None:
    await ann.do(f"tables/{table}/leave")


@pytest.mark.parametrize("way", [expired, left])
async def test_where_pages_are_open(ann: Person, bob: Person, house: House, way: Way) -> None:
    """Their streams end, and the table is freed."""
    table = await ann.make(ME, OPEN)
    streams = [asyncio.create_task(person.get(f"/api/tables/{table}/events")) for person in (ann, bob)]
    live = weakref.ref(await house.table(table))
    while len(audience(live)) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await way(house, ann, table)
    done, _ = await asyncio.wait(streams, timeout=20)
    assert len(done) == 2
    await freed(live)


def audience(table: weakref.ref[Table]) -> set[Any]:
    """Return the open pages of a table."""
    live = table()
    return live.audience.listeners if live is not None else set()


async def test_with_the_house(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House, thinking: asyncio.Event
) -> None:
    await bots_alone(ann, BOT, BOT)
    await thinking.wait()
    people = [arrive(), bob, arrive()]
    await discard(await house.table(await begun(*people)), *people)
    alone = (await ann.do("tables", **ROYALE_SEATS, seats=[ME, BOT, BOT]))["id"]
    await ann.see(alone)
    assert len(house._tasks) >= 3
    await house.close()
    assert not house._tasks
    coroutines = [task.get_coro() for task in asyncio.all_tasks()]
    ours = str(Path(parlour.__file__).parent)
    assert not [one for one in coroutines if getattr(one, "cr_code", freed.__code__).co_filename.startswith(ours)]
