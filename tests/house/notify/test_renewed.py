"""A browser changes its subscription: its notifications continue at the new one, and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from parlour.house.house import House
from parlour.house.notify import channels
from parlour.house.settings import Settings
from tests.house.notify.test_notices import send
from tests.house.people import Person, guest_of, two_at_table
from tests.house.receiving import Service, service, stop


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, outside="any", grace=3600.0
    )


@pytest.fixture
async def world() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


async def test_a_new_subscription_takes_the_place_of_the_old(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    """It keeps the choices, and unsent notifications arrive there, once."""
    old, new = world.browser(), world.browser()
    table = await two_at_table(ann, bob)
    await bob.do("me/told", **old.subscription(turn=False, chat=True))
    await ann.do(f"tables/{table}/chat", text="Hello")
    change = {**new.subscription(), "instead": old.url}
    await asyncio.gather(*(bob.do("me/told", **change) for _ in range(3)))  # a service worker may repeat it
    assert await send(house) == 1
    assert (len(old.got), len(new.got)) == (0, 1)
    await stop(ann, table)
    assert await send(house) == 0  # turns are turned off there, as before
    await ann.do(f"tables/{table}/chat", text="Hello?")
    assert await send(house) == 1
    assert (len(old.got), len(new.got)) == (0, 2)
    assert (await bob.get("/me")).text.count('class="places"') == 1
    ended = await bob.post(f"/told/{new.got[-1]['end']}", json={})  # the notification's own button still ends it
    assert ended.is_success
    await bob.refused("me/told", 404, "bad-link", **change)  # an ended channel does not start again


async def test_nobody_takes_the_place_of_another_persons_subscription(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    old, new = world.browser(), world.browser()
    table = await two_at_table(ann, bob)
    await bob.do("me/told", **old.subscription(chat=True))
    await ann.refused("me/told", 404, "bad-link", **{**new.subscription(), "instead": old.url})
    await bob.refused("me/told", 400, "bad-input", kind="hook", address=f"{world.url}/hook", instead=old.url)
    await ann.do(f"tables/{table}/chat", text="Hello")
    assert await send(house) == 1
    assert (len(old.got), len(new.got), world.hooked) == (1, 0, [])


async def test_what_the_old_service_says_does_not_end_the_new(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    """A notification was on its way to the old subscription when the browser got a new one: 410 Gone is about the
    old."""
    old, new = world.browser(), world.browser()
    table = await two_at_table(ann, bob)
    await bob.do("me/told", **old.subscription(chat=True))
    (before,) = await house.store.look(partial(channels.channels_of, guest=(await guest_of(bob)).id))
    await bob.do("me/told", **{**new.subscription(), "instead": old.url})
    await house.store.do(partial(channels.lose, channel=before))
    await ann.do(f"tables/{table}/chat", text="Hello")
    assert await send(house) == 1
    assert len(new.got) == 1
