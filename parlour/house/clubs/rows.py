"""Clubs and their members: plain functions of a connection, as in `queries`.

Everyone in a club has an account, so nothing is ever handed on from a guest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.clubs import schema as s
from parlour.house.database.exporting import when
from parlour.house.errors import Forbidden, NameTaken, NotFound, TooMany
from parlour.house.notify import outbox
from parlour.house.profiles import schema as profiles
from parlour.house.ratings import schema as ratings
from parlour.house.social import rows as social_rows
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage import upkeep
from parlour.house.tournaments import schema as tournaments

MOST_OWNED = 3  # clubs that an account owns
MOST_JOINED = 20  # clubs that an account is in
MOST_MEMBERS = 200  # of a club
MOST_WAITING = 50  # requests that wait at a club
MOST_ASKED = 10  # requests of an account that wait
PAGE = 24  # clubs on a page of the list
RECENT = 90 * 86400.0  # seconds for which a finished game is news of a club
NEWS = 8  # finished games that a club's page shows

Entry = Literal["open", "ask", "link"]
Role = Literal["owner", "organiser", "member"]
Standing = Literal["owner", "organiser", "member", "asked", ""]  # of a viewer: asked is a request that waits
LEADERS = ("owner", "organiser")


class Club(NamedTuple):
    """A club. `entry`: how people get in; the link with the token lets them in in any case."""

    id: str
    token: str
    name: str
    about: str
    picture: str
    entry: Entry
    created: float


class Listed(NamedTuple):
    """A club in a list, with the number of its members, and the viewer's role or request."""

    club: Club
    members: int
    mine: Standing


class Member(NamedTuple):
    """A member, with their chosen picture, and the rating that most of their rated games count for, if any."""

    guest: str
    name: str
    role: Role
    since: float
    picture: str = ""
    game: str = ""
    ruleset: str = ""
    mu: float = 0.0
    sure: bool = False


class Game(NamedTuple):
    """A finished game of several members: its table, what was played, who played, and each share of the win."""

    table: str
    game: str
    ruleset: str
    names: tuple[str, ...]
    shares: tuple[float, ...]
    at: float


_C, _M, _R = s.clubs.c, s.members.c, s.requests.c
_CLUB = [_C[name] for name in Club._fields]
_IN = s.members.alias("inside")
_COUNT = sa.select(sa.func.count()).where(_IN.c.club_id == _C.id).correlate(s.clubs).scalar_subquery()


# Clubs ---------------------------------------------------------------------------------------------
def found(connection: sa.Connection, row: Club, likeness: str, owner: str) -> None:
    """Store a new club with its owner. Errors: TooMany, NameTaken."""
    upkeep.take_turn(connection, owner)
    owned = sa.select(sa.func.count()).where(_M.guest_id == owner, _M.role == "owner")
    if (connection.scalar(owned) or 0) >= MOST_OWNED:
        raise TooMany(f"You own {MOST_OWNED} clubs, which is the limit. Hand one over or delete it first.")
    _must_have_room_for_clubs(connection, owner)
    _must_be_free(connection, likeness, row.name)
    connection.execute(sa.insert(s.clubs).values(**row._asdict(), likeness=likeness))
    _enter(connection, row.id, owner, "owner", row.created)


def change(connection: sa.Connection, row: Club, likeness: str) -> None:
    """Store what a club is now called and how it looks. Raises NameTaken."""
    _must_be_free(connection, likeness, row.name, row.id)
    values = {name: getattr(row, name) for name in ("name", "about", "picture", "entry")}
    connection.execute(sa.update(s.clubs).where(_C.id == row.id).values(**values, likeness=likeness))


def _must_be_free(connection: sa.Connection, likeness: str, name: str, but: str = "") -> None:
    if connection.scalar(sa.select(_C.id).where(_C.likeness == likeness, _C.id != but)) is not None:
        raise NameTaken(
            f"Another club is called “{name}”, or something that looks like it. Please choose another name."
        )


def renew(connection: sa.Connection, club: str, token: str) -> None:
    """Give a club another link; the old one no longer works."""
    connection.execute(sa.update(s.clubs).where(_C.id == club).values(token=token))


def delete(connection: sa.Connection, club: str) -> None:
    """Delete a club with its members, requests and seasons. Its tournaments stay."""
    connection.execute(sa.delete(s.clubs).where(_C.id == club))


def club(connection: sa.Connection, club: str = "", *, token: str = "", hold: bool = False) -> Club:
    """Return a club by its id or by the token of its link. `hold`: others who change its members wait until the end of
    this transaction. Raises NotFound."""
    query = sa.select(*_CLUB).where(_C.id == club if club else _C.token == token)
    row = connection.execute(query.with_for_update() if hold else query).first()
    if row is None:
        raise NotFound("There is no such club. It may have been deleted.")
    return Club(*row)


def listed(
    connection: sa.Connection, guest: str, page: int, *, find: str | None = None, others: bool = False
) -> tuple[int, list[Listed]]:
    """Return how many clubs are listed, and a page of them, the largest first: all that people can find without a
    link; with `find`, all whose name contains it; with `others`, only those that the guest is not in."""
    which = _C.entry != "link" if find is None else _C.name.icontains(find, autoescape=True)
    if others:
        which &= _C.id.not_in(sa.select(_M.club_id).where(_M.guest_id == guest))
    total = connection.scalar(sa.select(sa.func.count()).select_from(s.clubs).where(which)) or 0
    query = sa.select(*_CLUB, _COUNT.label("members")).where(which)
    query = query.order_by(sa.desc("members"), _C.created, _C.id).offset(PAGE * page).limit(PAGE)
    return total, _with_standings(connection, guest, [(Club(*row), count) for *row, count in connection.execute(query)])


def owners(connection: sa.Connection, clubs: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the owner of each of these clubs: the account's id and name."""
    query = sa.select(_M.club_id, _M.guest_id, accounts.guests.c.name)
    query = query.join(accounts.guests, accounts.guests.c.id == _M.guest_id)
    found = connection.execute(query.where(_M.club_id.in_(clubs), _M.role == "owner"))
    return {club: (guest, name) for club, guest, name in found}


def of(connection: sa.Connection, guest: str, *, public: bool = False) -> list[Listed]:
    """Return the clubs that a guest is in, the oldest membership first; `public`: those that everyone can find."""
    query = sa.select(*_CLUB, _COUNT).join(s.members, (_M.club_id == _C.id) & (_M.guest_id == guest))
    query = query.where(_C.entry != "link") if public else query
    found = connection.execute(query.order_by(_M.since, _C.id))
    return _with_standings(connection, guest, [(Club(*row), count) for *row, count in found])


def _with_standings(connection: sa.Connection, guest: str, found: Sequence[tuple[Club, int]]) -> list[Listed]:
    mine = standings(connection, guest, [one.id for one, _ in found])
    return [Listed(one, members, mine.get(one.id, "")) for one, members in found]


def standings(connection: sa.Connection, guest: str, clubs: Sequence[str]) -> dict[str, Standing]:
    """Return a guest's role in some of these clubs, or that they asked to join."""
    asked = connection.scalars(sa.select(_R.club_id).where(_R.guest_id == guest, _R.club_id.in_(clubs)))
    mine: dict[str, Standing] = dict.fromkeys(asked, "asked")
    roles = sa.select(_M.club_id, _M.role).where(_M.guest_id == guest, _M.club_id.in_(clubs))
    return mine | {row.club_id: row.role for row in connection.execute(roles)}


# Members -------------------------------------------------------------------------------------------
def members(connection: sa.Connection, club: str) -> list[Member]:
    """Return a club's members: the owner, organisers, then others, the longest in the club first."""
    g, p, r = accounts.guests.c, profiles.pictures.c, ratings.ratings.c
    rank = sa.func.row_number().over(partition_by=r.player, order_by=(r.games.desc(), r.game, r.ruleset))
    inside = sa.select(_M.guest_id).where(_M.club_id == club)
    rated = sa.select(ratings.ratings, rank.label("rank")).where(r.player.in_(inside)).subquery()
    query = (
        sa.select(
            _M.guest_id, g.name, _M.role, _M.since, p.picture, rated.c.game, rated.c.ruleset, rated.c.mu, rated.c.sure
        )
        .join_from(s.members, accounts.guests, g.id == _M.guest_id)
        .outerjoin(profiles.pictures, p.guest_id == _M.guest_id)
        .outerjoin(rated, (rated.c.player == _M.guest_id) & (rated.c.rank == 1))
        .where(_M.club_id == club)
        .order_by(sa.case({"owner": 0, "organiser": 1}, value=_M.role, else_=2), _M.since, _M.guest_id)
    )
    return [
        Member(*row[:4], row[4] or "", row[5] or "", row[6] or "", row[7] or 0.0, bool(row[8]))
        for row in connection.execute(query)
    ]


def role(connection: sa.Connection, club: str, guest: str) -> Role | Literal[""]:
    """Return a guest's role in a club, "" for none."""
    found: Role | None = connection.scalar(sa.select(_M.role).where(_M.club_id == club, _M.guest_id == guest))
    return found or ""


def waiting(connection: sa.Connection, club: str) -> list[tuple[str, str, float]]:
    """Return who asks to join a club, with their name and since when, the first first."""
    g = accounts.guests.c
    query = sa.select(_R.guest_id, g.name, _R.asked).join(accounts.guests, g.id == _R.guest_id)
    found = connection.execute(query.where(_R.club_id == club).order_by(_R.asked, _R.guest_id))
    return [(guest, name, asked) for guest, name, asked in found]


def is_shut(connection: sa.Connection, club: str, guest: str) -> bool:
    """Return whether one who leads a club has blocked a guest. The club is then closed to them as one that only a link
    opens, and its link is not valid for them."""
    leaders = connection.scalars(sa.select(_M.guest_id).where(_M.club_id == club, _M.role.in_(LEADERS)))
    return bool(social_rows.shut_by(connection, guest, [*leaders]))


def join(connection: sa.Connection, club: str, guest: str, now: float) -> None:
    """Make a guest a member, and end their request. A member stays what they are. Errors: NotFound, TooMany."""
    upkeep.take_turn(connection, guest)
    _hold(connection, club)
    if role(connection, club, guest):
        return
    _must_have_room_for_clubs(connection, guest)
    _must_have_room(connection, club)
    withdraw(connection, club, guest)
    _enter(connection, club, guest, "member", now)


def ask(connection: sa.Connection, club: str, guest: str, now: float) -> None:
    """Store a request to join, and note it for those who lead the club; a second one is the first. Errors: NotFound,
    TooMany."""
    upkeep.take_turn(connection, guest)
    _hold(connection, club)
    if role(connection, club, guest) or standings(connection, guest, [club]):
        return
    _must_have_room_for_clubs(connection, guest)
    here = sa.select(sa.func.count()).where(_R.club_id == club)
    if (connection.scalar(here) or 0) >= MOST_WAITING:
        asked = f"{MOST_WAITING} people have asked to join this club, which is the limit."
        raise TooMany(f"{asked} Please try again later.")
    mine = sa.select(sa.func.count()).where(_R.guest_id == guest)
    if (connection.scalar(mine) or 0) >= MOST_ASKED:
        raise TooMany(f"You have asked to join {MOST_ASKED} clubs, which is the limit. Withdraw a request first.")
    connection.execute(sa.insert(s.requests).values(club_id=club, guest_id=guest, asked=now))
    leaders = connection.scalars(sa.select(_M.guest_id).where(_M.club_id == club, _M.role.in_(LEADERS)))
    outbox.note_club(connection, "asked", club, leaders, now)


def accept(connection: sa.Connection, club: str, guest: str, now: float) -> None:
    """Let in a guest who asked, and note that for them. Errors: NotFound (no request), TooMany."""
    _must_have_asked(connection, club, guest)
    join(connection, club, guest, now)
    outbox.note(connection, "admitted", club, [guest], now)


def decline(connection: sa.Connection, club: str, guest: str, now: float) -> None:
    """Delete a request to join, and note that for the guest who asked. Raises NotFound (no request)."""
    _must_have_asked(connection, club, guest)
    withdraw(connection, club, guest)
    outbox.note(connection, "refused", club, [guest], now)


def _must_have_asked(connection: sa.Connection, club: str, guest: str) -> None:
    if standings(connection, guest, [club]).get(club) != "asked":
        raise NotFound("No one with this name asks to join. They may have withdrawn their request.")


def withdraw(connection: sa.Connection, club: str, guest: str) -> None:
    """Delete a request, if there is one."""
    connection.execute(sa.delete(s.requests).where(_R.club_id == club, _R.guest_id == guest))


def leave(connection: sa.Connection, club: str, guest: str) -> None:
    """Take a member or a request out of a club; nothing happens without either. Raises Forbidden for the owner of a
    club with other members; a club without any is deleted."""
    _hold(connection, club)
    if role(connection, club, guest) == "owner":
        if (connection.scalar(sa.select(sa.func.count()).where(_M.club_id == club)) or 0) > 1:
            raise Forbidden("You own this club. Hand it over to another member first, or delete it.")
        delete(connection, club)
        return
    withdraw(connection, club, guest)
    connection.execute(sa.delete(s.members).where(_M.club_id == club, _M.guest_id == guest))


def set_role(connection: sa.Connection, club: str, guest: str, role: Role) -> None:
    """Give a member a role. A new owner replaces the present one, who becomes an organiser."""
    if role == "owner":
        present = (_M.club_id == club) & (_M.role == "owner")
        connection.execute(sa.update(s.members).where(present).values(role="organiser"))
    here = (_M.club_id == club) & (_M.guest_id == guest)
    connection.execute(sa.update(s.members).where(here).values(role=role))


def _enter(connection: sa.Connection, club: str, guest: str, role: Role, now: float) -> None:
    connection.execute(sa.insert(s.members).values(club_id=club, guest_id=guest, role=role, since=now))


def _hold(connection: sa.Connection, at: str) -> None:
    club(connection, at, hold=True)


def _must_have_room(connection: sa.Connection, club: str) -> None:
    if (connection.scalar(sa.select(sa.func.count()).where(_M.club_id == club)) or 0) >= MOST_MEMBERS:
        raise TooMany(f"This club has {MOST_MEMBERS} members, which is the limit.")


def _must_have_room_for_clubs(connection: sa.Connection, guest: str) -> None:
    if (connection.scalar(sa.select(sa.func.count()).where(_M.guest_id == guest)) or 0) >= MOST_JOINED:
        raise TooMany(f"A player can be in {MOST_JOINED} clubs, which is the limit. Leave another one first.")


# News ----------------------------------------------------------------------------------------------
def games(connection: sa.Connection, club: str, now: float) -> list[Game]:
    """Return the last finished games in which at least two members played, the newest first: listed ones, and those of
    the club's own tournaments."""
    t, sat, o = storage.tables.c, storage.seats.c, ratings.outcomes.c
    own = sa.select(tournaments.tournaments.c.id).where(tournaments.tournaments.c.club_id == club)
    met = (
        sa.select(sat.table_id)
        .join_from(s.members, storage.seats, sat.guest_id == _M.guest_id)
        .join(storage.tables, t.id == sat.table_id)
        .where(_M.club_id == club, t.status == "over", t.public | t.tournament.in_(own))
        .where(t.touched > now - RECENT, t.touched > _M.since)
        .group_by(sat.table_id, t.touched)
        .having(sa.func.count() > 1)
        .order_by(t.touched.desc(), sat.table_id)
        .limit(NEWS)
    )
    tables = list(connection.scalars(met))
    if not tables:
        return []
    shares: dict[str, list[float]] = {}
    query = sa.select(o.table_id, o.share).where(o.table_id.in_(tables)).order_by(o.table_id, o.seat)
    for table, share in connection.execute(query):
        shares.setdefault(table, []).append(share or 0.0)
    columns = (t.id, t.game, t.options, t.names, t.touched)
    found = connection.execute(sa.select(*columns).where(t.id.in_(tables)).order_by(t.touched.desc(), t.id))
    return [
        Game(table, game, options.get("ruleset", ""), tuple(names), tuple(shares.get(table, ())), at)
        for table, game, options, names, at in found
    ]


# What is theirs ------------------------------------------------------------------------------------
def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return the clubs that an account is in or asks to join, for its export."""
    asked = sa.select(_C.name, _R.asked).join(s.requests, _R.club_id == _C.id).where(_R.guest_id == guest)
    mine = sa.select(_M.club_id, _M.since).where(_M.guest_id == guest)
    since = {row.club_id: row.since for row in connection.execute(mine)}
    return {
        "clubs": [
            {"name": one.club.name, "role": one.mine, "since": when(since[one.club.id])}
            for one in of(connection, guest)
        ],
        "asked to join": [
            {"name": name, "asked": when(at)} for name, at in connection.execute(asked.order_by(_R.asked))
        ],
    }  # fmt: skip


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's memberships and requests. A club that they own goes to the organiser, else the member, who has
    been in it longest; a club without other members is deleted."""
    owned = connection.scalars(sa.select(_M.club_id).where(_M.guest_id == guest, _M.role == "owner")).all()
    for club in owned:
        others = sa.select(_M.guest_id).where(_M.club_id == club, _M.guest_id != guest)
        order = (sa.case({"organiser": 0}, value=_M.role, else_=1), _M.since, _M.guest_id)
        heir = connection.scalar(others.order_by(*order).limit(1))
        if heir is None:
            delete(connection, club)
        else:
            set_role(connection, club, heir, "owner")
    connection.execute(sa.delete(s.members).where(_M.guest_id == guest))
    connection.execute(sa.delete(s.requests).where(_R.guest_id == guest))
