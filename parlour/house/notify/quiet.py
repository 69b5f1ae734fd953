"""Quiet hours: when people want no notifications, and their time zone. Plain functions of a connection, as in
`queries`, and the calculations, which need none."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from parlour.house.notify import schema as s

DAY = 24 * 60  # minutes
_zone = cache(ZoneInfo)


class Span(NamedTuple):
    """Some quiet hours, from one moment to another (seconds since 1970)."""

    begins: float
    ends: float


class Quiet(NamedTuple):
    """The quiet hours of every day, in minutes since midnight; `begins` is None without any."""

    zone: str = "UTC"
    begins: int | None = None
    ends: int | None = None

    def span(self, moment: float) -> Span | None:
        """Return the quiet hours that contain this moment, or None outside them."""
        if self.begins is None or self.ends is None:
            return None
        today = datetime.fromtimestamp(moment, _zone(self.zone)).date()
        for day in (today - timedelta(days=1), today):
            last = day + timedelta(days=self.ends <= self.begins)
            found = Span(self._at(day, self.begins), self._at(last, self.ends))
            if found.begins <= moment < found.ends:
                return found
        return None

    def _at(self, day: object, minutes: int) -> float:
        """Return that time of that day: this many minutes after midnight by the local clock, which may change for
        summer time."""
        text = f"{day} {minutes // 60:02}:{minutes % 60:02}"
        return datetime.fromisoformat(text).replace(tzinfo=_zone(self.zone)).timestamp()

    def over(self, moment: float) -> float:
        """Return when a notification due at this moment may be sent."""
        found = self.span(moment)
        return moment if found is None else found.ends

    def warn(self, at: float, up: float, since: float) -> float:
        """Return when to warn that time is short at `at` and up at `up`, of a turn known since `since`.

        That is when the quiet hours end, if half of that time is left then; otherwise just before they begin. If the
        turn came within them, it is `at`, even in the quiet hours: otherwise the seat would be lost without a warning.
        """
        found = self.span(at)
        if found is None:
            return at
        if up - found.ends >= (up - at) / 2:
            return found.ends
        return found.begins - 1.0 if found.begins - 1.0 > since else at


_Q = s.quiet_hours.c
COLUMNS = [_Q.zone, _Q.begins, _Q.ends]
_CHOOSE = sa.text(
    "INSERT INTO quiet_hours (guest_id, zone, begins, ends) VALUES (:guest, :zone, :begins, :ends)"
    " ON CONFLICT (guest_id) DO UPDATE SET zone = :zone, begins = :begins, ends = :ends"
)
_ZONE = sa.text("INSERT INTO quiet_hours (guest_id, zone) VALUES (:guest, :zone) ON CONFLICT (guest_id) DO NOTHING")


def of(connection: sa.Connection, guest: str) -> Quiet:
    """Return a guest's quiet hours and time zone; UTC by default."""
    found = connection.execute(sa.select(*COLUMNS).where(_Q.guest_id == guest)).first()
    return Quiet() if found is None else Quiet(*found)


def choose(connection: sa.Connection, guest: str, quiet: Quiet) -> None:
    """Store a guest's quiet hours and time zone."""
    connection.execute(_CHOOSE, {"guest": guest, **quiet._asdict()})


def live_in(connection: sa.Connection, guest: str, zone: str) -> None:
    """Store a guest's time zone, unless one is known."""
    connection.execute(_ZONE, {"guest": guest, "zone": zone})


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's quiet hours to a person's account, unless it has its own."""
    has = sa.select(_Q.guest_id).where(_Q.guest_id == person)
    if connection.scalar(has) is None:
        connection.execute(sa.update(s.quiet_hours).where(_Q.guest_id == guest).values(guest_id=person))
    connection.execute(sa.delete(s.quiet_hours).where(_Q.guest_id == guest))
