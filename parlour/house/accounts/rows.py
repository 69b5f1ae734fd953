"""Accounts, their sessions, and what belongs to them: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as s
from parlour.house.accounts.names import SOMEBODY
from parlour.house.accounts.preferences import rows as preference_rows
from parlour.house.accounts.preferences import schema as preferences
from parlour.house.accounts.tokens import rows as token_rows
from parlour.house.admin import rows as admin_rows
from parlour.house.admin import schema as admin
from parlour.house.clubs import rows as club_rows
from parlour.house.clubs.calendars import rows as calendar_rows
from parlour.house.clubs.seasons import rows as season_rows
from parlour.house.database import schema
from parlour.house.database.exporting import when
from parlour.house.invitations import rows as invitation_rows
from parlour.house.lobby import rows as lobby_rows
from parlour.house.notify import channels
from parlour.house.notify import rows as notify_rows
from parlour.house.playtests import rows as playtest_rows
from parlour.house.profiles import rows as profile_rows
from parlour.house.profiles import schema as profiles
from parlour.house.puzzles import rows as puzzle_rows
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings.matchmaking import rows as matchmaking_rows
from parlour.house.social import rows as social_rows
from parlour.house.table.storage import belongings, timekeeping
from parlour.house.table.storage.queries import UNDER_WAY, name_guest
from parlour.house.today import rows as today_rows
from parlour.house.tournaments import rows as tournament_rows

_PARTING = "parting "  # the key of a setting for each account whose deletion has begun and is not finished
_PARTS = sa.text('INSERT INTO settings ("key", value) VALUES (:key, :now) ON CONFLICT DO NOTHING')  # in two tabs, once
MOST_SESSIONS = 20  # of one person; beyond it, the one that was used longest ago ends
RETIRED = 30 * 86400.0  # seconds for which the name of a deleted account stays taken; if banned, until that ends
REMEMBERED = 7 * 86400.0  # seconds for which a link that is over can say so
LinkKind = Literal["device", "reset"]
Role = Literal["", "moderator"]


class Who(NamedTuple):
    """What a request needs to know of a guest: their chosen name, if any; whether they have an account; its sessions;
    their settings; the scopes of its tokens; and for a guest without a name, when the oldest was chosen of what is kept
    as long as their cookie, 0 for nothing."""

    name: str | None
    claimed: bool = False
    sessions: frozenset[str] = frozenset()
    preferences: Mapping[str, str] = MappingProxyType({})
    tokens: Mapping[str, str] = MappingProxyType({})
    oldest: float = 0.0


class Account(NamedTuple):
    """An account's name, and its hashed password, "" for none."""

    id: str
    name: str
    password: str


class SessionRow(NamedTuple):
    """A signed-in browser. `before`: the guest that it is again after signing out, "" for a new one."""

    id: str
    guest_id: str
    browser: str
    created: float
    seen: float
    before: str = ""


class LinkRow(NamedTuple):
    """A link that signs in once. `id` is a hash of its token."""

    id: str
    guest_id: str
    kind: LinkKind
    until: float
    used: bool = False


_WHO = (
    sa.select(s.guests.c.name, s.people.c.id, s.sessions.c.id)
    .outerjoin(s.people, s.people.c.id == s.guests.c.id)
    .outerjoin(s.sessions, s.sessions.c.guest_id == s.people.c.id)
    .where(s.guests.c.id == sa.bindparam("guest"))
)
_BY_COOKIE = preferences.preferences, profiles.pictures  # what is kept as long as the cookie of a guest without a name
_OLDEST = sa.select(
    sa.func.min(
        sa.union_all(
            *(sa.select(one.c.chosen).where(one.c.guest_id == sa.bindparam("guest")) for one in _BY_COOKIE)
        ).subquery().c.chosen
    )
)  # fmt: skip
_SESSION = [s.sessions.c[name] for name in SessionRow._fields]
_LINK = [s.links.c[name] for name in LinkRow._fields]
_ACCOUNT = sa.select(s.people.c.id, s.guests.c.name, s.people.c.password).join(s.guests, s.guests.c.id == s.people.c.id)


# Names ---------------------------------------------------------------------------------------------
def who(connection: sa.Connection, guest: str) -> Who:
    """Return what is known of a guest."""
    rows = connection.execute(_WHO, {"guest": guest}).all()
    chosen = preference_rows.of(connection, guest)
    if not rows:
        oldest = connection.scalar(_OLDEST, {"guest": guest})
        return Who(None, preferences=chosen, oldest=oldest or 0.0)
    claimed = rows[0][1] is not None
    tokens = {one.id: one.scopes for one in token_rows.of(connection, guest)} if claimed else {}
    return Who(rows[0][0], claimed, frozenset(row[2] for row in rows if row[2] is not None), chosen, tokens)


def prolong(connection: sa.Connection, guest: str, now: float) -> None:
    """Keep what a guest without a name has chosen for as long as a cookie from `now` on."""
    for one in _BY_COOKIE:
        connection.execute(sa.update(one).where(one.c.guest_id == guest).values(chosen=now))


def claimed(connection: sa.Connection, guests: Sequence[str]) -> dict[str, set[str]]:
    """Return those of these guests who have an account, and the sessions and tokens of each."""
    found: dict[str, set[str]] = {}
    for first in range(0, len(guests), 500):
        query = sa.select(s.people.c.id, s.sessions.c.id)
        query = query.outerjoin(s.sessions, s.sessions.c.guest_id == s.people.c.id)
        for guest, session in connection.execute(query.where(s.people.c.id.in_(guests[first : first + 500]))):
            found.setdefault(guest, set()).update({session} - {None})
        for guest, token in token_rows.owned_by(connection, guests[first : first + 500]):
            found.setdefault(guest, set()).add(token)
    return found


def owner(connection: sa.Connection, likeness: str) -> str | None:
    """Return who has an account with a name that looks like this."""
    found: str | None = connection.scalar(sa.select(s.people.c.id).where(s.people.c.likeness == likeness))
    return found


def taken(connection: sa.Connection, likenesses: Sequence[str]) -> set[str]:
    """Return those of these likenesses that an account has, or had until it was deleted a short time ago."""
    accounts = sa.select(s.people.c.likeness).where(s.people.c.likeness.in_(likenesses))
    hashes, c = {_hashed(one): one for one in likenesses}, s.retired.c
    kept = sa.select(c.id).where(c.id.in_(hashes), c.until.is_(None) | (c.until > time.time()))
    return {*connection.scalars(accounts), *(hashes[one] for one in connection.scalars(kept))}


def release(connection: sa.Connection, now: float) -> int:
    """Let people take the names of accounts again that were deleted long enough ago; return how many."""
    return connection.execute(sa.delete(s.retired).where(s.retired.c.until <= now)).rowcount


def _retire(connection: sa.Connection, guest: str) -> None:
    likeness, now = connection.scalar(sa.select(s.people.c.likeness).where(s.people.c.id == guest)), time.time()
    if likeness is None:
        return
    banned = sa.select(admin.bans.c.until).where(admin.bans.c.guest_id == guest, admin_rows.in_force(now))
    ends = [now + RETIRED, *connection.scalars(banned)]
    until = None if None in ends else max(one for one in ends if one is not None)
    connection.execute(sa.delete(s.retired).where(s.retired.c.id == _hashed(likeness)))
    connection.execute(sa.insert(s.retired).values(id=_hashed(likeness), until=until))


def _hashed(likeness: str) -> str:
    return hashlib.sha256(f"retired {likeness}".encode()).hexdigest()


def account(connection: sa.Connection, *, likeness: str = "", guest: str = "") -> Account | None:
    """Return the account whose name looks like this, or that of a guest."""
    c = s.people.c
    found = connection.execute(_ACCOUNT.where(c.id == guest if guest else c.likeness == likeness)).first()
    return None if found is None else Account(*found)


def rename(connection: sa.Connection, guest: str, name: str, likeness: str) -> bool:
    """Change a guest's name, including at unfinished tables; return False, and change nothing, if a similar name
    belongs to another account. A likeness of "" belongs to no account."""
    if likeness and owner(connection, likeness) != guest and taken(connection, [likeness]):
        return False
    name_guest(connection, guest, name)
    if likeness:
        connection.execute(sa.update(s.people).where(s.people.c.id == guest).values(likeness=likeness))
    return True


def claim(connection: sa.Connection, guest: str, name: str, likeness: str, password: str) -> None:
    """Create an account. Raises IntegrityError if a similar name belongs to one, or the guest already has one."""
    name_guest(connection, guest, name)
    values = {"id": guest, "likeness": likeness, "password": password, "created": time.time()}
    connection.execute(sa.insert(s.people).values(values))
    channels.recover_by_mail(connection, guest)


def set_password(connection: sa.Connection, guest: str, password: str) -> None:
    """Store another hash."""
    connection.execute(sa.update(s.people).where(s.people.c.id == guest).values(password=password))


# Roles ---------------------------------------------------------------------------------------------
def set_role(connection: sa.Connection, guest: str, role: Role) -> None:
    """Make an account a moderator's, or end that."""
    connection.execute(sa.update(s.people).where(s.people.c.id == guest).values(role=role))


def moderators(connection: sa.Connection) -> list[Account]:
    """Return the accounts of moderators, by name."""
    query = _ACCOUNT.where(s.people.c.role == "moderator").order_by(s.guests.c.name)
    return [Account(*row) for row in connection.execute(query)]


def is_moderator(connection: sa.Connection, guest: str) -> bool:
    """Return whether a guest's account is a moderator's."""
    return connection.scalar(sa.select(s.people.c.role).where(s.people.c.id == guest)) == "moderator"


# Sessions ------------------------------------------------------------------------------------------
def begin_session(connection: sa.Connection, row: SessionRow) -> None:
    """Store a session; the oldest beyond MOST_SESSIONS end."""
    connection.execute(sa.insert(s.sessions).values(row._asdict()))
    for old in sessions_of(connection, row.guest_id)[MOST_SESSIONS:]:
        connection.execute(sa.delete(s.sessions).where(s.sessions.c.id == old.id))


def sessions_of(connection: sa.Connection, guest: str) -> list[SessionRow]:
    """Return an account's sessions, the last used first."""
    query = (
        sa.select(*_SESSION).where(s.sessions.c.guest_id == guest).order_by(s.sessions.c.seen.desc(), s.sessions.c.id)
    )
    return [SessionRow(*row) for row in connection.execute(query)]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return an account's sessions, for its export."""
    found = sessions_of(connection, guest)
    return {
        "signed in": [{"browser": one.browser, "since": when(one.created), "seen": when(one.seen)} for one in found]
    }


def see_session(connection: sa.Connection, session: str, now: float) -> None:
    """Note that a session or a token was used."""
    connection.execute(sa.update(s.sessions).where(s.sessions.c.id == session).values(seen=now))
    token_rows.see(connection, session, now)


def end_sessions(connection: sa.Connection, guest: str, *, only: str = "", but: str = "") -> list[SessionRow]:
    """End one session of an account, or all but one; return those that ended. With all others, the links that would
    sign in again end too; with all, the tokens as well."""
    c = s.sessions.c
    which = sa.and_(c.guest_id == guest, c.id == only if only else c.id != but)
    ended = connection.execute(sa.delete(s.sessions).where(which).returning(*_SESSION)).all()
    if not only:
        unused = (s.links.c.guest_id == guest) & ~s.links.c.used
        connection.execute(sa.delete(s.links).where(unused))
    if not (only or but):
        token_rows.revoke_all(connection, guest)
    return [SessionRow(*row) for row in ended]


# Links ---------------------------------------------------------------------------------------------
def make_link(connection: sa.Connection, row: LinkRow, *, beside: bool = False) -> None:
    """Store a link, and delete long expired ones. Of each kind a person has only one valid link, the last; with
    `beside` the existing ones stay valid."""
    c = s.links.c
    connection.execute(sa.delete(s.links).where(c.until < time.time() - REMEMBERED))
    if not beside:
        connection.execute(sa.delete(s.links).where(c.guest_id == row.guest_id, c.kind == row.kind, ~c.used))
    connection.execute(sa.insert(s.links).values(row._asdict()))


def link(connection: sa.Connection, link_id: str) -> LinkRow | None:
    """Return a link, or None if it no longer exists."""
    found = connection.execute(sa.select(*_LINK).where(s.links.c.id == link_id)).first()
    return None if found is None else LinkRow(*found)


def use_link(connection: sa.Connection, link_id: str, now: float) -> LinkRow | None:
    """Use up a link; return None if it is not valid. Of two simultaneous tries one succeeds."""
    c = s.links.c
    good = sa.and_(c.id == link_id, ~c.used, c.until > now)
    found = connection.execute(sa.update(s.links).where(good).values(used=True).returning(*_LINK)).first()
    return None if found is None else LinkRow(*found)


# What is theirs --------------------------------------------------------------------------------------
def join(
    connection: sa.Connection, guest: str, person: str, *, rested: timekeeping.Rested, email: bool = True
) -> list[str]:
    """Move everything of a guest to a person's account: seats, hosted tables, messages; return the ids of their
    unfinished tables, and of the person's tables whose clocks changed. The guest no longer exists afterwards.

    The guest's email address moves only if the caller allows it. The guest's holiday ends, and `rested` returns what
    that does to a clock.
    """
    tables = belongings.hold(connection, belongings.owned(connection, guest))
    clocks = timekeeping.hand_on(connection, guest, person, time.time(), rested)
    belongings.hand_on(connection, guest, person)
    lobby_rows.hand_on(connection, guest, person)
    invitation_rows.hand_on(connection, guest, person)
    matchmaking_rows.stop(connection, guest)
    notify_rows.hand_on(connection, guest, person, email=email)
    social_rows.hand_on(connection, guest, person)
    preference_rows.hand_on(connection, guest, person)
    playtest_rows.hand_on(connection, guest, person)
    today_rows.hand_on(connection, guest, person)
    puzzle_rows.hand_on(connection, guest, person)
    profile_rows.hand_on(connection, guest, person)
    connection.execute(sa.delete(s.guests).where(s.guests.c.id == guest))
    name = connection.scalar(sa.select(s.guests.c.name).where(s.guests.c.id == person))
    if name is not None:
        name_guest(connection, person, name)  # in the games that came along too
    return [*(table for table, status in tables.items() if status in UNDER_WAY), *clocks]


def begin_parting(connection: sa.Connection, guest: str) -> None:
    """Begin to delete a guest: from now on their name is "Somebody", no session acts for them, and the rest will be
    deleted (`part`) even if the process dies."""
    end_sessions(connection, guest)
    _retire(connection, guest)
    connection.execute(sa.delete(s.people).where(s.people.c.id == guest))
    name_guest(connection, guest, SOMEBODY)
    connection.execute(_PARTS, {"key": _PARTING + guest, "now": str(time.time())})


def parting(connection: sa.Connection) -> list[str]:
    """Return guests whose deletion has begun and is not complete."""
    keys = connection.scalars(sa.select(schema.settings.c.key).where(schema.settings.c.key.startswith(_PARTING)))
    return [key.removeprefix(_PARTING) for key in keys]


def part(connection: sa.Connection, guest: str, bot_of: Callable[[str], str]) -> list[str]:
    """Remove a guest's name, and delete what each subject has of them. Their seats get the name "Somebody"; bots take
    them over in games in progress, and they are free at tables that wait. Return the ids of their tables.

    `bot_of` returns the bot that plays on in a game of this name.
    """
    theirs = {*belongings.owned(connection, guest), *invitation_rows.tables_of(connection, guest)}
    tables = belongings.hold(connection, sorted(theirs))
    invitation_rows.part(connection, guest)
    belongings.part(connection, guest, tables, SOMEBODY, bot_of)
    rating_rows.part(connection, guest)
    today_rows.part(connection, guest)
    puzzle_rows.part(connection, guest)
    tournament_rows.part(connection, guest)
    timekeeping.part(connection, guest)
    lobby_rows.part(connection, guest)
    matchmaking_rows.stop(connection, guest)
    notify_rows.part(connection, guest)
    preference_rows.part(connection, guest)
    social_rows.forget(connection, guest)
    profile_rows.part(connection, guest)
    season_rows.part(connection, guest, time.time())
    club_rows.part(connection, guest)
    calendar_rows.part(connection, guest)
    freed = playtest_rows.part(connection, guest)
    connection.execute(sa.delete(s.guests).where(s.guests.c.id == guest))
    connection.execute(sa.delete(schema.settings).where(schema.settings.c.key == _PARTING + guest))
    return [*tables, *freed]
