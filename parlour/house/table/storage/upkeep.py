"""What may be stored, and what is deleted: plain functions of a connection, as in `queries`.

Deleted are tables that waited for players too long, and, if the operator wants it, old games against bots. A game in
which two people have seats is never deleted.
"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from parlour.house.database import schema
from parlour.house.errors import TooManyTables
from parlour.house.table.storage import schema as s
from parlour.house.table.storage.queries import WAITS
from parlour.house.table.storage.rows import PERSON

MOST = 30  # tables not finished that one guest may host
SHOWN = 3  # of them named in a refusal
_TIDY = "tidied"  # the key that stores which process cleared away last, and when
_GUESTS = 7275468  # the first half of the advisory lock of a guest; the other is a hash of the guest's id


def take_turn(connection: sa.Connection, guest: str) -> None:
    """Let transactions that count what a guest has wait for each other, until their end."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer
        lock = sa.func.pg_advisory_xact_lock(_GUESTS, sa.func.hashtext(guest))
        connection.execute(sa.select(lock))


def must_have_room(connection: sa.Connection, guest: str) -> None:
    """Raise TooManyTables if the guest already hosts the most unfinished tables allowed. A game that they have left
    does not count."""
    take_turn(connection, guest)
    c = s.tables.c
    sits = sa.select(s.seats.c.table_id).where(s.seats.c.guest_id == guest, s.seats.c.kind.in_(PERSON))
    query = sa.select(c.id).where(c.host == guest, (c.status == "waiting") | (c.status == "playing") & c.id.in_(sits))
    found = list(connection.scalars(query.order_by(c.touched).limit(MOST)))
    if len(found) >= MOST:
        oldest = [f"/t/{table_id}" for table_id in found[:SHOWN]]
        raise TooManyTables(
            f"You already host {MOST} unfinished tables, which is the limit. Finish or leave some, such as the "
            f"oldest: {', '.join(oldest)}.",
            allowed=oldest,
        )


def unfinished(connection: sa.Connection, table_ids: Collection[str]) -> set[str]:
    """Return those of these tables that wait, or are in progress with a person seated."""
    c = s.tables.c
    sits = sa.select(s.seats.c.table_id).where(s.seats.c.table_id.in_(table_ids), s.seats.c.kind.in_(PERSON))
    still = (c.status == "waiting") | (c.status == "playing") & c.id.in_(sits)
    return set(connection.scalars(sa.select(c.id).where(c.id.in_(table_ids), still)))


def claim(connection: sa.Connection, mine: str, now: float, rest: float) -> bool:
    """Take or keep the right to delete; return False if another process (each has its own `mine`) took or kept it in
    the last `rest` seconds. Of two simultaneous tries one succeeds; the other may raise IntegrityError."""
    c = schema.settings.c
    mark = f"{now:.3f} {mine}"
    found = connection.scalar(sa.select(c.value).where(c.key == _TIDY))
    if found is None:
        connection.execute(sa.insert(schema.settings).values(key=_TIDY, value=mark))
        return True
    since, _, whose = found.partition(" ")
    if whose != mine and abs(now - float(since)) < rest:  # a time far ahead, from a clock that was wrong, doesn't count
        return False
    taken = connection.execute(sa.update(schema.settings).where(c.key == _TIDY, c.value == found).values(value=mark))
    return bool(taken.rowcount)


def clear(connection: sa.Connection, now: float, keep: float | None, most: int) -> list[str]:
    """Delete some tables that waited too long, otherwise games against bots without activity for `keep` seconds (None:
    never); return their ids."""
    c = s.tables.c
    gone = _delete(connection, sa.and_(c.status == "waiting", c.touched < now - WAITS), most)
    if len(gone) < most and keep is not None:
        sat = (s.seats.c.guest_id != "") | s.seats.c.kind.in_(PERSON)  # people may have hidden their game, or left it
        guests = sa.select(sa.func.count()).where(s.seats.c.table_id == c.id, sat)
        old = sa.and_(c.status.in_(("playing", "over", "closed")), c.touched < now - keep)
        old &= (c.tournament == "") | (c.status != "playing")  # its result is still awaited
        gone += _delete(connection, sa.and_(old, guests.scalar_subquery() <= 1), most - len(gone))
    if gone:  # a table whose rematch is deleted can have another
        again = sa.update(s.tables).where(c.rematch.in_(gone)).values(rematch="", changes=c.changes + 1)
        connection.execute(again)
    return gone


def _delete(connection: sa.Connection, which: sa.ColumnElement[bool], most: int) -> list[str]:
    """Delete some tables; one that changes meanwhile stays."""
    c = s.tables.c
    some = sa.select(c.id).where(which).order_by(c.touched).limit(most)
    return list(connection.scalars(sa.delete(s.tables).where(c.id.in_(some), which).returning(c.id)))


def free_rematch(connection: sa.Connection, table_id: str) -> None:
    """Allow the game before a deleted table another rematch."""
    c = s.tables.c
    connection.execute(sa.update(s.tables).where(c.rematch == table_id).values(rematch="", changes=c.changes + 1))
