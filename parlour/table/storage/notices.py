"""What people are still to be told: plain functions of a connection, as in `queries`.

One row for each channel, kind and table says up to where it was told (`at`: which turn, which line of chat) and when
the next thing is `due` (some seconds later, in which whoever has the page open sees it there). So nothing is told
twice, and what is older than what was told is no news. A line of chat and an invitation note theirs in their own
transaction. A turn needs none: the table's row says who is waited for, and `derive` compares. Together with the turn
of a slow game it notes that its time will be short (`time`), which is due then. What is due is leased to one process
(`lease`), which says afterwards how it went; one that dies in between leaves it to the next, when the lease is over.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from parlour.table.storage import keys
from parlour.table.storage import schema as s
from parlour.table.storage.channels import COLUMNS, Channel, Short, ShortOf

LEASE = 60.0  # seconds for which one process is at it; sending takes less
GIVE_UP = 86400.0  # seconds after which it is not told any more
GIVE_UP_LOST = 3600.0  # the same of a letter with a link that expires
RETRY = (30.0, 120.0, 600.0, 1800.0, 3600.0)  # seconds after the first failure, the second, and so on
HOURLY = 20  # notices that a person is told in an hour, by all channels together
TOGETHER = 30  # notices that a process sends at the same time
DIGEST = 86400.0  # seconds between two digests of slow games


class Notice(NamedTuple):
    """Something that a channel is to tell. `seats`: the names at the table; `by`: who spoke last. Of a lost password
    `by` is whose it is, and `token` what the link holds."""

    channel: Channel
    kind: str
    table_id: str
    at: int
    made: float
    tries: int
    game: str = ""
    seats: tuple[str, ...] = ()
    by: str = ""
    token: str = ""
    left: float = 0.0  # seconds on a clock that is short


class Pending(NamedTuple):
    """Something that is not told yet, to whom, and when it happened."""

    channel_id: str
    kind: str
    table_id: str
    at: int
    made: float
    guest: str


_NOTE = sa.text(
    "INSERT INTO notices (channel_id, kind, table_id, at, made, due, leased, tries) "
    "VALUES (:channel, :kind, :table, :at, :now, :due, 0, 0) "
    "ON CONFLICT (channel_id, kind, table_id) DO UPDATE SET "
    "at = excluded.at, made = CASE WHEN notices.due IS NULL THEN excluded.made ELSE notices.made END, "
    "due = CASE WHEN notices.due IS NULL THEN excluded.due ELSE notices.due END, "
    "tries = CASE WHEN notices.due IS NULL THEN 0 ELSE notices.tries END WHERE notices.at < excluded.at"
)
_ANEW = sa.text(  # another turn: what was to be told of the one before is no longer so
    "INSERT INTO notices (channel_id, kind, table_id, at, made, due, leased, tries) "
    "VALUES (:channel, :kind, :table, :at, :made, :due, 0, 0) "
    "ON CONFLICT (channel_id, kind, table_id) DO UPDATE SET at = excluded.at, made = excluded.made, "
    "due = excluded.due, leased = 0, tries = 0 WHERE notices.at < excluded.at"
)


# What is to be told ----------------------------------------------------------------------------------
def note_chat(connection: sa.Connection, table: str, speaker: str, line: int, now: float) -> None:
    """A line was said: whoever else sits at the table and wants to know is to be told, unless they do not hear it."""
    c, seat, mark = s.channels.c, s.seats.c, s.marks.c
    sits = sa.select(seat.guest_id).where(seat.table_id == table, seat.guest_id.not_in(("", speaker)))
    deaf = sa.select(mark.guest_id).where(mark.other_id == speaker, mark.muted | mark.blocked)
    wanted = sa.select(c.id).where(c.guest_id.in_(sits), c.guest_id.not_in(deaf), c.chat, c.good)
    _note(connection, "chat", table, line, connection.scalars(wanted).all(), now)


def note_invitations(connection: sa.Connection, rows: Sequence[Mapping[str, Any]], now: float) -> None:
    """Guests were invited: those who want to know are to be told."""
    c = s.channels.c
    for row in rows:
        wanted = sa.select(c.id).where(c.guest_id == row["guest_id"], c.invitation, c.good)
        _note(connection, "invitation", row["table_id"], 1, connection.scalars(wanted).all(), now)


def note_confirmation(connection: sa.Connection, channel: str, now: float) -> None:
    """The owner of a mailbox is to be asked whether they want to be told there."""
    _note(connection, "confirm", "", 1, [channel], now)


def note_lost(connection: sa.Connection, channel: str, now: float) -> int:
    """A mailbox is to be sent a link for a lost password: at once, as no page shows it. The number of the letter."""
    number = int(connection.scalar(sa.select(s.notices.c.at).where(_letter(channel))) or 0) + 1
    _note(connection, "lost", "", number, [channel], now, due=0.0)
    return number


def is_lost(connection: sa.Connection, channel: str) -> bool:
    """Whether such a letter is still to be sent there."""
    n = s.notices.c
    return connection.scalar(sa.select(n.at).where(_letter(channel), n.due.is_not(None))) is not None


def _letter(channel: str) -> sa.ColumnElement[bool]:
    n = s.notices.c
    return (n.channel_id == channel) & (n.kind == "lost") & (n.table_id == "")


def _note(
    connection: sa.Connection, kind: str, table: str, at: int, channels: Sequence[str], now: float,
    due: float | None = None,
) -> None:  # fmt: skip
    if channels:
        row = {"kind": kind, "table": table, "at": at, "now": now, "due": now if due is None else due}
        connection.execute(_NOTE, [{**row, "channel": one} for one in channels])


_WAITING = (
    sa.select(
        s.channels.c.id, s.channels.c.kind, s.channels.c.digest, s.channels.c.digested,
        s.tables.c.id, s.tables.c.turn_at, s.tables.c.began, s.tables.c.due, s.tables.c.tempo,
    )
    .join(s.tables, s.tables.c.turn == s.channels.c.guest_id)
    .outerjoin(
        s.notices,
        sa.and_(
            s.notices.c.channel_id == s.channels.c.id,
            s.notices.c.kind == "turn",
            s.notices.c.table_id == s.tables.c.id,
        ),
    )
    .where(s.channels.c.turn, s.channels.c.good, s.tables.c.status == "playing")
    .where(s.notices.c.at.is_(None) | (s.notices.c.at < s.tables.c.turn_at))
    .limit(500)
)  # fmt: skip


def derive(connection: sa.Connection, now: float, short: ShortOf) -> int:
    """Note what is to be told of turns that were not told yet, and when their time will be short; return how many
    turns."""
    found = connection.execute(_WAITING).all()
    rows = []
    for channel, kind, digest, digested, table, at, began, due, tempo in found:
        when = now
        if kind == "mail" and digest and tempo and not tempo.get("bank"):
            # Together with others, a day after the last; but while there is still half of the time to decide.
            when = max(when, min(digested + DIGEST, now + ((due or math.inf) - now) / 2))
        turn = {"channel": channel, "table": table, "at": at}
        rows.append({**turn, "kind": "turn", "made": now, "due": when})
        if due and (soon := short(tempo, began, due, now)):
            rows.append({**turn, "kind": "time", "made": now, "due": soon.at})
    if rows:
        connection.execute(_ANEW, rows)
    return len(found)


def waiting(connection: sa.Connection) -> bool:
    """Whether there is any turn to be noted."""
    return connection.execute(_WAITING.limit(1)).first() is not None


# Who has seen it --------------------------------------------------------------------------------------
def pending(connection: sa.Connection, before: float, short: ShortOf) -> list[Pending]:
    """What has happened at tables until then, and is not told yet. Time that was short by then, and no longer is since
    the clock was given time back, has not."""
    n, c = s.notices.c, s.channels.c
    query = sa.select(n.channel_id, n.kind, n.table_id, n.at, n.made, c.guest_id).join(s.channels, c.id == n.channel_id)
    since = sa.case((n.kind == "time", n.due), else_=n.made)
    query = query.where(n.due.is_not(None), since <= before, n.table_id != "").order_by(n.due).limit(2000)
    found = [Pending(*row) for row in connection.execute(query).all()]
    return [one for one in found if one.kind != "time" or _was_short(connection, one.table_id, short, before)]


def _was_short(connection: sa.Connection, table: str, short: ShortOf, when: float) -> bool:
    soon = _short(connection, table, short, when)
    return soon is None or soon.at <= when


def settle(connection: sa.Connection, done: Collection[Pending | Notice]) -> None:
    """These are not to be told (any more): they were told, or seen. What came since stays."""
    for one in done:
        channel = one.channel_id if isinstance(one, Pending) else one.channel.id
        connection.execute(sa.update(s.notices).where(_is(channel, one)).values(due=None, leased=0.0, tries=0))


def _is(channel: str, one: Pending | Notice) -> sa.ColumnElement[bool]:
    n = s.notices.c
    return (n.channel_id == channel) & (n.kind == one.kind) & (n.table_id == one.table_id) & (n.at == one.at)


# Telling it --------------------------------------------------------------------------------------------
def is_due(connection: sa.Connection, now: float, grace: float) -> bool:
    """Whether anything is to be told now: what is due, and has been for `grace` seconds."""
    n = s.notices.c
    return connection.execute(sa.select(n.at).where(n.due <= now - grace, n.leased <= now).limit(1)).first() is not None


def lease(connection: sa.Connection, now: float, grace: float, short: ShortOf) -> list[Notice]:
    """Take what is due for LEASE seconds: no other process does. What is no longer so is settled; what is too much for
    a person waits until there is room again, and so does a clock that was given time back."""
    n, c = s.notices.c, s.channels.c
    query = sa.select(n.kind, n.table_id, n.at, n.made, n.tries, *COLUMNS).join(s.channels, c.id == n.channel_id)
    query = query.where(n.due <= now - grace, n.leased <= now).order_by(n.due).limit(TOGETHER)
    taken: list[Notice] = []
    for kind, table, at, made, tries, *rest in connection.execute(
        query.with_for_update(of=s.notices, skip_locked=True)
    ).all():
        channel = Channel(*rest)
        one = _told(connection, Notice(channel, kind, table, at, made, tries))
        until = GIVE_UP_LOST if kind == "lost" else GIVE_UP
        until += DIGEST if channel.digest and kind == "turn" else 0.0
        if one is None or (kind != "time" and made < now - until):
            settle(connection, [Notice(channel, kind, table, at, made, tries)])
            continue
        if kind == "time":
            soon = _short(connection, table, short, now)
            if soon is None or soon.left <= 0:
                settle(connection, [one])
                continue
            if soon.at > now - grace:
                later = sa.update(s.notices).where(_is(channel.id, one))
                connection.execute(later.values(due=soon.at))
                continue
            one = one._replace(left=soon.left)
        if kind != "lost" and (wait := spend(connection, channel.guest_id, HOURLY, 3600.0, now)) > 0:
            connection.execute(sa.update(s.notices).where(_is(channel.id, one)).values(due=now + wait))
            continue
        connection.execute(sa.update(s.notices).where(_is(channel.id, one)).values(leased=now + LEASE))
        taken.append(one)
    return taken


def _short(connection: sa.Connection, table: str, short: ShortOf, now: float) -> Short | None:
    """When the time of the decision at a table is short, None where it never is."""
    c = s.tables.c
    row = connection.execute(sa.select(c.tempo, c.began, c.due).where(c.id == table)).first()
    return None if row is None or row.due is None else short(row.tempo, row.began, row.due, now)


def lease_digest(connection: sa.Connection, channel: Channel, now: float) -> list[Notice]:
    """What else there is to be told of slow games by a mailbox that wants them together, due or not."""
    n = s.notices.c
    query = sa.select(n.kind, n.table_id, n.at, n.made, n.tries)
    query = query.where(n.channel_id == channel.id, n.kind == "turn", n.due.is_not(None), n.leased <= now)
    taken = []
    for row in connection.execute(query.with_for_update(skip_locked=True)).all():
        if (one := _told(connection, Notice(channel, *row))) is not None:
            connection.execute(sa.update(s.notices).where(_is(channel.id, one)).values(leased=now + LEASE))
            taken.append(one)
    connection.execute(sa.update(s.channels).where(s.channels.c.id == channel.id).values(digested=now))
    return taken


def _told(connection: sa.Connection, one: Notice) -> Notice | None:
    """The notice with what it says, all of it public; None where it is no longer so."""
    if one.kind == "confirm":
        return one if not one.channel.good else None
    if one.kind == "lost":
        return _lost(connection, one)
    of_turn = one.kind in ("turn", "time")
    if not getattr(one.channel, "turn" if of_turn else one.kind) or not one.channel.good:
        return None
    t = s.tables.c
    table = connection.execute(sa.select(t.game, t.status, t.turn, t.turn_at).where(t.id == one.table_id)).first()
    if table is None:
        return None
    by = ""
    if of_turn and (table.status, table.turn, table.turn_at) != ("playing", one.channel.guest_id, one.at):
        return None
    if one.kind == "invitation":
        i, g = s.invitations.c, s.guests.c
        mine = sa.select(i.seat).where(i.table_id == one.table_id, i.guest_id == one.channel.guest_id)
        if connection.execute(mine).first() is None:
            return None
        host = sa.select(g.name).join(s.tables, t.host == g.id).where(t.id == one.table_id)
        by = connection.scalar(host) or ""
    if one.kind == "chat":
        spoken = connection.scalar(sa.select(s.chat.c.name).where(s.chat.c.id == one.at))
        if spoken is None:  # whoever said it is nobody any more
            return None
        by = spoken
    c = s.seats.c
    seats = sa.select(c.name).where(c.table_id == one.table_id, c.guest_id != one.channel.guest_id, c.name != "")
    names = tuple(connection.scalars(seats.order_by(c.seat)))
    return one._replace(game=table.game, seats=names, by=by)


def _lost(connection: sa.Connection, one: Notice) -> Notice | None:
    """The letter with a link that is still good: nobody has used it, and nothing has made it void."""
    c, token = s.links.c, keys.reset_token(connection, one.channel.id, one.at)
    query = sa.select(s.guests.c.name).join(s.links, c.guest_id == s.guests.c.id)
    name = connection.scalar(query.where(c.id == keys.link_id(token), ~c.used))
    return None if name is None or not one.channel.good else one._replace(by=name, token=token)


def fail(connection: sa.Connection, one: Notice, now: float) -> None:
    """It could not be told: later again."""
    due = now + RETRY[min(one.tries, len(RETRY) - 1)]
    connection.execute(
        sa.update(s.notices).where(_is(one.channel.id, one)).values(due=due, leased=0.0, tries=one.tries + 1)
    )


def spend(connection: sa.Connection, whose: str, most: int, seconds: float, now: float) -> float:
    """Take one of `most` in so many seconds; return 0, or in how many seconds there is one, and then none is taken."""
    a = s.allowances.c
    each = seconds / most
    query = sa.select(a.full).where(a.whose == whose).with_for_update()
    full: float | None = connection.scalar(query)
    then = max(full or 0.0, now) + each
    if then - now > seconds + 1e-6:
        return then - now - seconds
    if full is None:
        connection.execute(sa.insert(s.allowances).values(whose=whose, full=then))
    else:
        connection.execute(sa.update(s.allowances).where(a.whose == whose).values(full=then))
    return 0.0


def sweep(connection: sa.Connection) -> None:
    """Forget what was told of tables that are gone."""
    n = s.notices.c
    there = sa.select(s.tables.c.id)
    connection.execute(sa.delete(s.notices).where(n.table_id != "", n.table_id.not_in(there)))
