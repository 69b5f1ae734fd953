"""Making and revoking the address of your own calendar. Anyone who has it can read the calendar, like other links of
the house; it signs no one in, and allows nothing else."""

from __future__ import annotations

import secrets
import time
from functools import partial

from parlour.house.accounts.guests import Guest
from parlour.house.accounts.proving import must_have_claimed
from parlour.house.clubs.calendars import rows
from parlour.house.house import House


async def begin(house: House, guest: Guest, shared_url: str) -> str:
    """Give an account's calendar a new address, and return it. An earlier one stops working. Raises NotClaimed."""
    must_have_claimed(guest)
    token = secrets.token_urlsafe(18)
    await house.store.do(partial(rows.begin, guest=guest.id, token=token, now=time.time()))
    return _address(token, shared_url)


async def end(house: House, guest: Guest) -> None:
    """Take the address of a calendar away; nothing happens without one. StoreFailed."""
    await house.store.do(partial(rows.end, guest=guest.id))


async def address_of(house: House, guest: Guest, shared_url: str) -> str:
    """Return the address of an account's calendar, "" without one. StoreFailed."""
    token = await house.store.look(partial(rows.token_of, guest=guest.id)) if guest.claimed else ""
    return _address(token, shared_url) if token else ""


def _address(token: str, shared_url: str) -> str:
    return f"{shared_url}/calendar/{token}"
