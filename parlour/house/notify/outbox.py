"""Notifications still to be sent: plain functions of a connection, as in `queries`.

One row for each channel, kind and table stores what was sent last (`at`: which turn, which message) and when the next
is `due` (some seconds later, in which an open page can show it instead). So nothing is sent twice, and nothing older
than what was sent. Each event notes its notification in its own transaction (`note`). A turn needs none: the table's
row says who is to move, and `derive` compares. With the turn of a slow game it also notes the warning that time is
short (`time`), due at that moment. A process leases what is due (`lease`), and stores the result; if it dies in
between, another takes over when the lease ends. In a person's quiet hours nothing is leased except what they just asked
for, and a last warning (`quiet.Quiet.warn`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.clubs import schema as clubs
from parlour.house.database import keys
from parlour.house.invitations import schema as invitations
from parlour.house.notify import gatherings, quiet
from parlour.house.notify import schema as s
from parlour.house.notify.allowances import spend
from parlour.house.notify.channels import COLUMNS, Channel, Short, ShortOf, read
from parlour.house.notify.kinds import ELSEWHERE, KINDS, OF_TURN, OWN
from parlour.house.notify.quiet import Quiet
from parlour.house.social import schema as social
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import PERSON
from parlour.house.tournaments import schema as tournaments

LEASE = 60.0  # seconds for which one process handles it; sending takes less
GIVE_UP = 86400.0  # seconds after which it is no longer sent
GIVE_UP_LOST = 3600.0  # the same for an email with a link that expires
RETRY = (30.0, 120.0, 600.0, 1800.0, 3600.0)  # seconds after the first failure, the second, and so on
HOURLY = 20  # notifications to a person in an hour, over all channels
TOGETHER = 30  # notices that a process sends at the same time
DIGEST = 86400.0  # seconds between two digests of slow games
APART = 3600.0  # seconds between two notifications of one kind about a club


class Notice(NamedTuple):
    """A notification to send. `seats`: the names of the others at the table; `by`: who wrote, invites or declined. For
    a lost password `by` is the account's name, and `token` that of the link. `more` is a sentence, `starts` a
    moment."""

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
    zone: str = "UTC"  # where they live
    begun: float = 0.0  # when the table was made
    alike: bool = False  # they have another game of this kind with the same people
    more: str = ""
    starts: float = 0.0


class Pending(NamedTuple):
    """A notification not sent yet: for whom, and when it happened."""

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
_ANEW = sa.text(  # another turn: the notification of the last one is outdated
    "INSERT INTO notices (channel_id, kind, table_id, at, made, due, leased, tries) "
    "VALUES (:channel, :kind, :table, :at, :made, :due, 0, 0) "
    "ON CONFLICT (channel_id, kind, table_id) DO UPDATE SET at = excluded.at, made = excluded.made, "
    "due = excluded.due, leased = 0, tries = 0 WHERE notices.at < excluded.at"
)


# What to send ----------------------------------------------------------------------------------------
def note(
    connection: sa.Connection, kind: str, table: str, guests: Iterable[str], now: float, at: int | None = None
) -> None:
    """Note an event for those of these guests who want to know of it. `at`: its number among its kind; otherwise the
    moment."""
    _note(connection, kind, table, int(now) if at is None else at, _wanting(connection, kind, guests), now)


def note_club(connection: sa.Connection, kind: str, club: str, guests: Iterable[str], now: float) -> None:
    """Note news of a club for those of these guests who want to know of it, sent at most once in APART seconds."""
    channels, n = _wanting(connection, kind, guests), s.notices.c
    last = sa.select(sa.func.max(n.made)).where(n.channel_id.in_(channels), n.kind == kind, n.table_id == club)
    when = max(now, (connection.scalar(last) or 0.0) + APART)
    _note(connection, kind, club, int(when), channels, when)


def _wanting(connection: sa.Connection, kind: str, guests: Iterable[str]) -> Sequence[str]:
    """Return the channels of these guests that get notifications of a kind."""
    c = s.channels.c
    wanted = sa.select(c.id).where(c.guest_id.in_({*guests} - {""}), c[KINDS[kind].switch], c.good)
    return connection.scalars(wanted).all()


class Instead(NamedTuple):
    """A notification of another kind that a chat message causes, and for whom."""

    kind: str
    guests: Collection[str]


def note_chat(
    connection: sa.Connection, table: str, speaker: str, line: int, now: float, instead: Instead | None = None
) -> None:
    """Note a chat message for everyone else at the table who wants to know, unless it is hidden from them, or they get
    the other notification `instead`."""
    c, seat, mark = s.channels.c, storage.seats.c, social.marks.c
    sits = sa.select(seat.guest_id).where(seat.table_id == table, seat.guest_id.not_in(("", speaker)))
    deaf = sa.select(mark.guest_id).where(mark.other_id == speaker, mark.muted | mark.blocked)
    wanted = sa.select(c.id).where(c.guest_id.in_(sits), c.guest_id.not_in(deaf), c.chat, c.good)
    if instead is not None:
        wanted = wanted.where(~(c.guest_id.in_(instead.guests) & c[KINDS[instead.kind].switch]))
        note(connection, instead.kind, table, instead.guests, now, at=line)
    _note(connection, "chat", table, line, connection.scalars(wanted).all(), now)


def note_over(connection: sa.Connection, table: str, now: float, mover: str = "") -> None:
    """Note the end of a game for all who started it except the `mover`, who ended it. People who played alone without a
    clock know it."""
    c, t = storage.seats.c, storage.tables.c
    guests = set(connection.scalars(sa.select(c.guest_id).where(c.table_id == table, c.guest_id != "")))
    if len(guests) > 1 or connection.scalar(sa.select(t.tempo).where(t.id == table)) is not None:
        note(connection, "over", table, guests - {mover}, now, at=1)


def note_confirmation(connection: sa.Connection, channel: str, now: float) -> None:
    """Note a confirmation email, due at once, because no page shows it."""
    _note(connection, "confirm", "", 1, [channel], now, due=0.0)


def note_lost(connection: sa.Connection, channel: str, now: float) -> int:
    """Note a password reset email, due at once, because no page shows it; return its number."""
    number = int(connection.scalar(sa.select(s.notices.c.at).where(_is_reset(channel))) or 0) + 1
    _note(connection, "lost", "", number, [channel], now, due=0.0)
    return number


def is_lost(connection: sa.Connection, channel: str) -> bool:
    """Return whether such an email is still to be sent there."""
    n = s.notices.c
    return connection.scalar(sa.select(n.at).where(_is_reset(channel), n.due.is_not(None))) is not None


def _is_reset(channel: str) -> sa.ColumnElement[bool]:
    n = s.notices.c
    return (n.channel_id == channel) & (n.kind == "lost") & (n.table_id == "")


def _note(
    connection: sa.Connection, kind: str, table: str, at: int, channels: Sequence[str], now: float,
    due: float | None = None,
) -> None:  # fmt: skip
    if channels:
        row = {"kind": kind, "table": table, "at": at, "now": now, "due": now if due is None else due}
        connection.execute(_NOTE, [{**row, "channel": one} for one in channels])


_C, _N, _T = s.channels.c, s.notices.c, storage.tables.c
_WAITING = (
    sa.select(_C.id, _C.kind, _C.digest, _C.digested, _T.id, _T.turn_at, _T.began, _T.due, _T.tempo, _C.guest_id)
    .join(storage.tables, _T.turn == _C.guest_id)
    .outerjoin(s.notices, (_N.channel_id == _C.id) & (_N.kind == "turn") & (_N.table_id == _T.id))
    .where(_C.turn, _C.good, _T.status == "playing")
    .where(_N.at.is_(None) | (_N.at < _T.turn_at))
    .limit(500)
)


def derive(connection: sa.Connection, now: float, short: ShortOf) -> int:
    """Note notifications of turns not reported yet, and when their time becomes short; return how many turns."""
    found = connection.execute(_WAITING).all()
    rows = []
    for channel, kind, digest, digested, table, at, began, due, tempo, guest in found:
        when = now
        if kind == "mail" and digest and tempo and not tempo.get("bank"):
            # Together with others, a day after the last; but while there is still half of the time to decide.
            when = max(when, min(digested + DIGEST, now + ((due or math.inf) - now) / 2))
        turn = {"channel": channel, "table": table, "at": at}
        rows.append({**turn, "kind": "turn", "made": now, "due": when})
        if due and (soon := short(tempo, began, due, now)):
            when = quiet.of(connection, guest).warn(soon.at, now + soon.left, now)
            rows.append({**turn, "kind": "time", "made": now, "due": when})
    if rows:
        connection.execute(_ANEW, rows)
    return len(found)


def waiting(connection: sa.Connection) -> bool:
    """Return whether there is any turn to note."""
    return connection.execute(_WAITING.limit(1)).first() is not None


# Who has seen it --------------------------------------------------------------------------------------
def pending(connection: sa.Connection, before: float, short: ShortOf) -> list[Pending]:
    """Return what has happened at tables until then and is not sent yet. A warning whose clock was given time back does
    not count."""
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
    """Note that these were sent or seen. What came since stays."""
    for one in done:
        channel = one.channel_id if isinstance(one, Pending) else one.channel.id
        connection.execute(sa.update(s.notices).where(_is(channel, one)).values(due=None, leased=0.0, tries=0))


def _is(channel: str, one: Pending | Notice) -> sa.ColumnElement[bool]:
    n = s.notices.c
    return (n.channel_id == channel) & (n.kind == one.kind) & (n.table_id == one.table_id) & (n.at == one.at)


# Telling it --------------------------------------------------------------------------------------------
def _is_due(now: float, grace: float, own: bool) -> sa.ColumnElement[bool]:
    """Return the condition that a notification has been due for `grace` seconds. `own`: only those of OWN."""
    n = s.notices.c
    which = (n.due <= now - grace) & (n.leased <= now)
    return which & n.kind.in_(OWN) if own else which


def is_due(connection: sa.Connection, now: float, grace: float, *, own: bool = False) -> bool:
    """Return whether anything, or anything of OWN, is due."""
    query = sa.select(s.notices.c.at).where(_is_due(now, grace, own)).limit(1)
    return connection.execute(query).first() is not None


def lease(connection: sa.Connection, now: float, grace: float, short: ShortOf, *, own: bool = False) -> list[Notice]:
    """Take what is due (only of OWN, if `own`) for LEASE seconds, in which no other process takes it.

    Outdated ones are settled. Those beyond a person's limit or in their quiet hours wait, and so does a warning whose
    clock was given time back.
    """
    n, c = s.notices.c, s.channels.c
    query = sa.select(n.kind, n.table_id, n.at, n.made, n.tries, *quiet.COLUMNS, *COLUMNS)
    query = query.join(s.channels, c.id == n.channel_id)
    query = query.outerjoin(s.quiet_hours, s.quiet_hours.c.guest_id == c.guest_id)
    query = query.where(_is_due(now, grace, own)).order_by(n.due).limit(TOGETHER)
    taken: list[Notice] = []
    for kind, table, at, made, tries, zone, begins, ends, *rest in connection.execute(
        query.with_for_update(of=s.notices, skip_locked=True)
    ).all():
        found = Notice(read(rest), kind, table, at, made, tries, zone=zone or "UTC")
        one = None if made < now - _until(found) else _filled(connection, found, now)
        if one is None:
            settle(connection, [found])
            continue
        hours, later = Quiet(found.zone, begins, ends), 0.0
        if kind == "time":
            soon = _short(connection, table, short, now)
            if soon is None or soon.left <= 0:
                settle(connection, [one])
                continue
            when = hours.warn(soon.at, now + soon.left, made)
            later = when if when > now - grace else 0.0
            one = one._replace(left=soon.left)
        elif kind not in OWN:
            later = hours.over(now) if hours.over(now) > now else 0.0
        if not later and kind != "lost" and (wait := spend(connection, one.channel.guest_id, HOURLY, 3600.0, now)) > 0:
            later = now + wait
        if later:
            connection.execute(sa.update(s.notices).where(_is(one.channel.id, one)).values(due=later))
            continue
        connection.execute(sa.update(s.notices).where(_is(one.channel.id, one)).values(leased=now + LEASE))
        taken.append(one)
    return taken


def _until(one: Notice) -> float:
    """Return the seconds after which a notification is given up."""
    if one.kind == "time":  # it ends with the clock
        return math.inf
    return (GIVE_UP_LOST if one.kind == "lost" else GIVE_UP) + (
        DIGEST if one.channel.wants.digest and one.kind == "turn" else 0.0
    )


def _short(connection: sa.Connection, table: str, short: ShortOf, now: float) -> Short | None:
    """Return when the time for the decision at a table becomes short, None if never."""
    c = storage.tables.c
    row = connection.execute(sa.select(c.tempo, c.began, c.due).where(c.id == table)).first()
    return None if row is None or row.due is None else short(row.tempo, row.began, row.due, now)


def lease_digest(connection: sa.Connection, channel: Channel, zone: str, now: float) -> list[Notice]:
    """Take the other notifications of slow games for an email address that wants a daily summary, due or not."""
    n = s.notices.c
    query = sa.select(n.kind, n.table_id, n.at, n.made, n.tries)
    query = query.where(n.channel_id == channel.id, n.kind == "turn", n.due.is_not(None), n.leased <= now)
    taken = []
    for row in connection.execute(query.with_for_update(skip_locked=True)).all():
        if (one := _filled(connection, Notice(channel, *row, zone=zone), now)) is not None:
            connection.execute(sa.update(s.notices).where(_is(channel.id, one)).values(leased=now + LEASE))
            taken.append(one)
    connection.execute(sa.update(s.channels).where(s.channels.c.id == channel.id).values(digested=now))
    return taken


def undo_digest(connection: sa.Connection, channel: Channel, now: float) -> None:
    """Store again when the last daily summary was sent, because the one taken at this time was not."""
    c = s.channels.c
    taken = (c.id == channel.id) & (c.digested == now)
    connection.execute(sa.update(s.channels).where(taken).values(digested=channel.digested))


def _filled(connection: sa.Connection, one: Notice, now: float) -> Notice | None:
    """Return the notification with its content, all of it public; None if it is outdated."""
    channel = one.channel
    if one.kind == "confirm":
        return _named(connection, one) if not channel.good else None
    if not channel.good:
        return None
    if one.kind == "lost":
        return _lost(connection, one)
    if not channel.wants.include(one.kind):
        return None
    if one.kind == "report":
        r = social.reports.c
        done = (r.guest_id == channel.guest_id) & (r.done >= one.at) & (r.done < one.at + 1)
        return one if connection.scalar(sa.select(r.id).where(done)) is not None else None
    if one.kind in ELSEWHERE:
        said = gatherings.said(connection, one.kind, one.table_id, channel.guest_id, now)
        return None if said is None else one._replace(**said._asdict())
    t = storage.tables.c
    columns = (t.game, t.status, t.turn, t.turn_at, t.host, t.created)
    table = connection.execute(sa.select(*columns).where(t.id == one.table_id)).first()
    if table is None or not _still(connection, one, table):
        return None
    by = _by(connection, one, table.host)
    if by is None:
        return None
    c = storage.seats.c
    sits = (c.table_id == one.table_id) & (c.guest_id != channel.guest_id) & c.kind.not_in(("open", "link"))
    seats = sa.select(c.name).where(sits)
    if one.kind == "joined":  # those who have come
        seats = seats.where(c.kind.in_(PERSON))
    names = tuple(connection.scalars(seats.order_by(c.seat)))
    alike = _alike(connection, one, table.game, names)
    return one._replace(game=table.game, seats=names, by=by, begun=table.created, alike=alike)


def _still(connection: sa.Connection, one: Notice, table: sa.Row[str, str, str, int, str, float]) -> bool:
    """Return whether a notification is still true of its table."""
    kind, me, c = KINDS[one.kind], one.channel.guest_id, storage.seats.c
    if (kind.status and table.status not in kind.status) or (kind.host and table.host != me):
        return False
    if one.kind in OF_TURN:
        return (table.turn, table.turn_at) == (me, one.at)
    if one.kind in ("started", "paired"):  # a notification of the turn says so too
        return not (one.channel.wants.turn and table.turn == me)
    mine = sa.select(c.kind, c.wish).where(c.table_id == one.table_id, c.guest_id == me)
    if one.kind == "seat":
        return any(kind == "bot" for kind, _ in connection.execute(mine))
    if one.kind == "vote":
        asked = sa.select(c.seat).where(c.table_id == one.table_id, c.guest_id != me, c.wish != "")
        mine = mine.where(c.kind.in_(PERSON), c.wish == "")
        return connection.execute(asked).first() is not None and connection.execute(mine).first() is not None
    if one.kind == "invitation":
        i = invitations.invitations.c
        asked = sa.select(i.seat).where(i.table_id == one.table_id, i.guest_id == me)
        return connection.execute(asked).first() is not None
    return True


def _by(connection: sa.Connection, one: Notice, host: str) -> str | None:
    """Return the name of the person who invites or wrote, or of the tournament; "" for other kinds, None if that is
    deleted."""
    if KINDS[one.kind].by == "tournament":
        c = storage.tables.c
        return gatherings.tournament(connection, connection.scalar(sa.select(c.tournament).where(c.id == one.table_id)))
    if KINDS[one.kind].by == "host":
        return connection.scalar(sa.select(accounts.guests.c.name).where(accounts.guests.c.id == host)) or ""
    if KINDS[one.kind].by == "writer":
        name: str | None = connection.scalar(sa.select(storage.chat.c.name).where(storage.chat.c.id == one.at))
        return name
    return ""


def _alike(connection: sa.Connection, one: Notice, game: str, names: tuple[str, ...]) -> bool:
    """Return whether they sit at another table in progress with the same people, in the same game."""
    c, t = storage.seats.c, storage.tables.c
    mine = sa.select(c.table_id).where(c.guest_id == one.channel.guest_id)
    others = sa.select(t.id).where(t.id.in_(mine), t.id != one.table_id, t.game == game)
    others = others.where(t.status.in_(("waiting", "playing")))
    seats = sa.select(c.table_id, c.name).where(c.table_id.in_(others), c.guest_id != one.channel.guest_id)
    found: dict[str, list[str]] = {}
    for table, name in connection.execute(seats):
        found.setdefault(table, []).append(name)
    return any(sorted(filter(None, one)) == sorted(names) for one in found.values())


def _named(connection: sa.Connection, one: Notice) -> Notice:
    """Return a notification by its guest's name."""
    name = connection.scalar(sa.select(accounts.guests.c.name).where(accounts.guests.c.id == one.channel.guest_id))
    return one._replace(by=name or "")


def _lost(connection: sa.Connection, one: Notice) -> Notice | None:
    """Return the email with a link that is still valid: unused, and not replaced."""
    c, token = accounts.links.c, keys.reset_token(connection, one.channel.id, one.at)
    query = sa.select(accounts.guests.c.name).join(accounts.links, c.guest_id == accounts.guests.c.id)
    name = connection.scalar(query.where(c.id == keys.link_id(token), ~c.used))
    return None if name is None else one._replace(by=name, token=token)


def fail(connection: sa.Connection, one: Notice, now: float) -> None:
    """Schedule a failed notification again."""
    due = now + RETRY[min(one.tries, len(RETRY) - 1)]
    connection.execute(
        sa.update(s.notices).where(_is(one.channel.id, one)).values(due=due, leased=0.0, tries=one.tries + 1)
    )


def sweep(connection: sa.Connection) -> None:
    """Delete what was stored for tables, tournaments and clubs that are gone."""
    n = s.notices.c
    there = sa.select(storage.tables.c.id).union(sa.select(tournaments.tournaments.c.id), sa.select(clubs.clubs.c.id))
    connection.execute(sa.delete(s.notices).where(n.table_id != "", n.table_id.not_in(there)))
