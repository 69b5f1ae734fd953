"""Clocks run while people delete their accounts, sign out, sign in and claim a name: no one waits forever."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from parlour.house.house import House
from parlour.house.table.live.deciding import deciding
from tests.house.people import ME, OPEN, Person, turn

PASSWORD = "correct horse"
TEMPI: list[dict[str, Any]] = [{"bank": 60.0, "increment": 5.0}, {"delay": 86400}]


async def begun(ann: Person, bob: Person, tempo: dict[str, Any]) -> str:
    """Start a game of two with clocks in which it is Bob's turn; return its id."""
    table = await ann.make(ME, OPEN, tempo=tempo)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    while (await turn(table, ann, bob))[0] is not bob:
        seen = await ann.see(table)
        await ann.do(f"tables/{table}/moves", move=seen["legal"][-1], version=seen["table"]["version"])
    return table


@pytest.mark.parametrize("tempo", TEMPI)
async def test_who_deletes_themself_in_their_turn_is_followed_by_a_bot_and_the_others_clock_runs(
    house: House, ann: Person, bob: Person, tempo: dict[str, Any]
) -> None:
    table = await begun(ann, bob, tempo)
    live = await house.table(table)
    seat = deciding(live)[0]
    assert live.row.began
    mine = live.ledger.left[1 - seat]
    await bob.do("me/delete", word="delete")
    async with asyncio.timeout(60):
        while not live.over and 1 - seat not in deciding(live):
            await ann.see(table)  # a guest looks, so bots move
            await asyncio.sleep(0.02)
    seen = await ann.see(table)
    assert seen["legal"] or live.over
    names = [one["name"] for one in seen["table"]["seats"]]
    assert "Bob" not in " ".join(names)
    assert "Bob" not in (await ann.get(f"/t/{table}")).text
    assert live.ledger.left[1 - seat] == pytest.approx(mine, abs=0.01)  # she lost no time meanwhile
    assert live.row.due is not None
    assert (await house.store.load(table)).table.turn == (await ann.get("/api/me")).json()["id"]


@pytest.mark.parametrize("tempo", TEMPI)
async def test_claiming_signing_out_and_in_leave_the_clock_as_it_runs(
    house: House, ann: Person, bob: Person, tempo: dict[str, Any]
) -> None:
    table = await begun(ann, bob, tempo)
    live = await house.table(table)
    before = (live.row.began, live.row.used, live.row.due, dict(enumerate(live.ledger.left)))
    await bob.do("me/claim", name="Bob", password=PASSWORD)
    await bob.do("me/sign-out")
    assert not (await bob.see(table))["legal"]  # a guest again; the clock of the seat runs
    await bob.do("me/sign-in", name="Bob", password=PASSWORD)
    assert (live.row.began, live.row.used, live.row.due, dict(enumerate(live.ledger.left))) == before
    seen = await bob.see(table)
    await bob.do(f"tables/{table}/moves", move=seen["legal"][-1], version=seen["table"]["version"])
    kept = (await house.store.load(table)).table
    assert kept.due is not None
    assert kept.turn
