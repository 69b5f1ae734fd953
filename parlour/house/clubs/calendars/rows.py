"""Private calendars: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import sqlalchemy as sa

from parlour.house.clubs.calendars import schema as s
from parlour.house.database.exporting import when

_C = s.calendars.c


def begin(connection: sa.Connection, guest: str, token: str, now: float) -> None:
    """Give a guest's calendar this address. An earlier one no longer works."""
    end(connection, guest)
    connection.execute(sa.insert(s.calendars).values(guest_id=guest, token=token, created=now))


def end(connection: sa.Connection, guest: str) -> None:
    """Take the address of a guest's calendar away."""
    connection.execute(sa.delete(s.calendars).where(_C.guest_id == guest))


def token_of(connection: sa.Connection, guest: str) -> str:
    """Return the token of a guest's calendar, "" without one."""
    return connection.scalar(sa.select(_C.token).where(_C.guest_id == guest)) or ""


def guest_of(connection: sa.Connection, token: str) -> str | None:
    """Return whose calendar has this token."""
    found: str | None = connection.scalar(sa.select(_C.guest_id).where(_C.token == token))
    return found


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return since when an account has a private calendar, for its export. Its address stays secret."""
    made = connection.scalar(sa.select(_C.created).where(_C.guest_id == guest))
    return {"private calendar since": None if made is None else when(made)}


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's calendar."""
    end(connection, guest)
