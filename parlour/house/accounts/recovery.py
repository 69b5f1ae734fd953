"""Lost passwords, requested by name, and their emails: plain functions of a connection, as in `queries`.

A request is answered before we check whether the name exists: it is stored (`ask`), and the house handles it at its
next beat (`answer`). One transaction stores the link and the email, which is sent like a notification.
"""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from parlour.house.accounts import rows
from parlour.house.accounts.rows import LinkRow
from parlour.house.database import keys, schema
from parlour.house.notify import allowances, channels, outbox

GOOD = 2 * outbox.GIVE_UP_LOST  # seconds for which the link is good: whenever the email leaves, for an hour or more
WAITING = 1_000  # requested names at once, of all people
TO_ONE = 5  # emails a day to one address
BY_HOUSE = 60  # emails an hour to all addresses together
_ASKED = "lost "  # a setting for each name that is asked about, until the house has looked
_ASK = sa.text('INSERT INTO settings ("key", value) VALUES (:key, :value) ON CONFLICT DO NOTHING')


def ask(connection: sa.Connection, likeness: str) -> bool:
    """Request a password reset for the name that looks like this; return False if there are too many requests. The same
    happens for every name."""
    asked = sa.select(sa.func.count()).select_from(schema.settings).where(schema.settings.c.key.startswith(_ASKED))
    if (connection.scalar(asked) or 0) >= WAITING:
        return False
    key = _ASKED + hashlib.sha256(likeness.encode()).hexdigest()[:32]
    connection.execute(_ASK, {"key": key, "value": likeness})
    return True


def is_asked(connection: sa.Connection) -> bool:
    """Return whether there are requests."""
    c = schema.settings.c
    return connection.scalar(sa.select(c.key).where(c.key.startswith(_ASKED)).limit(1)) is not None


def answer(connection: sa.Connection, now: float) -> int:
    """Create a link and note its email for each requested name with a confirmed recovery address, within the limits;
    return how many. An existing link stays valid, so that knowing a name is not enough to void it."""
    c = schema.settings.c
    asked = connection.scalars(sa.delete(schema.settings).where(c.key.startswith(_ASKED)).returning(c.value)).all()
    return sum(_write(connection, likeness, now) for likeness in asked)


def _write(connection: sa.Connection, likeness: str, now: float) -> bool:
    found = rows.account(connection, likeness=likeness)
    channel = None if found is None else channels.recovery_of(connection, found.id)
    if found is None or channel is None or outbox.is_lost(connection, channel.id):
        return False
    whose = f"lost {hashlib.sha256(channel.address.lower().encode()).hexdigest()}"
    for spender, most, seconds in ((whose, TO_ONE, 86400.0), ("lost", BY_HOUSE, 3600.0)):
        if allowances.spend(connection, spender, most, seconds, now) > 0:
            return False
    token = keys.reset_token(connection, channel.id, outbox.note_lost(connection, channel.id, now))
    rows.make_link(connection, LinkRow(keys.link_id(token), found.id, "reset", now + GOOD), beside=True)
    return True
