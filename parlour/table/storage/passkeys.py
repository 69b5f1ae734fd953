"""Passkeys of people, and what was answered with them: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from parlour.table.storage import schema as s

MOST = 20  # of one person


class PasskeyRow(NamedTuple):
    """A passkey. `credential` and `public` are its id and its public key, in base64url; `signs` how often it says it
    was used, 0 if it never says; `host` where it is for; `used` when that was last."""

    id: str
    guest_id: str
    credential: str
    public: str
    signs: int
    host: str
    browser: str
    created: float
    used: float | None = None


_ROW = [s.passkeys.c[name] for name in PasskeyRow._fields]


def of(connection: sa.Connection, guest: str) -> list[PasskeyRow]:
    """The passkeys of somebody, the oldest first."""
    c = s.passkeys.c
    query = sa.select(*_ROW).where(c.guest_id == guest).order_by(c.created, c.id)
    return [PasskeyRow(*row) for row in connection.execute(query)]


def find(connection: sa.Connection, key: str) -> PasskeyRow | None:
    """A passkey, None where it is not known."""
    found = connection.execute(sa.select(*_ROW).where(s.passkeys.c.id == key)).first()
    return None if found is None else PasskeyRow(*found)


def add(connection: sa.Connection, row: PasskeyRow) -> None:
    """Keep a passkey. Raises IntegrityError where it is somebody's already."""
    connection.execute(sa.insert(s.passkeys).values(row._asdict()))


def use(connection: sa.Connection, key: str, signs: int, now: float) -> bool:
    """Note that a passkey was used; False, and nothing is noted, where it counts no further than it did before."""
    c = s.passkeys.c
    further = (c.signs < signs) | ((c.signs == 0) & (signs == 0))
    noted = sa.update(s.passkeys).where(c.id == key, further).values(signs=signs, used=now)
    return bool(connection.execute(noted).rowcount)


def remove(connection: sa.Connection, guest: str, key: str) -> bool:
    """Remove a passkey of somebody's; False, and it stays, where they could not sign in without it."""
    connection.execute(sa.select(s.people.c.id).where(s.people.c.id == guest).with_for_update())  # one at a time
    if is_last(connection, guest, key):
        return False
    connection.execute(sa.delete(s.passkeys).where(s.passkeys.c.id == key, s.passkeys.c.guest_id == guest))
    return True


def is_last(connection: sa.Connection, guest: str, key: str) -> bool:
    """Whether somebody has no password, and no passkey but this one."""
    password = connection.scalar(sa.select(s.people.c.password).where(s.people.c.id == guest))
    return not password and [one.id for one in of(connection, guest)] == [key]


def spend(connection: sa.Connection, question: str, until: float, now: float) -> bool:
    """Note that a question was answered, and forget those that nobody could answer any more; False where it was
    noted already. Raises IntegrityError where that happens at the same time."""
    c = s.answered.c
    connection.execute(sa.delete(s.answered).where(c.until < now))
    if connection.scalar(sa.select(c.id).where(c.id == question)) is not None:
        return False
    connection.execute(sa.insert(s.answered).values(id=question, until=until))
    return True
