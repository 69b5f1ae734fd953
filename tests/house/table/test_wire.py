"""The bytes that a move takes on the wire: a real server, real sockets, pages like a browser's."""

from __future__ import annotations

import asyncio
import random
import statistics
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from parlour.games import all_games, find
from tests.house.people import ME, OPEN, Person
from tests.house.serving import Nursery
from tests.house.watching import Watching

PAGES = 4
MOVES = 15
USUAL = 10_000  # bytes that a move costs on average, all four pages together, in any course of a game
MOST = 20_000  # and at most: it may end a deal, or lead to another card, roll and bust


@pytest.fixture
async def guests(nursery: Nursery, tmp_path: Path) -> AsyncIterator[list[Person]]:
    """Start a house with four people."""
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", patience=0.3)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Person(base_url=server.url, timeout=60)) for _ in range(PAGES)]
    server.kill()


async def seated(game: str, people: list[Person]) -> tuple[str, int]:
    """Start a game of all of them who may play; the others watch. Return its id and the number of players."""
    players = min(len(people), find(game).facts.players[-1])
    made = await people[0].do("tables", game=game, seats=[ME, *[OPEN] * (players - 1)], hints=True)
    for person in people[1:players]:
        await person.do(f"tables/{made['id']}/sit")
    await people[0].do(f"tables/{made['id']}/start")
    return str(made["id"]), players


async def decides(table: str, people: list[Person]) -> tuple[Person, Any] | None:
    """Return the player whose turn it is and what they see, or None when the game is over."""
    async with asyncio.timeout(60):
        while True:
            for person in people:
                seen = await person.see(table)
                if seen["table"]["status"] == "over":
                    return None
                if seen["legal"]:
                    return person, seen
            await asyncio.sleep(0.05)  # a secret question is open, and its time passes


@pytest.mark.parametrize("game", all_games())
@pytest.mark.suite("family-trade", "facets-of-fortune")
async def test_a_move_costs_less_than_ten_kilobytes_on_the_wire(game: str, guests: list[Person]) -> None:
    table, players = await seated(game, guests)
    pages = [Watching(person, table) for person in guests]
    for page in pages:
        await page.open()
        assert page.encoding == "gzip"
    choice, costs = random.Random(4), []
    for _ in range(MOVES):
        found = await decides(table, guests[:players])
        if found is None:
            break
        person, seen = found
        before = sum(len(page.raw) for page in pages)
        move = choice.choice(seen["legal"])
        await person.do(f"tables/{table}/moves", move=move, version=seen["table"]["version"])
        for guest, page in zip(guests, pages, strict=True):
            reached = (await guest.see(table))["table"]["version"]
            await page.until(lambda page=page, reached=reached: page.version >= reached)
        costs.append(sum(len(page.raw) for page in pages) - before)
        assert costs[-1] <= MOST
    print(f"\n{game}: {statistics.mean(costs):.0f} bytes a move to four pages, {max(costs)} at most")
    assert len(costs) > 10
    assert statistics.mean(costs) <= USUAL
    for page in pages:  # before one is closed, which the others show only seconds later
        await page.becomes_fresh()
    for page in pages:
        await page.close()
