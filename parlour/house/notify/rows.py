"""What notifications have of a guest, for their export, and when they come together with a person, or go: plain
functions of a connection, as in `queries`."""

from __future__ import annotations

import sqlalchemy as sa

from parlour.house.database.exporting import when
from parlour.house.notify import channels, quiet
from parlour.house.notify import schema as s
from parlour.house.notify.kinds import SWITCHES


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return where a guest gets notifications, of what, and their quiet hours, for their export."""
    places, hours = channels.channels_of(connection, guest), quiet.of(connection, guest)
    return {
        "told": [
            {
                "by": one.kind, "where": one.name if one.kind == "push" else one.address, "since": when(one.created),
                "confirmed": one.good,
                "of": [kind for kind, on in one.wants.by_name().items() if on and kind in SWITCHES],
            } for one in places
        ],
        "quiet hours": hours._asdict(),
    }  # fmt: skip


def hand_on(connection: sa.Connection, guest: str, person: str, *, email: bool) -> None:
    """Move a guest's channels and quiet hours to a person's account, an email address only if the caller allows it."""
    channels.hand_over(connection, guest, person, email=email)
    quiet.hand_on(connection, guest, person)


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's channels, allowances and quiet hours."""
    connection.execute(sa.delete(s.allowances).where(s.allowances.c.whose == guest))
    connection.execute(sa.delete(s.channels).where(s.channels.c.guest_id == guest))
    connection.execute(sa.delete(s.quiet_hours).where(s.quiet_hours.c.guest_id == guest))
