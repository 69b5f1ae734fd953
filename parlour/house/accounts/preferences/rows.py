"""Guests' settings: plain functions of a connection, as in `queries`. Only values that differ from the default are
stored."""

from __future__ import annotations

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.preferences import schema as s

KEPT = 400 * 86400.0  # seconds for which a guest is remembered who has neither a name nor a game: as long as a cookie

_P = s.preferences.c
_OF = sa.select(_P.name, _P.value).where(_P.guest_id == sa.bindparam("guest")).order_by(_P.name)
_CHOOSE = sa.text(
    "INSERT INTO preferences (guest_id, name, value, chosen) VALUES (:guest, :name, :value, :now)"
    " ON CONFLICT (guest_id, name) DO UPDATE SET value = :value, chosen = :now"
)


def of(connection: sa.Connection, guest: str) -> dict[str, str]:
    """Return a guest's settings."""
    return {row.name: row.value for row in connection.execute(_OF, {"guest": guest})}


def choose(connection: sa.Connection, guest: str, name: str, value: str | None, now: float) -> None:
    """Choose a value for a guest, or the default (None)."""
    c = s.preferences.c
    if value is None:
        connection.execute(sa.delete(s.preferences).where(c.guest_id == guest, c.name == name))
    else:
        connection.execute(_CHOOSE, {"guest": guest, "name": name, "value": value, "now": now})


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's settings to a person's account, except those that it already has."""
    c = s.preferences.c
    made = sa.select(c.name).where(c.guest_id == person)
    connection.execute(sa.delete(s.preferences).where(c.guest_id == guest, c.name.in_(made)))
    connection.execute(sa.update(s.preferences).where(c.guest_id == guest).values(guest_id=person))


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's settings."""
    connection.execute(sa.delete(s.preferences).where(s.preferences.c.guest_id == guest))


def clear(connection: sa.Connection, now: float) -> int:
    """Delete settings so old that no cookie knows the guest any more, unless they have a name; return how many."""
    c = s.preferences.c
    named = sa.select(accounts.guests.c.id)
    gone = sa.delete(s.preferences).where(c.chosen < now - KEPT, c.guest_id.not_in(named))
    return connection.execute(gone).rowcount
