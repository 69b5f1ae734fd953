"""Invitations to seats reserved by link: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.database.exporting import when
from parlour.house.errors import NotFound, TooMany
from parlour.house.invitations import schema as s
from parlour.house.notify import outbox
from parlour.house.social import rows as social_rows
from parlour.house.social import schema as social
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.queries import TABLE
from parlour.house.table.storage.rows import SeatRow, TableRow

LISTED = 30  # invitations of a guest, as in a list of the lobby
TO_ONE = 3  # tables of one host that wait with an invitation to the same person, before they invite them by name again
IN_ALL = 10  # invitations of one host that wait, with those by name

_I, _SAT = s.invitations.c, storage.seats.c
_KEPT = sa.and_(  # a seat is still reserved for the invited guest
    _SAT.table_id == _I.table_id, _SAT.seat == _I.seat, _SAT.kind == "link", _SAT.token == _I.token
)


class Invitation(NamedTuple):
    """A table with a seat reserved for a guest, the token of its link, the host's name, and when they invited."""

    table: TableRow
    token: str
    host: str
    created: float


def of(connection: sa.Connection, guest: str) -> list[Invitation]:
    """Return a guest's invitations, the newest first."""
    i, c, sat = s.invitations.c, storage.tables.c, storage.seats.c
    query = sa.select(*TABLE, i.token, i.created).join(storage.tables, c.id == i.table_id).join(storage.seats, _KEPT)
    m = social.marks.c  # of those who have blocked each other since, neither is invited by the other
    pair = (m.guest_id == guest) & (m.other_id == c.host) | (m.guest_id == c.host) & (m.other_id == guest)
    query = query.where(i.guest_id == guest, c.status == "waiting", ~sa.exists().where(pair, m.blocked))
    query = query.order_by(i.created.desc()).limit(LISTED)
    found = [(TableRow(*row), token, created) for *row, token, created in connection.execute(query)]
    hosts: dict[str, str] = {}
    if found:
        hosting = (c.id == sat.table_id) & (c.host == sat.guest_id)
        named = sa.select(sat.table_id, sat.name).join(storage.tables, hosting)
        # Their own seat: another person on their device has whatever name they were given.
        named = named.where(sat.table_id.in_([row.id for row, *_ in found]), sat.kind == "guest")
        hosts = {one.table_id: one.name for one in connection.execute(named)}
    return [Invitation(row, token, hosts.get(row.id, ""), created) for row, token, created in found]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a guest's invitations, for their export."""
    return {
        "invitations": [
            {"table": one.table.id, "game": one.table.game, "host": one.host, "when": when(one.created)}
            for one in of(connection, guest)
        ]
    }


def waiting(connection: sa.Connection, guests: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return the waiting tables to which these guests are invited: the guest, the table, its count of changes."""
    i, c = s.invitations.c, storage.tables.c
    query = sa.select(i.guest_id, c.id, c.changes).join(storage.tables, c.id == i.table_id)
    found = connection.execute(query.where(i.guest_id.in_(guests), c.status == "waiting"))
    return [(guest, table, changes) for guest, table, changes in found]


def invite(connection: sa.Connection, host: str, invited: Mapping[str, SeatRow]) -> None:
    """Invite these guests to seats reserved by link. If one has blocked the host, or the reverse, they never see it
    (`of`, `token_for`), and the host isn't told either: the invitation stays unanswered, and the seat reserved as
    usual."""
    if not invited:
        return
    rows = [
        {"table_id": seat.table_id, "seat": seat.seat, "guest_id": guest, "token": seat.token, "created": time.time()}
        for guest, seat in invited.items()
    ]
    connection.execute(sa.insert(s.invitations), rows)
    apart = social_rows.apart(connection, host, invited)
    for guest, seat in invited.items():
        if guest not in apart:
            outbox.note(connection, "invitation", seat.table_id, [guest], time.time(), at=1)


def invite_by_name(connection: sa.Connection, host: str, invited: Mapping[str, SeatRow]) -> None:
    """Invite these guests, unless the host would have too many open invitations, including those to rematches. All
    count, even those never shown, so that the refusal doesn't reveal who has blocked the host. Errors: TooMany,
    NotFound (an account was deleted meanwhile)."""
    i, c = s.invitations.c, storage.tables.c
    there = set(connection.scalars(sa.select(accounts.people.c.id).where(accounts.people.c.id.in_(invited))))
    if there != set(invited):
        raise NotFound("No account here has this name.")
    query = sa.select(i.guest_id).join(storage.tables, c.id == i.table_id).join(storage.seats, _KEPT)
    open_ones = Counter(connection.scalars(query.where(c.host == host, c.status == "waiting")))
    for guest, seat in invited.items():
        if open_ones[guest] >= TO_ONE:
            raise TooMany(
                f"You already have {TO_ONE} open invitations to {seat.name}, which is the limit. Delete one of those "
                "tables, or wait."
            )
    if open_ones.total() + len(invited) > IN_ALL:
        raise TooMany(f"You can have at most {IN_ALL} unanswered invitations. Delete a waiting table, or wait.")
    invite(connection, host, invited)


def decline(connection: sa.Connection, guest: str, table_id: str) -> str:
    """Remove a guest's invitation to a table; return the token of its link, "" without one."""
    c = s.invitations.c
    gone = sa.delete(s.invitations).where(c.guest_id == guest, c.table_id == table_id).returning(c.token)
    return connection.scalar(gone) or ""


def token_for(connection: sa.Connection, guest: str, table_id: str) -> str:
    """Return the token of the seat reserved for a guest invited to a table, "" without one. As in `of`, an invitation
    ends when either blocks the other."""
    i, c = s.invitations.c, storage.tables.c
    query = sa.select(i.token, c.host).join(storage.tables, c.id == i.table_id).join(storage.seats, _KEPT)
    found = connection.execute(query.where(i.guest_id == guest, c.id == table_id, c.status == "waiting")).first()
    return found.token if found and not social_rows.apart(connection, found.host, [guest]) else ""


# When people come together, or go ------------------------------------------------------------------
def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's invitations to a person's account."""
    c = s.invitations.c
    connection.execute(sa.update(s.invitations).where(c.guest_id == guest).values(guest_id=person))


def tables_of(connection: sa.Connection, guest: str) -> list[str]:
    """Return the ids of all tables to which a guest is or was invited."""
    return list(connection.scalars(sa.select(_I.table_id).where(_I.guest_id == guest)))


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's invitations. No seat is kept for them by name any more."""
    i, c = s.invitations.c, storage.seats.c
    gone = sa.delete(s.invitations).where(i.guest_id == guest).returning(i.table_id, i.token)
    for table, token in connection.execute(gone).all():
        kept = (c.table_id == table) & (c.token == token) & (c.kind == "link")
        connection.execute(sa.update(storage.seats).where(kept).values(name=""))
