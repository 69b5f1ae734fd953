"""The lists of the lobby, read from a database: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from parlour.house.database import schema as s
from parlour.house.errors import NotFound, TooMany
from parlour.house.notify import outbox
from parlour.house.social import rows as social_rows
from parlour.house.table.storage.queries import SEATS, TABLE, UNDER_WAY, WAITS
from parlour.house.table.storage.rows import Listing, SeatRow, TableRow, Which

LISTED = 30  # tables in a list of the lobby
RUNNING = 300  # unfinished tables of a guest: more than anyone plays
INVITED, ASKS = "invited ", "asks"
ASKED = 500  # guests of whom one statement asks
TO_ONE = 3  # tables of one host that wait with an invitation to the same person, before they invite them by name again
IN_ALL = 10  # invitations of one host that wait, with those by name


_PUT_AWAY = sa.text("INSERT INTO put_away (guest_id, table_id) VALUES (:guest, :table) ON CONFLICT DO NOTHING")


class Since(NamedTuple):
    """The games to watch that were listed, and when (seconds of the clock)."""

    tables: Collection[str]
    time: float


class Invitation(NamedTuple):
    """A table with a seat reserved for a guest, the token of its link, and the host's name."""

    table: TableRow
    token: str
    host: str


def listing(connection: sa.Connection, which: Which, guest: str) -> list[Listing]:
    """Return tables for the lobby: the guest's own, the last changed first; others' of the last hour, the newest
    first."""
    c = s.tables.c
    query = sa.select(*TABLE).limit(RUNNING if which == "running" else LISTED)
    if which in ("running", "past"):
        own = sa.select(s.seats.c.table_id).where(s.seats.c.guest_id == guest)
        under_way = c.status.in_(UNDER_WAY)
        query = query.where(c.id.in_(own) | (c.host == guest), under_way if which == "running" else ~under_way)
        if which == "past":
            away = sa.select(s.put_away.c.table_id).where(s.put_away.c.guest_id == guest)
            query = query.where(c.id.not_in(away))
        query = query.order_by(c.touched.desc())
    else:  # to the hour: it must not show how long a player thinks who may have a secret question
        query = query.where(c.status == which, c.public, c.touched > time.time() - WAITS)
        query = query.order_by(sa.cast(c.touched / 3600, sa.Integer).desc(), c.created.desc())
    return _seated(connection, query)


def others(connection: sa.Connection, since: Since | None) -> tuple[list[Listing], list[Listing]]:
    """Return others' waiting tables, and games to watch. With `since`, only games that were listed or have begun since,
    the newest first: no move adds another, so that a page's update doesn't reveal when a player moved."""
    waiting = listing(connection, "waiting", "")
    if since is None:
        return waiting, listing(connection, "playing", "")
    c = s.tables.c
    query = sa.select(*TABLE).where(c.status == "playing", c.public)
    query = query.where(c.id.in_(since.tables) | (c.created >= since.time))
    return waiting, _seated(connection, query.order_by(c.created.desc()).limit(2 * LISTED))


def own(connection: sa.Connection, guests: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return each of these guests' tables in progress, with their counts of changes; those to which they are invited,
    as INVITED and the id; and, as ASKS, their place in the queue."""
    c = s.tables.c
    found: dict[str, dict[str, int]] = {guest: {} for guest in guests}
    for first in range(0, len(guests), ASKED):
        some = guests[first : first + ASKED]
        hosts = sa.select(c.host, c.id, c.changes).where(c.host.in_(some), c.status.in_(UNDER_WAY))
        sit = sa.select(s.seats.c.guest_id, c.id, c.changes).join(s.tables, c.id == s.seats.c.table_id)
        sit = sit.where(s.seats.c.guest_id.in_(some), c.status.in_(UNDER_WAY))
        for guest, table_id, changes in connection.execute(hosts.union(sit)):
            found[guest][table_id] = changes
        i = s.invitations.c
        asked = sa.select(i.guest_id, c.id, c.changes).join(s.tables, c.id == i.table_id)
        for guest, table_id, changes in connection.execute(asked.where(i.guest_id.in_(some), c.status == "waiting")):
            found[guest][INVITED + table_id] = changes
        a = s.askers.c
        wishes = sa.select(a.guest_id, a.game, a.ruleset, a.tempo, a.rated, a.table_id, a.players)
        for guest, *what, players in connection.execute(wishes.where(a.guest_id.in_(some))):
            found[guest][" ".join((ASKS, *map(str, what)))] = players
    return found


def company(connection: sa.Connection, guest: str) -> tuple[list[Invitation], list[Listing]]:
    """Return a guest's invitations, the newest first, and their recently finished games."""
    i, c, sat = s.invitations.c, s.tables.c, s.seats.c
    query = sa.select(*TABLE, i.token).join(s.tables, c.id == i.table_id).join(s.seats, _kept_for(i, sat))
    m = s.marks.c  # of those who have blocked each other since, neither is invited by the other
    pair = (m.guest_id == guest) & (m.other_id == c.host) | (m.guest_id == c.host) & (m.other_id == guest)
    query = query.where(i.guest_id == guest, c.status == "waiting", ~sa.exists().where(pair, m.blocked))
    query = query.order_by(i.created.desc()).limit(LISTED)
    tokens = [(TableRow(*row[:-1]), row[-1]) for row in connection.execute(query)]
    hosts: dict[str, str] = {}
    if tokens:
        named = sa.select(sat.table_id, sat.name).join(s.tables, (c.id == sat.table_id) & (c.host == sat.guest_id))
        # Their own seat: who plays on their device has whatever name they were given.
        named = named.where(sat.table_id.in_([row.id for row, _ in tokens]), sat.kind == "guest")
        hosts = {found.table_id: found.name for found in connection.execute(named)}
    mine = sa.select(sat.table_id).where(sat.guest_id == guest)
    lately = sa.select(*TABLE).where(c.id.in_(mine), c.status == "over").order_by(c.touched.desc()).limit(LISTED)
    return [Invitation(row, token, hosts.get(row.id, "")) for row, token in tokens], _seated(connection, lately)


def turns(connection: sa.Connection, guest: str) -> list[Listing]:
    """Return the tables at which everyone waits for a guest, the longest wait first."""
    c = s.tables.c
    query = sa.select(*TABLE).where(c.turn == guest, c.status == "playing").order_by(c.touched, c.id).limit(LISTED)
    return _seated(connection, query)


def _kept_for(invitations: Any, seats: Any) -> sa.ColumnElement[bool]:
    """Return the condition that a seat is still reserved for the invited guest."""
    same = sa.and_(seats.table_id == invitations.table_id, seats.seat == invitations.seat)
    return sa.and_(same, seats.kind == "link", seats.token == invitations.token)


def invite(connection: sa.Connection, host: str, invited: Mapping[str, SeatRow]) -> None:
    """Invite these guests to seats reserved by link. If one has blocked the host, or the reverse, they never see it
    (`company`, `token_for`), and the host isn't told either: the invitation stays unanswered, and the seat reserved as
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


def must_be_few(connection: sa.Connection, host: str, invited: Mapping[str, SeatRow]) -> None:
    """Raise TooMany if a host would have too many open invitations, including those to rematches. All count, even those
    never shown, so that the refusal doesn't reveal who has blocked the host. Raises NotFound if an account was deleted
    meanwhile."""
    i, c, sat = s.invitations.c, s.tables.c, s.seats.c
    there = set(connection.scalars(sa.select(s.people.c.id).where(s.people.c.id.in_(invited))))
    if there != set(invited):
        raise NotFound("No account here has this name.")
    query = sa.select(i.guest_id).join(s.tables, c.id == i.table_id).join(s.seats, _kept_for(i, sat))
    waiting = Counter(connection.scalars(query.where(c.host == host, c.status == "waiting")))
    for guest, seat in invited.items():
        if waiting[guest] >= TO_ONE:
            raise TooMany(
                f"You already have {TO_ONE} open invitations to {seat.name}, which is the limit. Delete one of those "
                "tables, or wait."
            )
    if waiting.total() + len(invited) > IN_ALL:
        raise TooMany(f"You can have at most {IN_ALL} unanswered invitations. Delete a waiting table, or wait.")


def decline(connection: sa.Connection, guest: str, table_id: str) -> str:
    """Remove a guest's invitation to a table; return the token of its link, "" without one."""
    c = s.invitations.c
    gone = sa.delete(s.invitations).where(c.guest_id == guest, c.table_id == table_id).returning(c.token)
    return connection.scalar(gone) or ""


def token_for(connection: sa.Connection, guest: str, table_id: str) -> str:
    """Return the token of the seat reserved for a guest invited to a table, "" without one. As in `company`, an
    invitation ends when either blocks the other."""
    i, c, sat = s.invitations.c, s.tables.c, s.seats.c
    query = sa.select(i.token, c.host).join(s.tables, c.id == i.table_id).join(s.seats, _kept_for(i, sat))
    found = connection.execute(query.where(i.guest_id == guest, c.id == table_id, c.status == "waiting")).first()
    return found.token if found and not social_rows.apart(connection, found.host, [guest]) else ""


def put_away(connection: sa.Connection, guest: str, table_id: str) -> None:
    """Remove a finished game from the guest's list."""
    row = {"guest": guest, "table": table_id}
    connection.execute(_PUT_AWAY, row)


def put_back(connection: sa.Connection, guest: str, table_id: str) -> None:
    """Put it back in their list."""
    c = s.put_away.c
    connection.execute(sa.delete(s.put_away).where(c.guest_id == guest, c.table_id == table_id))


def _seated(connection: sa.Connection, query: sa.Select[Any]) -> list[Listing]:
    """Return the tables that a query finds, with their seats."""
    rows = [TableRow(*row) for row in connection.execute(query)]
    seats = [
        SeatRow(*seat) for seat in connection.execute(SEATS.where(s.seats.c.table_id.in_([row.id for row in rows])))
    ]
    return [Listing(row, [seat for seat in seats if seat.table_id == row.id]) for row in rows]
