"""Rated games over two processes on one PostgreSQL: who is absent, and that each game counts once."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial

import httpx
import pytest

from parlour import bots
from parlour.house.app import create_app, open_house
from parlour.house.house import House
from parlour.house.ratings import rows as rating_rows
from parlour.house.settings import Settings
from parlour.house.table.live.deciding import as_asked, deciding
from tests.house.people import ME, OPEN, Person
from tests.house.ratings.test_rated import known, rows_of, when_counted

pytestmark = pytest.mark.service


@dataclass
class Two:
    """Two houses, and two people who use both."""

    houses: list[House]
    ann: list[Person]
    bob: list[Person]


@pytest.fixture
async def two(database: str) -> AsyncIterator[Two]:
    apps = [create_app(Settings(database=database, pace=0, engine="plain", limits=False)) for _ in range(2)]
    async with AsyncExitStack() as stack:
        people: list[list[Person]] = [[], []]
        for app in apps:
            house = await open_house(app)
            stack.push_async_callback(house.close)
            for one in people:
                transport = httpx.ASGITransport(app=app)
                person = Person(
                    transport=transport, base_url="http://house.test", cookies=one[0].cookies if one else None
                )
                one.append(await stack.enter_async_context(person))
                await person.get("/api/me")
        yield Two([app.state.house for app in apps], *people)


@pytest.fixture
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot that takes over decide quickly."""
    monkeypatch.setattr(bots, "default", lambda _: "greedy")


@pytest.mark.usefixtures("quick_bots")
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.suite("False")
async def test_who_is_away_at_the_end_has_lost_once_whichever_process_saw_it(two: Two, back: bool) -> None:
    """Bob leaves at the second. Moves are made at both, and with `back` he sits down again at the first: only a player
    who is away at the end has lost regardless of the scores."""
    word = secrets.token_hex(5)  # a name can be claimed only once in the database of these tests
    ids = [await known(two.ann[0], f"Ann {word}"), await known(two.bob[0], f"Bob {word}")]
    for one in (two.ann, two.bob):
        one[1].cookies = httpx.Cookies(one[0].cookies)  # signing in changes the cookie
    table = await two.ann[0].make(ME, OPEN, game="fortune", rated=True)
    await two.bob[1].do(f"tables/{table}/sit")
    await two.ann[1].do(f"tables/{table}/start")
    await two.bob[1].do(f"tables/{table}/leave")
    await two.ann[0].refused(f"tables/{table}/end", 403, "forbidden")
    await two.ann[0].do(f"tables/{table}/pace", pace="instant")
    if back:
        await two.bob[0].do(f"tables/{table}/sit")
    choice = random.Random(1)
    async with asyncio.timeout(300):
        while True:
            at = int(choice.random() < 0.05)  # mostly at the first, which is late to see the other's changes
            live, _ = await two.houses[at].look(table, ids[0])
            if live.over:
                break
            people = {0: two.ann[at], 1: two.bob[1 - at]} if back else {0: two.ann[at]}
            if not (decide := [seat for seat in deciding(live) if seat in people]):
                await two.ann[at].see(table)  # without anyone who looks no bot plays
                await asyncio.sleep(0.01)
            for seat in decide:
                legal = as_asked(live, seat).legal_actions()
                body = {"move": choice.choice(legal), "version": live.known.version(seat)}
                await people[seat].post(f"/api/tables/{table}/moves", json=body)  # refused if the other was faster
    counted = [await when_counted(house, table) for house in two.houses]
    assert counted[0] == counted[1] == await rows_of(two.houses[0], table)
    hers, his = counted[0]
    assert (hers.number, hers.away, his.away) == (his.number, False, not back)
    if not back:
        assert hers.mu > 25.0 > his.mu
    for who, row in zip(ids, counted[0], strict=True):
        kept = [await house.store.look(partial(rating_rows.of, player=who)) for house in two.houses]
        assert [[(one.mu, one.games) for one in found] for found in kept] == [[(row.mu, 1)]] * 2
