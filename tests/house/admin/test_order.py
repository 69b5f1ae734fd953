"""Bans and the notice in one process: what happens when they change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any, cast

from parlour.house.accounts.guests import Pass
from parlour.house.admin import deeds as admin_deeds
from parlour.house.admin import rows as stored
from parlour.house.admin.bans import Bans
from parlour.house.admin.rows import Ban, Notice
from parlour.house.database.store import Store
from parlour.house.house import House
from tests.house.people import ME, OPEN, Person, guest_of, two_at_table


async def test_of_two_looks_at_the_order_the_later_counts_whichever_is_answered_first() -> None:
    """The house reads the bans at an interval just as a moderator bans a guest: the ban stays."""
    here = Ban(1, "bob", "", None, 0.0)
    answers, slow = [([], Notice()), ([here], Notice())], asyncio.Event()

    class Slow:
        async def look(self, _: object) -> Any:
            mine = answers.pop(0)
            if answers:
                await slow.wait()
            return mine

    order = Bans(cast("Store", Slow()), lambda: True, lambda: None)
    looks = [asyncio.create_task(order.learn()) for _ in range(2)]
    for _ in range(5):
        await asyncio.sleep(0)
    slow.set()
    await asyncio.gather(*looks)
    assert order.ban_of("bob", "") is here


async def test_who_was_banned_by_a_house_that_died_over_it_is_put_out_by_the_next(
    house: House, ann: Person, bob: Person
) -> None:
    table, waiting = await two_at_table(ann, bob), await ann.make(ME, OPEN, OPEN)
    await bob.do(f"tables/{waiting}/sit")
    row = Ban(0, (await guest_of(bob)).id, "", None, "")
    await house.store.do(partial(stored.ban, row=row))
    for _ in range(2):
        await admin_deeds.put_out(house)
    assert [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]] == ["guest", "bot"]
    assert [seat["kind"] for seat in (await ann.see(waiting))["table"]["seats"]] == ["guest", "open", "open"]


async def test_a_stream_that_was_let_in_just_before_the_ban_does_not_open(house: House, ann: Person) -> None:
    guest = await guest_of(ann)

    async def stream() -> AsyncGenerator[bytes, None]:
        yield b"news"

    let_in = house.streams.keep(stream(), Pass(guest.id), "198.51.100.1")
    house.bans.take([Ban(1, guest.id, "", None, 0.0)])
    assert [message async for message in let_in] == []
