"""Moderation: keys and sessions of moderators, bans, the notice to everyone, their log, and what they see of people and
tables. Plain functions of a connection, as in `queries`."""

from __future__ import annotations

import hashlib
import secrets
import time
from ipaddress import ip_network
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.admin import schema as s
from parlour.house.database.exporting import when
from parlour.house.errors import BadInput, TooMany
from parlour.house.profiles import schema as profiles
from parlour.house.social import schema as social
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.queries import TABLE, UNDER_WAY
from parlour.house.table.storage.rows import PERSON, TableRow

KEY_MINUTES = 10  # for which a key works
SESSION = 2 * 3600.0  # seconds of a moderator's session
MOST_SESSIONS = 10  # moderators' sessions at once
MOST_BANS = 2_000  # in force at once
LOGGED = 16  # characters of a session's id, or a moderator's, that the log has
PAGE = 30  # people, tables, bans or acts in one answer
WIDEST = {4: 8, 6: 19}  # a wider ban could lock out much of the world by a typing error
NARROWEST = {4: 32, 6: 64}  # the owner of one address of a /64 has all
ActKind = Literal[
    "key",
    "enter",
    "leave",
    "ban",
    "lift",
    "done",
    "reopen",
    "notice",
    "withdraw",
    "look",
    "reset",
    "promote",
    "demote",
    "cancel",
    "rename",
    "dissolve",
]


class Ban(NamedTuple):
    """A banned guest or network: until when (None: for good), and the message to them."""

    id: int
    guest: str
    network: str
    until: float | None
    words: str
    created: float = 0.0
    lifted: float | None = None


class Notice(NamedTuple):
    """The notice to everyone; id 0 and no text mean none."""

    id: int = 0
    text: str = ""


class Act(NamedTuple):
    """A moderator's action, and whom or what it was about."""

    id: int
    at: float
    keeper: str
    kind: str
    about: str
    words: str


class Somebody(NamedTuple):
    """A guest who has chosen a name, or sits somewhere: the name, whether it belongs to an account, and since when.
    `picture`: the one that they chose, None without."""

    id: str
    name: str | None
    claimed: bool
    created: float | None
    tables: int
    reports: int
    picture: str | None = None


_BAN = [s.bans.c[name] for name in ("id", "guest_id", *Ban._fields[2:])]


# Keys and sessions ---------------------------------------------------------------------------------
def hashed(token: str) -> str:
    """Return what is stored of a key, or of a moderator's cookie."""
    return hashlib.sha256(token.encode()).hexdigest()


def make_key(connection: sa.Connection, now: float) -> str:
    """Create a new key of the house, which replaces an unused one."""
    token, c = secrets.token_urlsafe(24), s.keepers.c
    connection.execute(sa.delete(s.keepers).where((c.kind == "key") | (c.until < now)))
    until = now + KEY_MINUTES * 60
    connection.execute(sa.insert(s.keepers).values(id=hashed(token), kind="key", until=until))
    act(connection, "", "key", "", "")
    return token


def is_valid(connection: sa.Connection, token: str, kind: Literal["key", "session"], now: float) -> bool:
    """Return whether a key, or a session, is valid."""
    c = s.keepers.c
    query = sa.select(c.until).where(c.id == hashed(token), c.kind == kind, c.until > now)
    return connection.scalar(query) is not None


def enter(connection: sa.Connection, key: str, now: float) -> str | None:
    """Use up a key and begin a session; return the value of its cookie, None if the key is not valid. Of two
    simultaneous tries one succeeds."""
    c = s.keepers.c
    used = sa.delete(s.keepers).where(c.id == hashed(key), c.kind == "key", c.until > now)
    if not connection.execute(used).rowcount:
        return None
    connection.execute(sa.delete(s.keepers).where(c.until < now))
    inside = sa.select(c.id).where(c.kind == "session").order_by(c.until.desc()).offset(MOST_SESSIONS - 1)
    for old in connection.scalars(inside).all():
        connection.execute(sa.delete(s.keepers).where(c.id == old))
    token = secrets.token_urlsafe(32)
    connection.execute(sa.insert(s.keepers).values(id=hashed(token), kind="session", until=now + SESSION))
    act(connection, hashed(token), "enter", "", "")
    return token


def leave(connection: sa.Connection, moderator: str) -> None:
    """End a moderator's session."""
    connection.execute(sa.delete(s.keepers).where(s.keepers.c.id == moderator))
    act(connection, moderator, "leave", "", "")


# The log -------------------------------------------------------------------------------------------
def act(connection: sa.Connection, moderator: str, kind: ActKind, about: str, words: str) -> int:
    """Log a moderator's action; return the entry's number. Entries never change."""
    values = {"at": time.time(), "keeper": moderator[:LOGGED], "kind": kind, "about": about, "words": words}
    made = connection.execute(sa.insert(s.acts).values(values).returning(s.acts.c.id))
    return int(made.scalar_one())


def acts(connection: sa.Connection, page: int) -> tuple[int, list[Act]]:
    """Return the number of logged actions, and a page of them, the last first."""
    c = s.acts.c
    total = connection.scalar(sa.select(sa.func.count()).select_from(s.acts)) or 0
    query = sa.select(*(c[name] for name in Act._fields)).order_by(c.id.desc()).offset(PAGE * page).limit(PAGE)
    return total, [Act(*row) for row in connection.execute(query)]


def looked(connection: sa.Connection, number: int, moderator: str, table: str, since: float) -> Act | None:
    """Return a moderator's logged reason for seeing a table's hidden information, if it is theirs, for this table, and
    recent enough."""
    c = s.acts.c
    query = sa.select(*(c[name] for name in Act._fields)).where(c.id == number, c.kind == "look", c.at > since)
    found = connection.execute(query.where(c.keeper == moderator[:LOGGED], c.about == table)).first()
    return None if found is None else Act(*found)


# Bans ----------------------------------------------------------------------------------------------
def network_of(text: str) -> str:
    """Return an address, or a range such as 203.0.113.0/24, as it is stored. Raises BadInput."""
    try:
        found = ip_network(text.strip(), strict=False)
    except ValueError:
        raise BadInput(
            f"“{text[:60]}” isn't an address or a range of addresses such as 203.0.113.0/24 or 2001:db8::/48."
        ) from None
    if found.prefixlen < WIDEST[found.version]:
        raise BadInput(f"This range is too wide. The widest allowed is /{WIDEST[found.version]}.")
    if found.prefixlen > NARROWEST[found.version]:
        found = found.supernet(new_prefix=NARROWEST[found.version])
    return str(found)


def ban(connection: sa.Connection, row: Ban) -> int:
    """Ban a guest or network; return the ban's number. It replaces one in force. Raises TooMany."""
    c = s.bans.c
    now = row.created
    same = sa.and_(c.guest_id == row.guest, c.network == row.network, in_force(now))
    connection.execute(sa.update(s.bans).where(same).values(lifted=now))
    if (connection.scalar(sa.select(sa.func.count()).where(in_force(now))) or 0) >= MOST_BANS:
        raise TooMany(f"There are already {MOST_BANS} bans in force, which is the limit. Lift some, or ban a range.")
    values = {"guest_id": row.guest, "network": row.network, "until": row.until, "words": row.words, "created": now}
    return int(connection.execute(sa.insert(s.bans).values(values).returning(c.id)).scalar_one())


def lift(connection: sa.Connection, number: int, now: float) -> Ban | None:
    """End a ban; return None if it is already over or never existed."""
    c = s.bans.c
    found = connection.execute(
        sa.update(s.bans).where(c.id == number, in_force(now)).values(lifted=now).returning(*_BAN)
    ).first()
    return None if found is None else Ban(*found)


def order(connection: sa.Connection, now: float) -> tuple[list[Ban], Notice]:
    """Return the bans in force, and the notice to everyone."""
    found = [Ban(*row) for row in connection.execute(sa.select(*_BAN).where(in_force(now)).order_by(s.bans.c.id))]
    c = s.announcements.c
    notice = connection.execute(sa.select(c.id, c.text).where(c.ended.is_(None)).order_by(c.id.desc()).limit(1)).first()
    return found, Notice(*notice) if notice else Notice()


def bans(connection: sa.Connection, page: int, guest: str = "") -> tuple[int, list[tuple[Ban, str | None]]]:
    """Return the number of bans, and a page of them with the guests' names, the last first."""
    which = s.bans.c.guest_id == guest if guest else sa.true()
    total = connection.scalar(sa.select(sa.func.count()).select_from(s.bans).where(which)) or 0
    query = (
        sa.select(*_BAN, accounts.guests.c.name)
        .outerjoin(accounts.guests, accounts.guests.c.id == s.bans.c.guest_id)
        .where(which)
    )
    rows = connection.execute(query.order_by(s.bans.c.id.desc()).offset(PAGE * page).limit(PAGE))
    return total, [(Ban(*row[:-1]), row[-1]) for row in rows]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a guest's bans, for their export."""
    _, found = bans(connection, 0, guest)
    return {
        "bans": [
            {
                "since": when(one.created), "until": None if one.until is None else when(one.until),
                "told": one.words, "lifted": one.lifted is not None,
            } for one, _ in found
        ]
    }  # fmt: skip


def banned_sitting(connection: sa.Connection, now: float) -> list[str]:
    """Return banned guests who still sit at unfinished tables."""
    sat, t = storage.seats.c, storage.tables.c
    query = sa.select(sat.guest_id).distinct().join(storage.tables, t.id == sat.table_id)
    query = query.join(s.bans, s.bans.c.guest_id == sat.guest_id).where(in_force(now), sat.guest_id != "")
    return list(connection.scalars(query.where(t.status.in_(UNDER_WAY), sat.kind.in_(PERSON))))


def in_force(now: float) -> sa.ColumnElement[bool]:
    """Return the condition that a ban applies at `now`."""
    c = s.bans.c
    return sa.and_(c.lifted.is_(None), c.until.is_(None) | (c.until > now))


# The notice ----------------------------------------------------------------------------------------
def publish(connection: sa.Connection, text: str, now: float) -> int:
    """Publish a notice in place of the last one, or none for an empty text; return its number."""
    c = s.announcements.c
    connection.execute(sa.update(s.announcements).where(c.ended.is_(None)).values(ended=now))
    if not text:
        return 0
    made = sa.insert(s.announcements).values(text=text, created=now).returning(c.id)
    return int(connection.execute(made).scalar_one())


# People and tables ---------------------------------------------------------------------------------
def people(connection: sa.Connection, find: str, page: int) -> tuple[int, list[Somebody]]:
    """Return the number of guests whose name contains this, and a page of them, the newest first."""
    c = accounts.guests.c
    which = c.name.icontains(find, autoescape=True) if find else sa.true()
    total = connection.scalar(sa.select(sa.func.count()).select_from(accounts.guests).where(which)) or 0
    query = sa.select(c.id).where(which).order_by(c.created.desc(), c.id).offset(PAGE * page).limit(PAGE)
    return total, [somebody(connection, guest) for guest in connection.scalars(query).all()]


def somebody(connection: sa.Connection, guest: str) -> Somebody:
    """Return a guest, with or without a chosen name."""
    c = accounts.guests.c
    query = (
        sa.select(c.name, accounts.people.c.id, c.created)
        .outerjoin(accounts.people, accounts.people.c.id == c.id)
        .where(c.id == guest)
    )
    name, claimed, created = connection.execute(query).first() or (None, None, None)
    sat = sa.select(sa.func.count(storage.seats.c.table_id.distinct())).where(storage.seats.c.guest_id == guest)
    reported = sa.select(sa.func.count()).where(social.reports.c.about == guest)
    counts = connection.scalar(sat) or 0, connection.scalar(reported) or 0
    return Somebody(guest, name, claimed is not None, created, *counts, pictures(connection, {guest}).get(guest))


def pictures(connection: sa.Connection, guests: set[str]) -> dict[str, str]:
    """Return the pictures of those of these guests who have chosen one."""
    c = profiles.pictures.c
    query = sa.select(c.guest_id, c.picture).where(c.guest_id.in_(guests))
    return {row[0]: row[1] for row in connection.execute(query)}


def names(connection: sa.Connection, guests: set[str]) -> dict[str, str]:
    """Return the names of those of these guests who have one."""
    query = sa.select(accounts.guests.c.id, accounts.guests.c.name).where(accounts.guests.c.id.in_(guests))
    return {row[0]: row[1] for row in connection.execute(query)}


def tables(connection: sa.Connection, status: str, page: int, guest: str = "") -> tuple[int, list[TableRow]]:
    """Return the number of tables of this status, or with a seat of a guest's, and a page of them, the newest first.
    (The order reveals nothing about moves.)"""
    c = storage.tables.c
    which = c.status == status if status else sa.true()
    if guest:
        sat = sa.select(storage.seats.c.table_id).where(storage.seats.c.guest_id == guest)
        which = c.id.in_(sat) | (c.host == guest)
    total = connection.scalar(sa.select(sa.func.count()).select_from(storage.tables).where(which)) or 0
    query = sa.select(*TABLE).where(which).order_by(c.created.desc(), c.id).offset(PAGE * page).limit(PAGE)
    return total, [TableRow(*row) for row in connection.execute(query)]


def seat_names(connection: sa.Connection, tables: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Return, by table, the name and guest of each seat. A seat reserved by invitation has no guest yet."""
    c = storage.seats.c
    name = sa.case((c.kind == "link", ""), else_=c.name)
    query = sa.select(c.table_id, name, c.guest_id).where(c.table_id.in_(tables)).order_by(c.table_id, c.seat)
    found: dict[str, list[tuple[str, str]]] = {table: [] for table in tables}
    for table, name, guest in connection.execute(query):
        found[table].append((name, guest))
    return found


def said_by(connection: sa.Connection, guest: str, most: int) -> list[tuple[str, int, str]]:
    """Return a guest's last messages: table, number of the line, text; the last first."""
    c = storage.chat.c
    query = sa.select(c.table_id, c.id, c.text).where(c.guest_id == guest).order_by(c.id.desc()).limit(most)
    return [(table, line, text) for table, line, text in connection.execute(query)]


def count(connection: sa.Connection) -> dict[str, int]:
    """Return the numbers of people by kind, tables by status, reports, and bans."""
    c = storage.tables.c
    kinds = sa.select(c.status, sa.func.count()).group_by(c.status)
    found: dict[str, int] = {row[0]: row[1] for row in connection.execute(kinds)}
    for name, table in {"guests": accounts.guests, "people": accounts.people}.items():
        found[name] = connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
    opened = sa.select(sa.func.count()).select_from(social.reports).where(social.reports.c.done.is_(None))
    banned = sa.select(sa.func.count()).select_from(s.bans).where(in_force(time.time()))
    return {**found, "reports": connection.scalar(opened) or 0, "bans": connection.scalar(banned) or 0}
