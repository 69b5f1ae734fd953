"""Where people get notifications: browsers, an email address, a webhook. Plain functions of a connection, as in
`queries`.

A recovery address is a separate kind of channel that no notification uses: it gets the emails that reset a password,
and it stays when notifications are turned off.

A browser's channel ends with the session that set it up, so that nothing is sent there after signing out.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.notify import schema as s
from parlour.house.notify.kinds import KINDS, Wants
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import KeptTempo

ChannelKind = Literal["push", "mail", "hook", "recovery"]
MOST: dict[str, int] = {"push": 8, "mail": 1, "hook": 1, "recovery": 1}  # of one person; beyond it, the oldest ends
UNCONFIRMED = 86400.0  # seconds in which the owner of an email address can confirm it


class Channel(NamedTuple):
    """A channel. Anyone with its `token` can end or confirm it."""

    id: str
    guest_id: str
    kind: ChannelKind
    address: str
    keys: str
    name: str
    session_id: str | None
    token: str
    good: bool
    created: float
    digested: float
    wants: Wants


class Short(NamedTuple):
    """When the time for a decision in a slow game becomes short, and how many seconds are left on its clock now."""

    at: float
    left: float


# Takes a tempo, when the clock began, is up, and is read.
ShortOf = Callable[[KeptTempo, float, float, float], Short | None]
OWN_FIELDS = len(Channel._fields) - 1  # the last is `wants`, which has a column for each choice
COLUMNS = [s.channels.c[name] for name in (*Channel._fields[:OWN_FIELDS], *Wants.__struct_fields__)]


def read(row: Sequence[object]) -> Channel:
    """Return a channel from its COLUMNS."""
    return Channel._make([*row[:OWN_FIELDS], Wants(*map(bool, row[OWN_FIELDS:]))])


def _insert(connection: sa.Connection, row: Channel) -> None:
    values = {**row._asdict(), **row.wants.by_name()}
    del values["wants"]
    connection.execute(sa.insert(s.channels).values(values))


def add(connection: sa.Connection, row: Channel, short: ShortOf) -> None:
    """Store a channel, in place of one with the same address; beyond MOST the oldest end. A confirmed address stays
    until the new one is confirmed. A browser belongs to one person: notifications of an earlier user end."""
    c = s.channels.c
    same = (c.kind == row.kind) & (c.address == row.address)
    connection.execute(sa.delete(s.channels).where(same if row.kind == "push" else same & (c.guest_id == row.guest_id)))
    _insert(connection, row)
    _keep_few(connection, row)
    skip(connection, row.guest_id, short)


def _keep_few(connection: sa.Connection, row: Channel) -> None:
    """End a guest's oldest channels beyond MOST, this one included, among those that are confirmed (or not) as it
    is."""
    c = s.channels.c
    mine = sa.select(c.id).where(c.guest_id == row.guest_id, c.kind == row.kind, c.good == row.good)
    kept = list(connection.scalars(mine.order_by(c.id != row.id, c.created.desc(), c.id)))
    connection.execute(sa.delete(s.channels).where(c.id.in_(kept[MOST[row.kind] :])))


def renew(connection: sa.Connection, guest: str, before: str, address: str, keys: str) -> bool:
    """Replace a browser's subscription `before` by another one, with the same choices. Return False if it does not
    exist. Repeating it does no harm."""
    c = s.channels.c
    mine = (c.kind == "push") & (c.guest_id == guest)
    if connection.scalar(sa.select(c.id).where(mine, c.address == before)) is None:
        return connection.scalar(sa.select(c.id).where(mine, c.address == address)) is not None
    if address != before:
        connection.execute(sa.delete(s.channels).where(c.kind == "push", c.address == address))
    connection.execute(sa.update(s.channels).where(mine, c.address == before).values(address=address, keys=keys))
    return True


_SOON = sa.text(
    "INSERT INTO notices (channel_id, kind, table_id, at, made, due, leased, tries) "
    "VALUES (:channel, 'time', :table, :at, :now, :due, 0, 0) ON CONFLICT (channel_id, kind, table_id) "
    "DO UPDATE SET at = excluded.at, made = excluded.made, due = excluded.due, leased = 0, tries = 0"
)


def skip(connection: sa.Connection, guest: str, short: ShortOf) -> None:
    """Treat everything so far as old news for a guest's channel that was just created or changed. Warnings of short
    time are still to come."""
    now, c, t, n = time.time(), s.channels.c, storage.tables.c, s.notices.c
    turns = sa.select(c.id, c.turn, t.id, t.turn_at, t.tempo, t.began, t.due).join(storage.tables, t.turn == c.guest_id)
    for channel, wanted, table, at, tempo, began, due in connection.execute(turns.where(c.guest_id == guest)).all():
        kinds = sa.select(n.kind, n.at).where(n.channel_id == channel, n.table_id == table)
        known = {row.kind: row.at for row in connection.execute(kinds)}
        if "turn" not in known:
            values = {"channel_id": channel, "kind": "turn", "table_id": table, "at": at, "made": now, "due": None}
            connection.execute(sa.insert(s.notices).values(leased=0.0, tries=0, **values))
        elif known["turn"] < at:
            continue  # it is noted with the turn, which is still to be
        soon = short(tempo, began, due, now) if wanted and due else None
        if soon is not None and soon.at > now:
            connection.execute(_SOON, {"channel": channel, "table": table, "at": at, "now": now, "due": soon.at})


def channels_of(connection: sa.Connection, guest: str) -> list[Channel]:
    """Return a guest's channels, the oldest first."""
    c = s.channels.c
    found = connection.execute(sa.select(*COLUMNS).where(c.guest_id == guest).order_by(c.created, c.id))
    return [read(row) for row in found]


def by_token(connection: sa.Connection, token: str) -> Channel | None:
    """Return the channel with this token, or None if it no longer exists."""
    found = connection.execute(sa.select(*COLUMNS).where(s.channels.c.token == token)).first()
    return None if found is None else read(found)


def choose(connection: sa.Connection, guest: str, channel: str, wants: Wants, short: ShortOf) -> bool:
    """Change which notifications a channel gets; return False if it isn't this guest's. Earlier events stay
    unreported."""
    c = s.channels.c
    mine = (c.id == channel) & (c.guest_id == guest)
    if not connection.execute(sa.update(s.channels).where(mine).values(wants.by_name())).rowcount:
        return False
    n = s.notices.c
    gone = [kind for kind in KINDS if not wants.include(kind)]
    connection.execute(
        sa.update(s.notices).where(n.channel_id == channel, n.kind.in_(gone)).values(due=None, leased=0.0)
    )
    skip(connection, guest, short)
    return True


def end(connection: sa.Connection, *, token: str = "", channel: str = "", guest: str = "") -> bool:
    """End a channel, by its token or as its guest; return False if it does not exist. Only `end_recovery` ends a
    confirmed recovery address."""
    c = s.channels.c
    which = c.token == token if token else (c.id == channel) & (c.guest_id == guest)
    which &= (c.kind != "recovery") | ~c.good
    return bool(connection.execute(sa.delete(s.channels).where(which)).rowcount)


def end_recovery(connection: sa.Connection, guest: str) -> None:
    """Delete the addresses at which a guest resets their password."""
    c = s.channels.c
    connection.execute(sa.delete(s.channels).where(c.guest_id == guest, c.kind == "recovery"))


def lose(connection: sa.Connection, channel: Channel) -> None:
    """Delete a channel that its service reports as gone, unless it has another address by now."""
    c = s.channels.c
    connection.execute(sa.delete(s.channels).where(c.id == channel.id, c.address == channel.address))


def confirm(connection: sa.Connection, token: str, now: float, short: ShortOf) -> Channel | None:
    """Confirm an email address for its owner; return None if this was not requested, or the request has expired."""
    c = s.channels.c
    asked = (c.token == token) & (c.good | (c.created > now - UNCONFIRMED))
    found = connection.execute(sa.update(s.channels).where(asked).values(good=True).returning(*COLUMNS)).first()
    if found is None:
        return None
    channel = read(found)
    _keep_few(connection, channel)
    if channel.kind == "mail":
        recover_by_mail(connection, channel.guest_id)
    skip(connection, channel.guest_id, short)
    return channel


def forget_unconfirmed(connection: sa.Connection, now: float) -> None:
    """Delete expired unconfirmed addresses, and allowances that are full again."""
    c = s.channels.c
    connection.execute(sa.delete(s.channels).where(~c.good, c.created < now - UNCONFIRMED))
    connection.execute(sa.delete(s.allowances).where(s.allowances.c.full < now))


# Sessions ------------------------------------------------------------------------------------------
def bind(connection: sa.Connection, guest: str, before: str, session: str) -> None:
    """Let a browser's channels without a session, or of the session `before`, end with this one."""
    c = s.channels.c
    which = c.session_id == before if before else c.session_id.is_(None)
    own = (c.guest_id == guest) & (c.kind == "push") & which
    connection.execute(sa.update(s.channels).where(own).values(session_id=session))


def of_session(connection: sa.Connection, session: str) -> list[str]:
    """Return the channels of this session, detached from it."""
    c = s.channels.c
    freed = sa.update(s.channels).where(c.session_id == session).values(session_id=None).returning(c.id)
    return list(connection.scalars(freed))


def keep(connection: sa.Connection, channels: Sequence[str], session: str) -> None:
    """Let these channels end with this session."""
    connection.execute(sa.update(s.channels).where(s.channels.c.id.in_(channels)).values(session_id=session))


# Lost passwords ------------------------------------------------------------------------------------
def recovery_of(connection: sa.Connection, guest: str) -> Channel | None:
    """Return the confirmed address at which a guest resets their password, None without one."""
    return _confirmed(connection, guest, "recovery")


def _confirmed(connection: sa.Connection, guest: str, kind: ChannelKind) -> Channel | None:
    c = s.channels.c
    found = connection.execute(sa.select(*COLUMNS).where(c.guest_id == guest, c.kind == kind, c.good)).first()
    return None if found is None else read(found)


def recover_by_mail(connection: sa.Connection, guest: str) -> None:
    """Use an account's confirmed email address for password resets, unless one is set."""
    claimed = connection.scalar(sa.select(accounts.people.c.id).where(accounts.people.c.id == guest)) is not None
    if not claimed or recovery_of(connection, guest) is not None:
        return
    if (channel := _confirmed(connection, guest, "mail")) is not None:
        c = s.channels.c
        asked = (c.guest_id == guest) & (c.kind == "recovery")  # the same address may wait to be confirmed
        connection.execute(sa.delete(s.channels).where(asked, c.address == channel.address))
        _insert(connection, recovery(guest, channel.address, good=True))


def recovery(guest: str, address: str, *, good: bool) -> Channel:
    """Return a new channel for password resets, which gets no notifications."""
    return Channel(
        secrets.token_hex(12), guest, "recovery", address, "", "Password reset", None, secrets.token_urlsafe(24), good,
        time.time(), 0.0, Wants(**dict.fromkeys(Wants.__struct_fields__, False)),
    )  # fmt: skip


def hand_over(connection: sa.Connection, guest: str, person: str, *, email: bool) -> None:
    """Move a guest's channels to a person's account. Those of this browser stay behind, because they belong to a
    session. Webhooks move. An email address moves if the caller allows it and the person has none."""
    c = s.channels.c
    has = set(connection.scalars(sa.select(c.kind).where(c.guest_id == person)))
    kinds = [kind for kind in (("mail", "hook") if email else ("hook",)) if kind not in has]
    connection.execute(sa.update(s.channels).where(c.guest_id == guest, c.kind.in_(kinds)).values(guest_id=person))
    connection.execute(sa.delete(s.channels).where(c.guest_id == guest))
    if "mail" in kinds:
        recover_by_mail(connection, person)
