"""Queries: plain functions of a connection. Statements that every move needs are built once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from parlour.core.facts import RULESET
from parlour.house.accounts import schema as accounts
from parlour.house.errors import UnknownTable
from parlour.house.invitations import schema as invitations
from parlour.house.notify import outbox
from parlour.house.profiles import schema as profiles
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings import schema as ratings
from parlour.house.table.storage import schema as s
from parlour.house.table.storage.rows import (
    ELSEWHERE,
    PERSON,
    AnswerRow,
    ChatRow,
    Rest,
    SeatRow,
    Snapshot,
    StepRow,
    TableRow,
    Timing,
    Values,
    called,
    distinct_names,
    must_follow,
)

CHAT_KEPT = 50  # lines shown
CHAT_STORED = 2_000  # lines of a table; beyond it, the oldest are deleted
UNDER_WAY = ("waiting", "playing")  # the status of a table that is not over
WAITS = 7 * 86400.0  # seconds for which others' tables are listed after anything was done there, and tables wait

TABLE = [s.tables.c[name] for name in TableRow.__struct_fields__]
RULESET_OF = sa.func.coalesce(s.tables.c.options[RULESET].as_string(), "")
_SAT, _R, _H = s.seats.c, ratings.ratings.c, s.holidays.c
_PLAYER = sa.case(  # the seat's player as `ratings` names them; no one if a bot plays on, or a person on their device
    (_SAT.kind == "guest", _SAT.guest_id),
    ((_SAT.kind == "bot") & (_SAT.guest_id == ""), sa.literal(rating_rows.BOT).concat(_SAT.bot)),
    else_="",
)
_OWNER: sa.ColumnElement[str] = sa.func.coalesce(
    sa.case((accounts.people.c.id.is_not(None), accounts.guests.c.name)), ""
)
_KEPT = _OWNER, _R.mu, _R.sure, _H.since, _H.until, profiles.pictures.c.picture  # ELSEWHERE
_NEWEST = sa.select(sa.func.max(_H.since)).where(_H.guest_id == _SAT.guest_id).correlate(s.seats).scalar_subquery()
SEATS: sa.Select[Any] = (  # whole `SeatRow`s, but for `rests`
    sa.select(*[_SAT[name] for name in SeatRow.__struct_fields__ if name not in ELSEWHERE], *_KEPT)
    .join(s.tables, s.tables.c.id == _SAT.table_id)
    .outerjoin(accounts.people, accounts.people.c.id == _SAT.guest_id)
    .outerjoin(accounts.guests, accounts.guests.c.id == accounts.people.c.id)
    .outerjoin(ratings.ratings, (_R.game == s.tables.c.game) & (_R.ruleset == RULESET_OF) & (_R.player == _PLAYER))
    .outerjoin(s.holidays, (_H.guest_id == _SAT.guest_id) & (_H.since == _NEWEST))
    .outerjoin(profiles.pictures, profiles.pictures.c.guest_id == _SAT.guest_id)
    .order_by(_SAT.seat)
)
_STEP = [s.steps.c[name] for name in StepRow._fields]
_ANSWER = [s.answers.c[name] for name in AnswerRow._fields]
_CHAT = [s.chat.c[name] for name in ChatRow.__struct_fields__]
_ID: sa.BindParameter[str] = sa.bindparam("wanted_id")
_FROM: sa.BindParameter[int] = sa.bindparam("wanted_from")

_ONE = sa.select(*TABLE, s.tables.c.changes).where(s.tables.c.id == _ID)
_SEATS = SEATS.where(_SAT.table_id == _ID)
_RESTS = (  # the rules allow 28 a year at most (`table.play.holidays`), so that these are few
    sa.select(_SAT.seat, _H.since, _H.until)
    .join(s.tables, s.tables.c.id == _SAT.table_id)
    .join(s.holidays, (_H.guest_id == _SAT.guest_id) & (_H.until > s.tables.c.created))
    .where(_SAT.table_id == _ID)
    .order_by(_H.since)
)
_STEPS = sa.select(*_STEP).where(s.steps.c.table_id == _ID, s.steps.c.idx >= _FROM).order_by(s.steps.c.idx)
_ANSWERS = sa.select(*_ANSWER).where(s.answers.c.table_id == _ID, s.answers.c.idx >= _FROM).order_by(s.answers.c.idx)
_LINES = (
    sa.select(*_CHAT).where(s.chat.c.table_id == _ID, s.chat.c.id > _FROM).order_by(s.chat.c.id.desc()).limit(CHAT_KEPT)
)
_LINE = s.chat.alias().c
_TOO_OLD = (
    sa.select(_LINE.id).where(_LINE.table_id == _ID).order_by(_LINE.id.desc()).offset(sa.bindparam("most")).limit(1)
)
_FORGET = sa.delete(s.chat).where(s.chat.c.table_id == _ID, s.chat.c.id <= _TOO_OLD.scalar_subquery())
_CHANGES = sa.select(s.tables.c.changes).where(s.tables.c.id == _ID)
_NAMED = sa.text(  # two pages of a new guest may do so at the same time
    "INSERT INTO guests (id, name, created) VALUES (:guest, :name, :now) ON CONFLICT (id) DO UPDATE SET name = :name"
)
_ADD = sa.insert(s.steps)
_NOTE = sa.update(s.tables).where(s.tables.c.id == _ID).values(changes=s.tables.c.changes + 1)
_CLOCK: dict[str, sa.BindParameter[object]] = {name: sa.bindparam(name) for name in Timing._fields}
_MOVED = _NOTE.values(touched=sa.bindparam("now"), **_CLOCK).returning(s.tables.c.changes)
_ENDED = _MOVED.values(status="over")
_NOTED = _NOTE.returning(s.tables.c.changes)
_HELD = _NOTE.returning(*TABLE)


def load(connection: sa.Connection, table_id: str, from_step: int, after_chat: int) -> Snapshot:
    """Return a table, with its steps and answers from `from_step` on and its chat after a line. Raises UnknownTable."""
    which = {"wanted_id": table_id}
    found = connection.execute(_ONE, which).first()
    if found is None:
        raise unknown(table_id)
    *values, changes = found
    later = {**which, "wanted_from": from_step}
    chat = [ChatRow(*line) for line in connection.execute(_LINES, {**which, "wanted_from": after_chat})]
    return Snapshot(
        TableRow(*values),
        _seats(connection, table_id),
        [StepRow(*step) for step in connection.execute(_STEPS, later)],
        [AnswerRow(*answer) for answer in connection.execute(_ANSWERS, later)],
        chat[::-1],
        changes,
    )


def changes_at(connection: sa.Connection, table_id: str) -> int | None:
    """Return a table's count of changes, or None if the table does not exist."""
    found: int | None = connection.scalar(_CHANGES, {"wanted_id": table_id})
    return found


def changes_of(connection: sa.Connection, table_ids: Sequence[str]) -> dict[str, int]:
    """Return the counts of many tables, without those that are gone."""
    c = s.tables.c
    found: dict[str, int] = {}
    for first in range(0, len(table_ids), 500):
        query = sa.select(c.id, c.changes).where(c.id.in_(table_ids[first : first + 500]))
        found.update((table_id, changes) for table_id, changes in connection.execute(query))
    return found


def append(connection: sa.Connection, table_id: str, steps: Sequence[StepRow], over: bool, timing: Timing) -> int:
    """Add a move and the chance after it to the record; return the table's count of changes."""
    add_steps(connection, table_id, steps)
    values = {"wanted_id": table_id, "now": time.time(), **timing.kept()}
    changes: int = connection.scalar(_ENDED if over else _MOVED, values)
    if over:
        note_over(connection, table_id, steps)
    return changes


def note_over(connection: sa.Connection, table_id: str, steps: Sequence[StepRow]) -> None:
    """Note the end of the game for those who did not make the first of these steps."""
    c = s.seats.c  # a bot's seat has no person, even if it plays for one
    whose = sa.select(c.guest_id).where(c.table_id == table_id, c.seat == steps[0].actor, c.kind.in_(PERSON))
    outbox.note_over(connection, table_id, time.time(), connection.scalar(whose) or "")


def add_steps(connection: sa.Connection, table_id: str, steps: Sequence[StepRow]) -> None:
    """Insert steps of a record. Raises what `must_follow` raises."""
    must_follow(steps)
    if steps:
        connection.execute(_ADD, [{"table_id": table_id, **step._asdict()} for step in steps])


def create(connection: sa.Connection, table: TableRow, seats: Iterable[SeatRow], steps: Sequence[StepRow]) -> None:
    """Insert a table, with its first steps if it starts at once."""
    seats = list(seats)
    connection.execute(sa.insert(s.tables).values(msgspec.structs.asdict(table)))
    connection.execute(sa.insert(s.seats), [seat.kept() for seat in seats])
    add_steps(connection, table.id, steps)
    if table.rated and table.status == "playing":
        rating_rows.begin(connection, table, seats)


def hold(connection: sa.Connection, table_id: str) -> tuple[TableRow, list[SeatRow]]:
    """Count a change at a table, which locks its row until this transaction ends; return it as it is now. Raises
    UnknownTable."""
    found = connection.execute(_HELD, {"wanted_id": table_id}).first()
    if found is None:
        raise unknown(table_id)
    return TableRow(*found), _seats(connection, table_id)


def _seats(connection: sa.Connection, table_id: str) -> list[SeatRow]:
    """Return the seats of a table. Another statement is needed only if a guest has ever taken a holiday."""
    which = {"wanted_id": table_id}
    seats = [SeatRow(*seat) for seat in connection.execute(_SEATS, which)]
    if all(seat.rest_since is None for seat in seats):
        return seats
    rests: dict[int, list[Rest]] = {}
    for seat, since, until in connection.execute(_RESTS, which):
        rests.setdefault(seat, []).append(Rest(since, until))
    return [msgspec.structs.replace(one, rests=tuple(rests.get(one.seat, ()))) for one in seats]


def answers_at(connection: sa.Connection, table_id: str, idx: int) -> list[AnswerRow]:
    """Return the answers to the question that was open when the record had `idx` steps."""
    query = _ANSWERS.where(s.answers.c.idx == idx)
    return [AnswerRow(*row) for row in connection.execute(query, {"wanted_id": table_id, "wanted_from": idx})]


def answer(connection: sa.Connection, table_id: str, row: AnswerRow) -> int | None:
    """Insert an answer; return the table's count of changes, None if the record has moved on. Raises UnknownTable."""
    changes: int | None = connection.scalar(_NOTED, {"wanted_id": table_id})  # holds the row
    if changes is None:
        raise unknown(table_id)
    last = sa.select(sa.func.max(s.steps.c.idx)).where(s.steps.c.table_id == table_id)
    if connection.scalar(last) != row.idx - 1:
        return None
    connection.execute(sa.insert(s.answers).values(table_id=table_id, **row._asdict()))
    return changes


def say(connection: sa.Connection, line: Values, instead: outbox.Instead | None = None) -> int:
    """Insert a chat message; return its number. `instead`: as in `outbox.note_chat`."""
    made = connection.execute(sa.insert(s.chat).values(line).returning(s.chat.c.id))
    number = int(made.scalar_one())
    table, speaker = str(line["table_id"]), str(line["guest_id"])
    outbox.note_chat(connection, table, speaker, number, time.time(), instead)
    connection.execute(_NOTE, {"wanted_id": table})
    connection.execute(_FORGET, {"wanted_id": table, "most": CHAT_STORED})
    return number


def name_guest(connection: sa.Connection, guest: str, name: str) -> None:
    """Store a guest's name, including for their seats, reserved seats and games at unfinished tables."""
    connection.execute(_NAMED, {"guest": guest, "name": name, "now": time.time()})
    c, i = s.seats.c, invitations.invitations.c
    own = (c.guest_id == guest) & (c.kind == "guest")
    at = named_at(connection, guest)
    if not at:
        return
    noted = sa.update(s.tables).where(s.tables.c.id.in_(at), s.tables.c.status.in_(UNDER_WAY))
    noted = noted.values(changes=s.tables.c.changes + 1).returning(s.tables.c.id, s.tables.c.names)
    games = {table: names for table, names in connection.execute(noted) if names}
    connection.execute(sa.update(s.seats).where(own, c.table_id.in_(at)).values(name=name))
    theirs = sa.exists().where(i.guest_id == guest, i.table_id == c.table_id, i.seat == c.seat, i.token == c.token)
    kept = (c.kind == "link") & (c.name != "") & theirs
    connection.execute(sa.update(s.seats).where(c.table_id.in_(at), kept).values(name=name))
    seats = sa.select(c.table_id, c.name, c.program).where(c.table_id.in_(games)).order_by(c.table_id, c.seat)
    shown: dict[str, list[str]] = {}
    for table, seat, program in connection.execute(seats):
        shown.setdefault(table, []).append(called(seat, program=program))
    for table, names in shown.items():
        connection.execute(sa.update(s.tables).where(s.tables.c.id == table).values(names=distinct_names(names)))


def named_at(connection: sa.Connection, guest: str) -> list[str]:
    """Return the ids of unfinished tables at which the guest sits or is invited, in the same order for every
    transaction that locks several."""
    t, c, i = s.tables.c, s.seats.c, invitations.invitations.c
    sits = sa.select(c.table_id).where(c.guest_id == guest, c.kind == "guest")
    asked = sa.select(i.table_id).where(i.guest_id == guest)
    query = sa.select(t.id).where(t.status.in_(UNDER_WAY), t.id.in_(sits.union(asked)))
    return list(connection.scalars(query.order_by(t.id)))


def is_under_way(connection: sa.Connection, table: str) -> bool:
    """Return whether such a table exists and is not over."""
    return connection.scalar(sa.select(s.tables.c.status).where(s.tables.c.id == table)) in UNDER_WAY


def unknown(table_id: str) -> UnknownTable:
    """Return the refusal of a missing table."""
    return UnknownTable(
        f"There is no table {table_id!r}. It may have been removed: a waiting table closes when its host leaves, or "
        f"after {WAITS / 86400:.0f} days without activity. Some houses also delete old games against bots."
    )
