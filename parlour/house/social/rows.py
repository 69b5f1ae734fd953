"""Whom people have muted or blocked, and what they reported: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.names import SOMEBODY, default_name
from parlour.house.admin import schema as admin
from parlour.house.database.exporting import when
from parlour.house.errors import TooMany
from parlour.house.social import schema as s
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import SeatRow

MOST_MARKS = 500  # people that one guest may have muted or blocked
MOST_OPEN = 10  # open reports of one guest
MOST_REPORTS = 5_000  # open reports in all: about 60 MB with their messages at the very most
AROUND = 5  # lines stored before and after a reported line; if a person is reported without one, twice this number
PAGE = 25  # reports in one answer
ASKED = 500  # guests of whom one statement asks
KEPT = 365 * 86400.0  # seconds for which a report is kept after it is done, with what was said around it


class Regard(NamedTuple):
    """How a guest stands to others: whose messages are hidden from them, whom they have blocked, and who has blocked
    them, which they never learn."""

    muted: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    shut: frozenset[str] = frozenset()

    @property
    def deaf(self) -> frozenset[str]:
        """Return whose messages they don't see."""
        return self.muted | self.blocked

    @property
    def apart(self) -> frozenset[str]:
        """Return whom they don't meet."""
        return self.blocked | self.shut


NOBODY = Regard()


class Mark(NamedTuple):
    """A person whom a guest has muted or blocked. `token` is their id in the guest's own list."""

    token: str
    other: str
    name: str | None
    muted: bool
    blocked: bool


class Report(NamedTuple):
    """A report: who wrote it ("" after they deleted their account), about whom, where, and when it was closed."""

    id: int
    guest: str
    about: str
    table: str
    line: int
    reason: str
    words: str
    created: float
    done: float | None


class Said(NamedTuple):
    """A chat message stored with a report."""

    line: int
    guest: str
    name: str
    text: str


_MARK = s.marks.c
_REPORT = [s.reports.c[name] for name in ("id", "guest_id", "about", "table_id", *Report._fields[4:])]


# Mute and block ------------------------------------------------------------------------------------
def regards(connection: sa.Connection, guests: Sequence[str]) -> dict[str, Regard]:
    """Return how each of these guests stands to others."""
    found: dict[str, tuple[set[str], set[str], set[str]]] = {guest: (set(), set(), set()) for guest in guests}
    for first in range(0, len(guests), ASKED):
        some = guests[first : first + ASKED]
        query = sa.select(_MARK.guest_id, _MARK.other_id, _MARK.muted, _MARK.blocked)
        query = query.where(_MARK.guest_id.in_(some) | _MARK.other_id.in_(some) & _MARK.blocked)
        for guest, other, muted, blocked in connection.execute(query):
            if guest in found:
                found[guest][0].update({other} if muted else ())
                found[guest][1].update({other} if blocked else ())
            if other in found and blocked:
                found[other][2].add(guest)
    return {guest: Regard(*map(frozenset, sets)) if any(sets) else NOBODY for guest, sets in found.items()}


def mark(
    connection: sa.Connection, guest: str, other: str, *, muted: bool | None = None, blocked: bool | None = None
) -> None:
    """Mute or block a person, or undo it; None leaves a mark as it is. Raises TooMany."""
    which = (_MARK.guest_id == guest) & (_MARK.other_id == other)
    before = connection.execute(sa.select(_MARK.muted, _MARK.blocked).where(which)).first()
    was_muted, was_blocked = before or (False, False)
    values = {"muted": was_muted if muted is None else muted, "blocked": was_blocked if blocked is None else blocked}
    if before is not None:
        if any(values.values()):
            connection.execute(sa.update(s.marks).where(which).values(values))
        else:
            connection.execute(sa.delete(s.marks).where(which))
        return
    if not any(values.values()):
        return
    have = connection.scalar(sa.select(sa.func.count()).where(_MARK.guest_id == guest)) or 0
    if have >= MOST_MARKS:
        raise TooMany(f"You've muted or blocked {MOST_MARKS} people, which is the limit. Undo some under You.")
    token = secrets.token_hex(8)
    row = {"guest_id": guest, "other_id": other, "token": token, "created": time.time(), **values}
    connection.execute(sa.insert(s.marks).values(row))


def marks(connection: sa.Connection, guest: str) -> list[Mark]:
    """Return whom a guest has muted or blocked, the last first."""
    query = sa.select(_MARK.token, _MARK.other_id, accounts.guests.c.name, _MARK.muted, _MARK.blocked)
    query = query.outerjoin(accounts.guests, accounts.guests.c.id == _MARK.other_id).where(_MARK.guest_id == guest)
    return [Mark(*row) for row in connection.execute(query.order_by(_MARK.created.desc(), _MARK.token))]


def marked(connection: sa.Connection, guest: str, token: str) -> str | None:
    """Return the guest with this id in a guest's own list."""
    query = sa.select(_MARK.other_id).where(_MARK.guest_id == guest, _MARK.token == token)
    found: str | None = connection.scalar(query)
    return found


def known_to(connection: sa.Connection, guest: str) -> list[str]:
    """Return whom a guest has muted or blocked, and who has done so to them."""
    theirs = sa.select(_MARK.other_id).where(_MARK.guest_id == guest)
    return list(connection.scalars(theirs.union(sa.select(_MARK.guest_id).where(_MARK.other_id == guest))))


def shut_by(connection: sa.Connection, guest: str, others: Collection[str]) -> set[str]:
    """Return those of others who have blocked a guest."""
    query = sa.select(_MARK.guest_id).where(_MARK.other_id == guest, _MARK.guest_id.in_(others), _MARK.blocked)
    return set(connection.scalars(query))


def apart(connection: sa.Connection, guest: str, others: Collection[str]) -> set[str]:
    """Return those of others who have blocked a guest, or whom the guest has blocked."""
    query = sa.select(_MARK.other_id).where(_MARK.guest_id == guest, _MARK.other_id.in_(others), _MARK.blocked)
    return shut_by(connection, guest, others) | set(connection.scalars(query))


def pairs_apart(
    connection: sa.Connection, guests: Collection[str], until: float | None = None
) -> frozenset[frozenset[str]]:
    """Return the pairs among these guests in which one has blocked the other, only by marks made `until` then."""
    query = sa.select(_MARK.guest_id, _MARK.other_id).where(_MARK.blocked, _MARK.guest_id.in_(guests))
    if until is not None:
        query = query.where(_MARK.created <= until)
    return frozenset(frozenset(pair) for pair in connection.execute(query.where(_MARK.other_id.in_(guests))))


# Reports -------------------------------------------------------------------------------------------
def report(connection: sa.Connection, row: Report) -> int:
    """Store a report, with the messages around its line, or the last ones; return its number. The same report sent
    again is the existing one. Raises TooMany."""
    c = s.reports.c
    mine = sa.select(c.id, c.about, c.table_id, c.line).where(c.guest_id == row.guest, c.done.is_(None))
    there = connection.execute(mine).all()
    for number, *same in there:
        if same == [row.about, row.table, row.line]:
            return int(number)
    if len(there) >= MOST_OPEN:
        raise TooMany(
            f"You already have {MOST_OPEN} unread reports, which is the limit. Please wait until some are handled."
        )
    if (connection.scalar(sa.select(sa.func.count()).where(c.done.is_(None))) or 0) >= MOST_REPORTS:
        raise TooMany("This house has too many unread reports. Mute or block the person, and try again later.")
    values = {"about": row.about, "table_id": row.table, "line": row.line, "reason": row.reason, "words": row.words}
    made = sa.insert(s.reports).values(guest_id=row.guest, created=row.created, **values).returning(c.id)
    number = int(connection.execute(made).scalar_one())
    lines = _around(connection, row.table, row.line)
    if lines:
        kept = [
            {"report_id": number, **dict(zip(("line", "guest_id", "name", "text"), one, strict=True))} for one in lines
        ]
        connection.execute(sa.insert(s.report_lines), kept)
    return number


def _around(connection: sa.Connection, table: str, line: int) -> list[Said]:
    """Return the messages before and after a line; without a line, the last ones."""
    c = storage.chat.c
    query = sa.select(c.id, c.guest_id, c.name, c.text).where(c.table_id == table)
    if not line:
        found = connection.execute(query.order_by(c.id.desc()).limit(2 * AROUND + 1)).all()
    else:
        before = query.where(c.id <= line).order_by(c.id.desc()).limit(AROUND + 1)
        after = query.where(c.id > line).order_by(c.id).limit(AROUND)
        found = [*connection.execute(before), *connection.execute(after)]
    return sorted(Said(*one) for one in found)


def clear(connection: sa.Connection, now: float) -> int:
    """Delete reports that were closed long ago, with their messages; return how many."""
    return connection.execute(sa.delete(s.reports).where(s.reports.c.done < now - KEPT)).rowcount


def reports(connection: sa.Connection, *, done: bool, page: int, about: str = "") -> tuple[int, list[Report]]:
    """Return the number of open or closed reports, and a page of them: the oldest open ones, the newest closed ones
    first."""
    c = s.reports.c
    which: sa.ColumnElement[bool] = c.done.is_not(None) if done else c.done.is_(None)
    if about:
        which = c.about == about
    total = connection.scalar(sa.select(sa.func.count()).select_from(s.reports).where(which)) or 0
    order = c.done.desc() if done else c.id.desc() if about else c.id
    query = sa.select(*_REPORT).where(which).order_by(order, c.id).offset(PAGE * page).limit(PAGE)
    return total, [Report(*row) for row in connection.execute(query)]


def evidence(connection: sa.Connection, numbers: Collection[int]) -> dict[int, list[Said]]:
    """Return the messages stored with these reports."""
    c = s.report_lines.c
    query = sa.select(c.report_id, c.line, c.guest_id, c.name, c.text).where(c.report_id.in_(numbers))
    found: dict[int, list[Said]] = {number: [] for number in numbers}
    for number, *said in connection.execute(query.order_by(c.report_id, c.line)):
        found[number].append(Said(*said))
    return found


def finish(connection: sa.Connection, number: int, done: float | None) -> Report | None:
    """Close or reopen a report; return None if it does not exist, or already is in this state."""
    c = s.reports.c
    other = c.done.is_(None) if done is not None else c.done.is_not(None)
    found = connection.execute(
        sa.update(s.reports).where(c.id == number, other).values(done=done).returning(*_REPORT)
    ).first()
    if found is not None and done is not None:  # what was kept of deleted accounts was kept for this
        lines = s.report_lines.c
        connection.execute(sa.update(s.reports).where(c.id == number, c.gone).values(words=""))
        spoken = sa.update(s.report_lines).where(lines.report_id == number, lines.gone)
        connection.execute(spoken.values(name=SOMEBODY, text=""))
    return None if found is None else Report(*found)


def reported_by(connection: sa.Connection, guest: str) -> list[tuple[Report, str | None]]:
    """Return a guest's reports, with the present names of the reported people."""
    query = sa.select(*_REPORT, accounts.guests.c.name).outerjoin(
        accounts.guests, accounts.guests.c.id == s.reports.c.about
    )
    found = connection.execute(query.where(s.reports.c.guest_id == guest).order_by(s.reports.c.id))
    return [(Report(*row[:-1]), row[-1]) for row in found]


def kept_of(connection: sa.Connection, guest: str) -> list[str]:
    """Return a guest's messages that are stored with closed reports; they don't learn of open ones."""
    c = s.report_lines.c
    query = sa.select(c.line, c.text).join(s.reports, s.reports.c.id == c.report_id)
    query = query.where(c.guest_id == guest, s.reports.c.done.is_not(None)).distinct().order_by(c.line)
    return [text for _, text in connection.execute(query)]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return whom a guest has muted, blocked and reported, and what is kept of their own messages, for their export."""
    marked = marks(connection, guest)
    return {
        "muted": [one.name or default_name(one.other) for one in marked if one.muted],
        "blocked": [one.name or default_name(one.other) for one in marked if one.blocked],
        "reported": [
            {
                "name": name or default_name(one.about), "table": one.table or None, "reason": one.reason,
                "words": one.words, "when": when(one.created), "done": one.done is not None,
            } for one, name in reported_by(connection, guest)
        ],
        "kept with reports that are done": kept_of(connection, guest),
    }  # fmt: skip


# When people come together, or go ------------------------------------------------------------------
def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's marks, reports and bans to a person's account. Marks of the two on each other are dropped."""
    for mine, theirs in ((_MARK.guest_id, _MARK.other_id), (_MARK.other_id, _MARK.guest_id)):
        both = sa.select(theirs).where(mine == person)
        connection.execute(sa.delete(s.marks).where(mine == guest, theirs.in_(both) | (theirs == person)))
        connection.execute(sa.update(s.marks).where(mine == guest).values({mine.name: person}))
    for column in (s.reports.c.guest_id, s.reports.c.about, s.report_lines.c.guest_id, admin.bans.c.guest_id):
        connection.execute(sa.update(column.table).where(column == guest).values({column.name: person}))


def forget(connection: sa.Connection, guest: str) -> None:
    """Forget a guest who deleted their account. Marks go, including those of others. Their words in reports go with the
    closing of the report; reports and bans themselves stay."""
    connection.execute(sa.delete(s.marks).where((_MARK.guest_id == guest) | (_MARK.other_id == guest)))
    c, lines = s.reports.c, s.report_lines.c
    theirs, spoken = sa.update(s.reports).where(c.guest_id == guest), sa.update(s.report_lines)
    connection.execute(theirs.where(c.done.is_not(None)).values(guest_id="", words=""))
    connection.execute(theirs.values(guest_id="", gone=True))
    still_open = sa.select(c.id).where(c.done.is_(None))
    spoken = spoken.where(lines.guest_id == guest)
    connection.execute(spoken.where(lines.report_id.in_(still_open)).values(gone=True))
    connection.execute(spoken.where(lines.report_id.not_in(still_open)).values(name=SOMEBODY, text=""))


def parties(host: str, seats: Iterable[SeatRow]) -> set[str]:
    """Return the people of a table: the host, and everyone who sits there."""
    return {host, *(seat.guest_id for seat in seats)} - {""}
