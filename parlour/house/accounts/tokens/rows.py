"""API tokens of accounts: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.tokens import schema as s
from parlour.house.database.exporting import when
from parlour.house.errors import BadInput

MOST = 10  # of one account


class TokenRow(NamedTuple):
    """A token. `id` is its hash; `scopes` are words with spaces between them; `used` is its last use."""

    id: str
    guest_id: str
    name: str
    scopes: str
    created: float
    used: float | None = None


_ROW = [s.tokens.c[name] for name in TokenRow._fields]


def of(connection: sa.Connection, guest: str) -> list[TokenRow]:
    """Return an account's tokens, the oldest first."""
    c = s.tokens.c
    query = sa.select(*_ROW).where(c.guest_id == guest).order_by(c.created, c.id)
    return [TokenRow(*row) for row in connection.execute(query)]


def owned_by(connection: sa.Connection, guests: Sequence[str]) -> list[tuple[str, str]]:
    """Return the tokens of these guests, each as (guest, id)."""
    c = s.tokens.c
    return [(row[0], row[1]) for row in connection.execute(sa.select(c.guest_id, c.id).where(c.guest_id.in_(guests)))]


def exists(connection: sa.Connection, guest: str, token: str) -> bool:
    """Return whether a guest has a token with this hash."""
    c = s.tokens.c
    return connection.scalar(sa.select(c.id).where(c.id == token, c.guest_id == guest)) is not None


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return an account's tokens without what would let anyone use them, for its export."""
    return {
        "tokens": [
            {
                "name": one.name, "may": one.scopes.split(), "since": when(one.created),
                "used": None if one.used is None else when(one.used),
            } for one in of(connection, guest)
        ]
    }  # fmt: skip


def add(connection: sa.Connection, row: TokenRow) -> None:
    """Store a token. Raises BadInput if the account has too many, or one of this name."""
    person = sa.select(accounts.people.c.id).where(accounts.people.c.id == row.guest_id)
    connection.execute(person.with_for_update())  # one at a time
    mine = of(connection, row.guest_id)
    if len(mine) >= MOST:
        raise BadInput(f"You can have at most {MOST} tokens. Revoke one that you don't use.")
    if any(one.name == row.name for one in mine):
        raise BadInput(f"You already have a token with the name “{row.name}”. Choose another name.")
    connection.execute(sa.insert(s.tokens).values(row._asdict()))


def see(connection: sa.Connection, token: str, now: float) -> None:
    """Note that a token was used."""
    connection.execute(sa.update(s.tokens).where(s.tokens.c.id == token).values(used=now))


def revoke(connection: sa.Connection, guest: str, token: str) -> None:
    """Revoke one of an account's tokens."""
    c = s.tokens.c
    connection.execute(sa.delete(s.tokens).where(c.guest_id == guest, c.id == token))


def revoke_all(connection: sa.Connection, guest: str) -> None:
    """Revoke all tokens of an account."""
    connection.execute(sa.delete(s.tokens).where(s.tokens.c.guest_id == guest))
