"""A database that committed a change without confirming it, because the connection broke: a retry gets the answer, and
the game continues."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from parlour.house.database.store import Store
from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.showing import log_to
from parlour.house.table.live.signs import named
from tests.house import faults
from tests.house.forging import ROYALE_SEATS, forge_here, royale
from tests.house.people import BOT, ME, OPEN, Person

OWN, WANTS, OTHER = "1 oil 1 shrimp", "2 gold", "1 shares 1 diamond"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return Settings(database=settings.database, pace=0, patience=0.1, engine="plain", limits=False)


def lose(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """Make the next call of this method of the store fail after it has done its work."""
    real = getattr(Store, method)

    async def once(store: Store, *arguments: Any, **named: Any) -> None:
        monkeypatch.setattr(Store, method, real)
        faults.note("the connection lost at a commit")
        await real(store, *arguments, **named)
        raise StoreFailed("The connection was lost.")

    monkeypatch.setattr(Store, method, once)


def lose_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the next transaction on a table fail after its commit."""
    real = Store.change

    @asynccontextmanager
    async def once(store: Store, table: str) -> Any:
        monkeypatch.setattr(Store, "change", real)
        faults.note("the connection lost at a commit")
        async with real(store, table) as change:
            yield change
        raise StoreFailed("The connection was lost.")

    monkeypatch.setattr(Store, "change", once)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def send_twice(person: Person, table: str, move: str) -> None:
    """Make a move that fails after it was stored, and send it again as the page does."""
    seen = await person.see(table)
    version = seen["table"]["version"]
    body = {"move": move, "version": version, "id": f"at {version}"}
    await person.refused(f"tables/{table}/moves", 503, "storage-failed", **body)
    await person.do(f"tables/{table}/moves", **body)


async def test_a_bot_plays_on_after_the_move(ann: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await ann.make(ME, BOT)
    live = await house.table(table)
    await until(lambda: deciding(live) == (0,))
    while True:
        lose(monkeypatch, "append")
        legal = (await ann.see(table))["legal"]
        await send_twice(ann, table, "stop" if "stop" in legal else legal[0])
        monkeypatch.undo()
        if deciding(live) != (0,):
            break
    await until(lambda: live.over or deciding(live) == (0,))


async def test_the_game_goes_on_after_the_answer(ann: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """It continues even without a time limit, when no clock makes the house check."""
    made = await ann.do("tables", **ROYALE_SEATS, seats=[BOT, ME])
    live = await forge_here(house, made["id"], royale(OWN, WANTS))

    async def choose(*_: Any, **__: Any) -> int:
        return int(live.match.state.drawn)  # type: ignore[union-attr]

    monkeypatch.setattr(house.workers, "choose", choose)
    house.go_on(live)
    await until(lambda: deciding(live) == (1,))
    question = live.questions.open
    assert question is not None
    await until(lambda: question.task is not None and question.task.done())
    lose(monkeypatch, "answer")
    await send_twice(ann, live.id, "take")
    await until(lambda: live.questions.open is None)
    log = " ".join(line.text for line in log_to(live, 1, live.known.version(1)).lines)
    assert "Ann takes the Gold" in named(log, live.match.names)  # type: ignore[union-attr]


async def test_a_bot_plays_on_after_the_end_of_a_question(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, BOT, OPEN])
    await bob.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    live = await forge_here(house, made["id"], royale(OWN, OTHER, WANTS))
    monkeypatch.setattr("parlour.house.table.jobs.asking.RETRY", 0.01)
    lose_transaction(monkeypatch)
    await ann.do(f"tables/{live.id}/moves", move="discard gold", version=live.known.version(0))
    await until(lambda: deciding(live) == (1,))
    await until(lambda: deciding(live) != (1,))
