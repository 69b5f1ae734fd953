"""The memory of a table with people, in the middle of a game."""

from __future__ import annotations

import asyncio
import gc
import random
import tracemalloc
from pathlib import Path

import pytest

from parlour.conformance.cases import random_steps
from parlour.core.match import Match
from parlour.games import all_games, find
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.news import beats
from parlour.house.settings import Settings
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.table import Table
from parlour.house.table.play import moving
from parlour.house.table.web.stream import events
from parlour.house.table.web.updates import Page
from tests.house.shelf import Shelf

TABLES, PAGES, MOVES = 4, 4, 6  # enough tables that the house's own new memory hardly counts
MOST = 300_000  # bytes
LONG = 400  # steps at most: random play takes far longer than people


def halfway(name: str) -> Match:
    """Return a random game in its middle, or at the length of a long game of people."""
    game = find(name)
    players = min(PAGES, game.facts.players[-1])
    whole = Match(game, players, seed=1, auto=False)
    for _ in random_steps(whole, 1, 2 * LONG):
        pass
    match = Match(game, players, seed=1, auto=False)
    for _ in random_steps(match, 1, min(LONG, len(whole.steps) // 2)):
        pass
    return match


class Busy:
    """A table at which people play, with four pages open."""

    def __init__(self, house: House, live: Table) -> None:
        self.house, self.live = house, live
        guests = [seat.guest_id for seat in live.seats] + ["eve", "fay"]
        self.pages = [
            events(house, live, guest, Page(live.version, changes=True, packed=True), "http://house.test")
            for guest in guests[:PAGES]
        ]

    async def play(self) -> None:
        """Make some moves, which all pages show."""
        choice = random.Random(1)
        for _ in range(MOVES):
            if self.live.match is None or self.live.questions.open or not deciding(self.live):
                return
            (seat,) = deciding(self.live)
            body = moving.MoveBody(
                version=self.live.known.version(seat), move=choice.choice(self.live.match.legal_actions())
            )
            await moving.move(self.house, self.live.id, self.live.seats[seat].guest_id, body)
            for page in self.pages:
                await anext(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", all_games())
@pytest.mark.suite("family-trade")
async def test_a_table_takes_300_kilobytes_at_most(name: str, tmp_path: Path) -> None:
    database, match = f"sqlite:///{tmp_path}/parlour.db", halfway(name)
    names = [f"{number:08x}" for number in range(TABLES + 1)]
    async with Shelf(database) as shelf:
        for table in names:
            await shelf.put(table, match)
    house = await House.open(Settings(database=database, pace=0, engine="plain", tables=100, patience=600), JOBS)
    house.watchdog.stop()  # tracing memory causes many stalls, whose reports take memory too
    busy: list[Busy] = []

    async def begin(table: str) -> None:
        busy.append(Busy(house, await house.table(table)))
        for page in busy[-1].pages:
            for _ in range(2):
                await anext(page)
        await busy[-1].play()

    await begin(names[0])  # loads what all tables share
    await asyncio.sleep(2 * beats.BEAT)  # and lets the house's regular jobs run
    gc.collect()
    tracemalloc.start()
    for table in names[1:]:
        await begin(table)
    gc.collect()
    size = tracemalloc.get_traced_memory()[0] / TABLES
    tracemalloc.stop()
    print(f"\n{name}: {size / 1000:.0f} KB a table after {len(match.steps)} steps")
    for one in busy:
        for page in one.pages:
            await page.aclose()
    await house.close()
    assert size <= MOST
