"""Hosts delete their waiting tables; players hide finished games from their list, and may show them again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
import sqlalchemy as sa

from parlour.house.house import House
from parlour.house.lobby import rows as lobby_rows
from parlour.house.ratings import results, schema
from tests.house.people import ME, OPEN, Person, guest_of, play_on, two_at_table


async def _past(person: Person) -> bool:
    text = (await person.get("/")).text
    return "/t/" in text.split('data-key="past"')[1].split("</section>")[0]


async def _over(ann: Person, bob: Person) -> str:
    table = await two_at_table(ann, bob, options={"target": "5000", "finish": "at_least"})
    await play_on(table, 5000, ann, bob, first=True)
    assert (await ann.see(table))["table"]["status"] == "over"
    return table


async def test_a_table_that_waits_is_gone_for_all_at_once(ann: Person, bob: Person, house: House) -> None:
    table = await ann.make(ME, OPEN)
    await bob.do(f"tables/{table}/sit")
    await bob.refused(f"tables/{table}/delete", 403, "not-host")
    await ann.do(f"tables/{table}/delete")
    assert (await bob.get(f"/t/{table}")).status_code == 404
    assert table not in (await bob.get("/")).text
    await ann.refused(f"tables/{table}/delete", 404, "unknown-table")
    guest = (await guest_of(ann)).id
    assert await house.store.look(partial(lobby_rows.own, guests=[guest])) == {guest: {}}


async def test_a_game_under_way_is_left_not_deleted(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    refused = await ann.refused(f"tables/{table}/delete", 409, "already-started")
    assert "If you leave it" in refused["message"]
    await bob.refused(f"tables/{table}/delete", 403, "not-host")


async def test_a_finished_game_leaves_ones_own_list_alone_and_comes_back(
    ann: Person, bob: Person, house: House
) -> None:
    table = await _over(ann, bob)
    assert await _past(ann)
    for _ in range(2):  # twice does no harm
        await ann.do(f"tables/{table}/delete")
    assert not await _past(ann)
    assert await _past(bob)
    assert (await ann.get(f"/t/{table}")).status_code == 200
    snapshot = await house.store.load(table)
    assert {seat.guest_id for seat in snapshot.seats} == {(await guest_of(who)).id for who in (ann, bob)}
    for _ in range(2):
        await ann.do(f"tables/{table}/delete", back=True)
    assert await _past(ann)


async def test_the_list_says_how_each_game_ended(ann: Person, bob: Person, house: House) -> None:
    table = await _over(ann, bob)

    async def said(person: Person) -> str:
        return (await person.get("/")).text.split('data-key="past"')[1].split("</section>")[0]

    async def stored() -> bool:
        return await house.store.look(partial(results.has_outcome, table_id=table))

    for _ in range(600):
        if await stored():
            break
        await asyncio.sleep(0.05)
    shares, scores = zip(*(await house.store.look(partial(results.ends, tables=[table])))[table], strict=True)
    margin = f"{abs(scores[0] - scores[1]):,}"
    for person, share in zip((ann, bob), shares, strict=True):
        assert f"You {'won' if share else 'lost'} by {margin}" in await said(person)
    await house.store.do(lambda connection: connection.execute(sa.delete(schema.outcomes)))
    assert "You " not in await said(ann)  # not worked out yet
    assert ">over<" in (await said(ann)).replace("\n", "")


@pytest.mark.parametrize("back", [False, True])
async def test_it_is_a_list_of_games_that_one_played(
    back: bool, ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    table = await _over(ann, bob)
    await arrive().refused(f"tables/{table}/delete", 403, "forbidden", back=back)
