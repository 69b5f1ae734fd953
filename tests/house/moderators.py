"""A moderator, for tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from parlour.house.admin import rows as admin_rows
from parlour.house.house import House
from tests.house.people import Person


async def key_of(house: House) -> str:
    """Return a new key of the house, as `parlour house key` makes it."""
    return await house.store.do(partial(admin_rows.make_key, now=time.time()))


async def moderator_of(house: House, arrive: Callable[[], Person]) -> Person:
    """Return a moderator who has signed in with a key."""
    moderator = arrive()
    answer = await moderator.post(f"/house/enter/{await key_of(house)}", json={})
    assert answer.is_success, answer.text
    return moderator


async def does(moderator: Person, act: str, **body: str) -> str:
    """Do something as a moderator, which must succeed; return the address it leads to."""
    answer = await moderator.post(f"/house/{act}", json=body)
    assert answer.is_success, answer.text
    return str(answer.json()["url"])
