"""People's passkeys, and answered challenges: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.passkeys import schema as s
from parlour.house.database.exporting import when
from parlour.house.errors import BadInput

MOST = 20  # of one person


class PasskeyRow(NamedTuple):
    """A passkey. `credential` and `public` are its id and its public key, in base64url; `signs` its use count, 0 if it
    doesn't count; `host` the host that it is for; `used` its last use."""

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
    """Return a person's passkeys, the oldest first."""
    c = s.passkeys.c
    query = sa.select(*_ROW).where(c.guest_id == guest).order_by(c.created, c.id)
    return [PasskeyRow(*row) for row in connection.execute(query)]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a person's passkeys without their keys, for their export."""
    return {
        "passkeys": [
            {
                "made with": one.browser, "for": one.host, "since": when(one.created),
                "used": None if one.used is None else when(one.used),
            } for one in of(connection, guest)
        ]
    }  # fmt: skip


def find(connection: sa.Connection, key: str) -> PasskeyRow | None:
    """Return a passkey, None if it is unknown."""
    found = connection.execute(sa.select(*_ROW).where(s.passkeys.c.id == key)).first()
    return None if found is None else PasskeyRow(*found)


def add(connection: sa.Connection, row: PasskeyRow) -> None:
    """Store a passkey. Errors: BadInput (too many), IntegrityError if it already belongs to an account."""
    person = sa.select(accounts.people.c.id).where(accounts.people.c.id == row.guest_id)
    connection.execute(person.with_for_update())  # one at a time
    if len(of(connection, row.guest_id)) >= MOST:
        raise BadInput(f"You can have at most {MOST} passkeys. Remove one that you don't use.")
    connection.execute(sa.insert(s.passkeys).values(row._asdict()))


def use(connection: sa.Connection, key: str, signs: int, now: float) -> bool:
    """Note a passkey's use; return False, and note nothing, if its count is not higher than before."""
    c = s.passkeys.c
    further = (c.signs < signs) | ((c.signs == 0) & (signs == 0))
    noted = sa.update(s.passkeys).where(c.id == key, further).values(signs=signs, used=now)
    return bool(connection.execute(noted).rowcount)


def remove(connection: sa.Connection, guest: str, key: str) -> bool:
    """Remove a person's passkey; return False, and keep it, if they couldn't sign in without it."""
    person = sa.select(accounts.people.c.id).where(accounts.people.c.id == guest)
    connection.execute(person.with_for_update())  # one at a time
    if is_last(connection, guest, key):
        return False
    connection.execute(sa.delete(s.passkeys).where(s.passkeys.c.id == key, s.passkeys.c.guest_id == guest))
    return True


def is_last(connection: sa.Connection, guest: str, key: str) -> bool:
    """Return whether a person has no password, and no passkey but this one."""
    password = connection.scalar(sa.select(accounts.people.c.password).where(accounts.people.c.id == guest))
    return not password and [one.id for one in of(connection, guest)] == [key]


def spend(connection: sa.Connection, question: str, until: float, now: float) -> bool:
    """Note an answered challenge, and delete expired ones; return False if it was noted before. Raises IntegrityError
    if another process notes it at the same time."""
    c = s.answered.c
    connection.execute(sa.delete(s.answered).where(c.until < now))
    if connection.scalar(sa.select(c.id).where(c.id == question)) is not None:
        return False
    connection.execute(sa.insert(s.answered).values(id=question, until=until))
    return True
