"""The lists of the lobby, read from a database: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.invitations import rows as invitation_rows
from parlour.house.invitations.rows import Invitation
from parlour.house.lobby import schema as s
from parlour.house.ratings import results
from parlour.house.ratings.matchmaking import schema as matchmaking
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.queries import SEATS, TABLE, UNDER_WAY, WAITS
from parlour.house.table.storage.rows import Listing, SeatRow, TableRow, Which

LISTED = 30  # tables in a list of the lobby
RUNNING = 300  # unfinished tables of a guest: more than anyone plays
INVITED, ASKS = "invited ", "asks"
ASKED = 500  # guests of whom one statement asks


_PUT_AWAY = sa.text("INSERT INTO put_away (guest_id, table_id) VALUES (:guest, :table) ON CONFLICT DO NOTHING")


class Since(NamedTuple):
    """The games to watch that were listed, and when (seconds of the clock)."""

    tables: Collection[str]
    time: float


def listing(connection: sa.Connection, which: Which, guest: str) -> list[Listing]:
    """Return tables for the lobby: the guest's own, the last changed first; others' of the last hour, the newest
    first. Those that are past come with how they ended."""
    c = storage.tables.c
    query = sa.select(*TABLE).limit(RUNNING if which == "running" else LISTED)
    if which in ("running", "past"):
        own = sa.select(storage.seats.c.table_id).where(storage.seats.c.guest_id == guest)
        under_way = c.status.in_(UNDER_WAY)
        query = query.where(c.id.in_(own) | (c.host == guest), under_way if which == "running" else ~under_way)
        if which == "past":
            away = sa.select(s.put_away.c.table_id).where(s.put_away.c.guest_id == guest)
            query = query.where(c.id.not_in(away))
        query = query.order_by(c.touched.desc())
    else:  # to the hour: it must not show how long a player thinks who may have a secret question
        query = query.where(c.status == which, c.public, c.touched > time.time() - WAITS)
        query = query.order_by(sa.cast(c.touched / 3600, sa.Integer).desc(), c.created.desc())
    found = _seated(connection, query)
    if which != "past":
        return found
    ended = results.ends(connection, [one.table.id for one in found])
    return [one._replace(ends=ended.get(one.table.id, ())) for one in found]


def others(connection: sa.Connection, since: Since | None) -> tuple[list[Listing], list[Listing]]:
    """Return others' waiting tables, and games to watch. With `since`, only games that were listed or have begun since,
    the newest first: no move adds another, so that a page's update doesn't reveal when a player moved."""
    waiting = listing(connection, "waiting", "")
    if since is None:
        return waiting, listing(connection, "playing", "")
    c = storage.tables.c
    query = sa.select(*TABLE).where(c.status == "playing", c.public)
    query = query.where(c.id.in_(since.tables) | (c.created >= since.time))
    return waiting, _seated(connection, query.order_by(c.created.desc()).limit(2 * LISTED))


def own(connection: sa.Connection, guests: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return each of these guests' tables in progress, with their counts of changes; those to which they are invited,
    as INVITED and the id; and, as ASKS, their place in the queue."""
    c = storage.tables.c
    found: dict[str, dict[str, int]] = {guest: {} for guest in guests}
    for first in range(0, len(guests), ASKED):
        some = guests[first : first + ASKED]
        hosts = sa.select(c.host, c.id, c.changes).where(c.host.in_(some), c.status.in_(UNDER_WAY))
        sat = storage.seats.c
        sit = sa.select(sat.guest_id, c.id, c.changes).join(storage.tables, c.id == sat.table_id)
        sit = sit.where(sat.guest_id.in_(some), c.status.in_(UNDER_WAY))
        for guest, table_id, changes in connection.execute(hosts.union(sit)):
            found[guest][table_id] = changes
        for guest, table_id, changes in invitation_rows.waiting(connection, some):
            found[guest][INVITED + table_id] = changes
        a = matchmaking.askers.c
        wishes = sa.select(a.guest_id, a.game, a.ruleset, a.tempo, a.rated, a.table_id, a.players)
        for guest, *what, players in connection.execute(wishes.where(a.guest_id.in_(some))):
            found[guest][" ".join((ASKS, *map(str, what)))] = players
    return found


def company(connection: sa.Connection, guest: str) -> tuple[list[Invitation], list[Listing]]:
    """Return a guest's invitations, the newest first, and their recently finished games."""
    c, sat = storage.tables.c, storage.seats.c
    mine = sa.select(sat.table_id).where(sat.guest_id == guest)
    lately = sa.select(*TABLE).where(c.id.in_(mine), c.status == "over").order_by(c.touched.desc()).limit(LISTED)
    return invitation_rows.of(connection, guest), _seated(connection, lately)


def turns(connection: sa.Connection, guest: str) -> list[Listing]:
    """Return the tables at which everyone waits for a guest, the longest wait first."""
    c = storage.tables.c
    query = sa.select(*TABLE).where(c.turn == guest, c.status == "playing").order_by(c.touched, c.id).limit(LISTED)
    return _seated(connection, query)


def put_away(connection: sa.Connection, guest: str, table_id: str) -> None:
    """Remove a finished game from the guest's list."""
    row = {"guest": guest, "table": table_id}
    connection.execute(_PUT_AWAY, row)


def put_back(connection: sa.Connection, guest: str, table_id: str) -> None:
    """Put it back in their list."""
    c = s.put_away.c
    connection.execute(sa.delete(s.put_away).where(c.guest_id == guest, c.table_id == table_id))


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move what a guest has removed from their list to a person's account."""
    c = s.put_away.c
    both = sa.select(c.table_id).where(c.guest_id == person)
    connection.execute(sa.delete(s.put_away).where(c.guest_id == guest, c.table_id.in_(both)))
    connection.execute(sa.update(s.put_away).where(c.guest_id == guest).values(guest_id=person))


def part(connection: sa.Connection, guest: str) -> None:
    """Forget what a guest has removed from their list."""
    connection.execute(sa.delete(s.put_away).where(s.put_away.c.guest_id == guest))


def _seated(connection: sa.Connection, query: sa.Executable) -> list[Listing]:
    """Return the tables that a query finds, with their seats."""
    rows = [TableRow(*row) for row in connection.execute(query)]
    theirs = SEATS.where(storage.seats.c.table_id.in_([row.id for row in rows]))
    seats = [SeatRow(*seat) for seat in connection.execute(theirs)]
    return [Listing(row, [seat for seat in seats if seat.table_id == row.id]) for row in rows]
