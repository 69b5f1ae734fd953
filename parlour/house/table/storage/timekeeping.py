"""The clocks in the database: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from parlour.house.database import schema
from parlour.house.database.exporting import when
from parlour.house.notify import schema as notify
from parlour.house.table.storage import schema as s
from parlour.house.table.storage.queries import named_at
from parlour.house.table.storage.rows import NEVER, KeptTempo, Rest, Timing

# Takes a tempo, the clock that ran, the holiday of its player, the last beat and the time now; returns the new clock.
GiveBack = Callable[[KeptTempo, Timing, Rest, float, float], Timing]
# Takes a tempo, the clock that runs, its player's last and new holidays, and the time now; returns the new clock.
Rested = Callable[[KeptTempo, Timing, Rest, Rest, float], Timing]
_ALIVE = "alive"  # the key of the last beat of any process, written while a clock runs


def next_due(connection: sa.Connection) -> float | None:
    """Return when the first clock is up, None without a running clock."""
    found: float | None = connection.scalar(sa.select(sa.func.min(s.tables.c.due)))
    return found


def tick(
    connection: sa.Connection, now: float, lost: float, asleep: bool, most: int, give_back: GiveBack
) -> tuple[list[str], list[str]]:
    """Store a beat; return the tables whose time is up, and those whose clocks got back what they lost: the time since
    the last beat, if `asleep` and it is longer than `lost`."""
    before = _beat(connection, now)
    c = s.tables.c
    given: list[str] = []
    if asleep and before is not None and now - before > lost:
        for table_id, tempo, timing in _running(connection, c.due.is_not(None)):
            _set(connection, table_id, give_back(tempo, timing, newest(connection, timing.turn), before, now))
            given.append(table_id)
    due = sa.select(c.id).where(c.due <= now).order_by(c.due).limit(most)
    return list(connection.scalars(due)), given


def _running(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[tuple[str, KeptTempo, Timing]]:
    """Lock those of these tables whose clock runs; return their ids, tempos and clocks."""
    c = s.tables.c
    query = sa.select(c.id, c.tempo, *(c[name] for name in Timing._fields)).where(which, c.due.is_not(None))
    rows = connection.execute(query.order_by(c.id).with_for_update()).all()
    return [(table_id, tempo, Timing(*timing)) for table_id, tempo, *timing in rows]


def _set(connection: sa.Connection, table_id: str, timing: Timing) -> None:
    c = s.tables.c
    values = {**timing.kept(), "changes": c.changes + 1}
    connection.execute(sa.update(s.tables).where(c.id == table_id).values(**values))


def newest(connection: sa.Connection, guest: str) -> Rest:
    """Return the newest holiday of a guest, or NEVER."""
    return next(iter(holidays(connection, guest)), NEVER)


def holidays(connection: sa.Connection, guest: str) -> list[Rest]:
    """Return the holidays of a guest, the newest first."""
    c = s.holidays.c
    query = sa.select(c.since, c.until).where(c.guest_id == guest).order_by(c.since.desc())
    return [Rest(*row) for row in connection.execute(query)]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a guest's holidays, for their export."""
    found = holidays(connection, guest)
    return {"holidays": [{"since": when(one.since), "until": when(one.until)} for one in found]}


def rest(connection: sa.Connection, guest: str, wanted: Rest | None, now: float, rested: Rested) -> list[str]:
    """Give a guest a holiday in place of an unfinished one, or none, and adjust their running clocks. Return the ids of
    their tables, which count a change."""
    tables = named_at(connection, guest)
    for table_id in tables:  # in the same order for every transaction that locks several
        t = s.tables.c
        connection.execute(sa.update(s.tables).where(t.id == table_id).values(changes=t.changes + 1))
    c = s.holidays.c
    before = newest(connection, guest)
    after = before
    if before.until > now:  # it ends now, or has not begun
        mine = (c.guest_id == guest) & (c.since == before.since)
        connection.execute(sa.delete(s.holidays).where(mine))
        after = Rest(before.since, min(before.until, now))
        if before.since < now and (wanted is None or wanted.since != before.since):
            connection.execute(sa.insert(s.holidays).values(guest_id=guest, since=before.since, until=now))
    if wanted is not None:
        connection.execute(sa.insert(s.holidays).values(guest_id=guest, since=wanted.since, until=wanted.until))
        after = wanted
    _follow(connection, guest, before, after, now, rested)
    return tables


def _follow(connection: sa.Connection, guest: str, before: Rest, after: Rest, now: float, rested: Rested) -> list[str]:
    """Adjust a guest's running clocks to another holiday; return the ids of their tables."""
    running = _running(connection, s.tables.c.turn == guest)
    for table_id, tempo, timing in running:
        then = rested(tempo, timing, before, after, now)
        _set(connection, table_id, then)
        if then.due is not None:
            _sooner(connection, table_id, then.due, now)
    return [table_id for table_id, *_ in running]


def hand_on(connection: sa.Connection, guest: str, person: str, now: float, rested: Rested) -> list[str]:
    """Move a guest's holidays to a person's account, whose own plans then apply to the clocks of both: used days stay
    used, and an unfinished holiday of the guest's ends. Return the ids of the person's tables that changed."""
    rest(connection, guest, None, now, rested)
    over, before = newest(connection, guest), newest(connection, person)
    # A holiday within one of the other's adds nothing; it would hide that one, or begin at the same moment.
    for whose, other in ((guest, person), (person, guest)):
        rests = holidays(connection, other)
        for one in holidays(connection, whose):
            if any(wide.since <= one.since and one.until <= wide.until for wide in rests):
                c = s.holidays.c
                connection.execute(sa.delete(s.holidays).where(c.guest_id == whose, c.since == one.since))
    connection.execute(sa.update(s.holidays).where(s.holidays.c.guest_id == guest).values(guest_id=person))
    after = newest(connection, person)
    _follow(connection, guest, over, after, now, rested)
    return _follow(connection, person, before, after, now, rested) if after != before else []


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's holidays."""
    connection.execute(sa.delete(s.holidays).where(s.holidays.c.guest_id == guest))


def _sooner(connection: sa.Connection, table_id: str, due: float, now: float) -> None:
    """Adjust notifications to a clock that is now up at another moment. A warning is due at once, because
    `notices.lease` knows its right moment. A turn is reported while half of the time to decide is left."""
    n = notify.notices.c
    for kind, latest in (("time", now), ("turn", now + max(0.0, due - now) / 2)):
        which = (n.table_id == table_id) & (n.kind == kind) & (n.due > latest)
        connection.execute(sa.update(notify.notices).where(which).values(due=latest))


def _beat(connection: sa.Connection, now: float) -> float | None:
    """Store that the house is running; return when it was last stored, None if another process does so at the same
    time, or it was never stored."""
    c = schema.settings.c
    found = connection.scalar(sa.select(c.value).where(c.key == _ALIVE))
    if found is None:
        connection.execute(sa.insert(schema.settings).values(key=_ALIVE, value=f"{now:.3f}"))
        return None
    said = sa.update(schema.settings).where(c.key == _ALIVE, c.value == found).values(value=f"{now:.3f}")
    return float(found) if connection.execute(said).rowcount else None


def no_clock(connection: sa.Connection, table_id: str) -> None:
    """Stop a table's clock."""
    c = s.tables.c
    connection.execute(sa.update(s.tables).where(c.id == table_id).values(began=0.0, used=0.0, due=None))


def look_again(connection: sa.Connection, table_id: str, due: float) -> None:
    """Let a table's clock run, and check it again at this time (seconds since 1970)."""
    c = s.tables.c
    connection.execute(sa.update(s.tables).where(c.id == table_id, c.due.is_not(None)).values(due=due))
