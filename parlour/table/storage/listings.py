"""The lists of the lobby, read from a database: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from parlour.table.storage import manners, notices
from parlour.table.storage import schema as s
from parlour.table.storage.queries import SEAT, TABLE, UNDER_WAY, WAITS
from parlour.table.storage.rows import Listing, SeatRow, TableRow, Which

LISTED = 30  # tables in a list of the lobby
RUNNING = 300  # of one's own that are not over: more than anybody plays
INVITED, ASKS = "invited ", "asks"
ASKED = 500  # guests of whom one statement asks


_PUT_AWAY = sa.text("INSERT INTO put_away (guest_id, table_id) VALUES (:guest, :table) ON CONFLICT DO NOTHING")


class Since(NamedTuple):
    """Which games to watch were listed, and when (seconds of the clock)."""

    tables: Collection[str]
    time: float


class Invitation(NamedTuple):
    """A table at which a seat is kept for a guest, the token of its link, and the host's name."""

    table: TableRow
    token: str
    host: str


def listing(connection: sa.Connection, which: Which, guest: str) -> list[Listing]:
    """Tables for the lobby: one's own, those touched last first; others', those of the last
    hour first, the newest of them first."""
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
    else:  # to the hour: nobody reads from it how long a player thinks who may be asked in secret (FT-26)
        query = query.where(c.status == which, c.public, c.touched > time.time() - WAITS)
        query = query.order_by(sa.cast(c.touched / 3600, sa.Integer).desc(), c.created.desc())
    return _seated(connection, query)


def others(connection: sa.Connection, since: Since | None) -> tuple[list[Listing], list[Listing]]:
    """Others' tables that wait, and games to watch. With `since`, of the games only those that were
    listed or have begun since, the newest first: no move brings in another, so that a page which
    is told at once cannot tell by it when somebody moved (FT-26)."""
    waiting = listing(connection, "waiting", "")
    if since is None:
        return waiting, listing(connection, "playing", "")
    c = s.tables.c
    query = sa.select(*TABLE).where(c.status == "playing", c.public)
    query = query.where(c.id.in_(since.tables) | (c.created >= since.time))
    return waiting, _seated(connection, query.order_by(c.created.desc()).limit(2 * LISTED))


def own(connection: sa.Connection, guests: Sequence[str]) -> dict[str, dict[str, int]]:
    """The tables under way of each of these guests, with their counts of changes; those to which they
    are invited, as INVITED and the id; and, as ASKS, what they ask to play now."""
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
        wishes = sa.select(a.guest_id, a.game, a.ruleset, a.players, a.table_id).where(a.guest_id.in_(some))
        for guest, *what, players, table_id in connection.execute(wishes):
            found[guest][" ".join((ASKS, *what, table_id))] = players
    return found


def company(connection: sa.Connection, guest: str) -> tuple[list[Invitation], list[Listing]]:
    """What a guest is invited to, the newest first, and the games that they finished lately."""
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
        named = named.where(sat.table_id.in_([row.id for row, _ in tokens])).order_by(sat.seat.desc())
        hosts = {found.table_id: found.name for found in connection.execute(named)}
    mine = sa.select(sat.table_id).where(sat.guest_id == guest)
    lately = sa.select(*TABLE).where(c.id.in_(mine), c.status == "over").order_by(c.touched.desc()).limit(LISTED)
    return [Invitation(row, token, hosts.get(row.id, "")) for row, token in tokens], _seated(connection, lately)


def _kept_for(invitations: Any, seats: Any) -> sa.ColumnElement[bool]:
    """Whether a seat is still kept for who was invited to it."""
    same = sa.and_(seats.table_id == invitations.table_id, seats.seat == invitations.seat)
    return sa.and_(same, seats.kind == "link", seats.token == invitations.token)


def invite(connection: sa.Connection, host: str, invited: Mapping[str, SeatRow]) -> None:
    """Invite these guests to seats that are kept by link, but none who has blocked the host, or is: the host is not
    told, as of any who do not answer."""
    apart = manners.apart(connection, host, invited) if invited else set()
    rows = [
        {"table_id": seat.table_id, "seat": seat.seat, "guest_id": guest, "token": seat.token, "created": time.time()}
        for guest, seat in invited.items()
        if guest not in apart
    ]
    if rows:
        connection.execute(sa.insert(s.invitations), rows)
        notices.note_invitations(connection, rows, time.time())


def decline(connection: sa.Connection, guest: str, table_id: str) -> bool:
    """A guest is no longer invited to a table; False where they were not."""
    c = s.invitations.c
    gone = connection.execute(sa.delete(s.invitations).where(c.guest_id == guest, c.table_id == table_id))
    return bool(gone.rowcount)


def put_away(connection: sa.Connection, guest: str, table_id: str) -> None:
    """A finished game is no longer in the guest's list."""
    row = {"guest": guest, "table": table_id}
    connection.execute(_PUT_AWAY, row)


def put_back(connection: sa.Connection, guest: str, table_id: str) -> None:
    """It is in their list again."""
    c = s.put_away.c
    connection.execute(sa.delete(s.put_away).where(c.guest_id == guest, c.table_id == table_id))


def _seated(connection: sa.Connection, query: sa.Select[Any]) -> list[Listing]:
    """The tables that a query finds, with their seats."""
    rows = [TableRow(*row) for row in connection.execute(query)]
    sat = sa.select(*SEAT).where(s.seats.c.table_id.in_([row.id for row in rows])).order_by(s.seats.c.seat)
    seats = [SeatRow(*seat) for seat in connection.execute(sat)]
    return [Listing(row, [seat for seat in seats if seat.table_id == row.id]) for row in rows]
