"""What a guest has at tables, and what becomes of it when they sign in to an account or are deleted: plain functions of
a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from parlour.house.table.storage import schema as s
from parlour.house.table.storage.queries import UNDER_WAY
from parlour.house.table.storage.rows import called, distinct_names


def owned(connection: sa.Connection, guest: str) -> list[str]:
    """Return the ids of all tables at which a guest has or had a seat, or hosts."""
    sat = sa.select(s.seats.c.table_id).where(s.seats.c.guest_id == guest)
    hosted = sa.select(s.tables.c.id).where(s.tables.c.host == guest)
    said = sa.select(s.chat.c.table_id).where(s.chat.c.guest_id == guest)
    return sorted(connection.scalars(sat.union(hosted, said)))


def under_way(connection: sa.Connection, guest: str) -> list[str]:
    """Return those of these tables that are not over."""
    c = s.tables.c
    return list(connection.scalars(sa.select(c.id).where(c.id.in_(owned(connection, guest)), c.status.in_(UNDER_WAY))))


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a guest's messages and their tables, for their export."""
    c = s.chat.c
    query = sa.select(c.table_id, c.text).where(c.guest_id == guest).order_by(c.id)
    return {"said": [{"table": table, "text": text} for table, text in connection.execute(query)]}


def hold(connection: sa.Connection, tables: Sequence[str]) -> dict[str, str]:
    """Count a change at each of these tables, in one order for everyone who holds several; return the status of
    each."""
    held: dict[str, str] = {}
    c = s.tables.c
    for table in tables:
        values: dict[str, Any] = {"changes": c.changes + 1}
        status = connection.scalar(sa.update(s.tables).where(c.id == table).values(values).returning(c.status))
        if status is not None:
            held[table] = status
    return held


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's seats, hosted tables and messages to a person's account.

    If both sit at a table, both seats become the person's, and the guest's seat counts as another player on the same
    device: its hidden information stays behind the curtain.
    """
    c, t = s.seats.c, s.tables.c
    twice = sa.select(c.table_id).where(c.guest_id == person)
    both = sa.update(s.seats).where(c.guest_id == guest, c.kind == "guest", c.table_id.in_(twice))
    connection.execute(both.values(kind="here", guest_id=person))
    connection.execute(sa.update(s.seats).where(c.guest_id == guest).values(guest_id=person))
    connection.execute(sa.update(s.tables).where(t.host == guest).values(host=person))
    connection.execute(sa.update(s.chat).where(s.chat.c.guest_id == guest).values(guest_id=person))
    connection.execute(sa.update(s.tables).where(t.turn == guest).values(turn=person))


def part(
    connection: sa.Connection, guest: str, tables: Mapping[str, str], name: str, bot_of: Callable[[str], str]
) -> None:
    """Delete a guest's messages, and take them from these `tables`, each with its status. Their seats get this `name`;
    bots take them over in games in progress, and they are free at tables that wait. `bot_of` returns the bot that plays
    on in a game of this name."""
    c, t = s.seats.c, s.tables.c
    for table, status in tables.items():
        seats = connection.execute(
            sa.select(c.seat, c.guest_id, c.name, c.program).where(c.table_id == table).order_by(c.seat)
        ).all()
        others = [one.guest_id for one in seats if one.guest_id not in ("", guest)]
        connection.execute(
            sa.update(s.tables).where(t.id == table, t.host == guest).values(host=others[0] if others else "")
        )
        if all(one.guest_id != guest for one in seats):
            continue
        game, begun = connection.execute(sa.select(t.game, t.names).where(t.id == table)).one()
        if begun:
            names = distinct_names(
                [called(name if one.guest_id == guest else one.name, program=one.program) for one in seats]
            )
            connection.execute(sa.update(s.tables).where(t.id == table).values(names=names))
        mine = (c.table_id == table) & (c.guest_id == guest)
        values: dict[str, str | bool] = {"guest_id": "", "name": name}
        if status == "playing":
            values |= {"kind": "bot", "bot": bot_of(game)}
            connection.execute(sa.update(s.tables).where(t.id == table).values(in_hand=-1))
        elif status == "waiting":
            values |= {"kind": "open", "name": "", "bot": "", "words": "", "program": False}
        connection.execute(sa.update(s.seats).where(mine).values(values))
    connection.execute(sa.update(s.tables).where(t.turn == guest).values(turn=""))
    connection.execute(sa.delete(s.chat).where(s.chat.c.guest_id == guest))
