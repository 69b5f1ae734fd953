"""Holidays: for some days a year a person's clocks stop in games by post."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

import msgspec
import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.deeds import learn_all
from parlour.house.accounts.guests import Guest
from parlour.house.errors import BadInput
from parlour.house.house import House
from parlour.house.table.live import clocks
from parlour.house.table.live.tempo import DAY
from parlour.house.table.play.seating import Body
from parlour.house.table.storage import timekeeping
from parlour.house.table.storage.rows import Rest

DAYS = 28  # of holiday in any YEAR; a holiday counts for a day at least
YEAR = 365 * DAY
SPARE = 3600.0  # seconds: a day on which clocks are put back is longer
Moment = Annotated[float, msgspec.Meta(ge=0, le=1e11)]


class HolidayBody(Body, frozen=True):
    """A holiday from `since` (now by default) to `until`, in seconds since 1970. Without `until`, the present holiday
    ends, and a future one is cancelled."""

    until: Moment | None = None
    since: Moment | None = None


async def take(house: House, guest: Guest, body: HolidayBody) -> None:
    """Take a holiday, which replaces any unfinished one, or end it. Errors: BadInput."""
    now = time.time()

    def write(connection: sa.Connection) -> list[str]:
        c = accounts.guests.c  # one request of a guest at a time
        connection.execute(sa.select(c.id).where(c.id == guest.id).with_for_update())
        if body.until is None:
            return timekeeping.rest(connection, guest.id, None, now, clocks.rested)
        before = timekeeping.holidays(connection, guest.id)
        since = now if body.since is None else max(now, body.since)
        if since == now and before and before[0].since <= now < before[0].until:  # the same, with another end
            since, before = before[0].since, before[1:]
        wanted = Rest(since, body.until)
        _must_fit(wanted, [_ended(one, now) for one in before], now)
        return timekeeping.rest(connection, guest.id, wanted, now, clocks.rested)

    await learn_all(house, guest.id, await house.store.do(write))


def _ended(one: Rest, now: float) -> Rest:
    """Return what is left of a holiday that another one replaces."""
    return Rest(one.since, min(one.until, max(now, one.since)))


def _must_fit(wanted: Rest, before: Sequence[Rest], now: float) -> None:
    """Raise BadInput unless there are enough days left for a holiday."""
    if wanted.until <= max(now, wanted.since):
        raise BadInput("A holiday must end after it starts, and in the future.")
    if wanted.since > now + YEAR:
        raise BadInput("A holiday must start within a year from now.")
    left = DAYS * DAY - used(before, wanted.until)
    if max(DAY, wanted.until - wanted.since) > left + SPARE:
        raise BadInput(
            f"You can take {DAYS} days of holiday in any 365 days. This one is too long: you have "
            f"{max(0.0, left) // DAY:.0f} {'day' if DAY <= left < 2 * DAY else 'days'} left."
        )


def used(holidays: Sequence[Rest], until: float) -> float:
    """Return the seconds of holiday that count in the year before a moment."""
    return sum(
        max(DAY, min(one.until, until) - max(one.since, until - YEAR))
        for one in holidays
        if until - YEAR < one.until and one.since < min(one.until, until)
    )
