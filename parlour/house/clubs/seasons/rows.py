"""Seasons of clubs and who plays them: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.seasons import schema as s
from parlour.house.clubs.seasons.leagues import Divisions, cut, following
from parlour.house.database.exporting import when
from parlour.house.errors import AlreadyStarted, Forbidden, NotFound
from parlour.house.notify import outbox
from parlour.house.ratings import schema as ratings
from parlour.house.tournaments import rows as tournament_rows
from parlour.house.tournaments import schema as their
from parlour.house.tournaments.rows import UNDER_WAY, Tournament

KEPT = 50  # seasons of a club; the oldest goes with the next that is planned
GONE = "gone:"  # begins the id of an entrant who deleted their account
MOST_NAME = 64  # characters of a tournament's name
OTHERS = 12  # tournaments without a season that the page of a club shows
TOGETHER = 10  # seasons that one look of the job takes

Status = Literal["planned", "running", "over", "cancelled"]


class Season(NamedTuple):
    """A season. `play` is what is played, `size` the usual number of players of a division, `movers` how many rise and
    fall; `starts` is when it starts without the organiser. `changes` counts what calendars show."""

    id: str
    club: str
    number: int
    status: Status
    play: dict[str, object]
    size: int
    movers: int
    starts: float | None
    created: float
    changed: float
    changes: int = 0


class Entrant(NamedTuple):
    """A player of a season: their name, None after their account was deleted; once it has started their division, from
    1, and their place there: as it was drawn, and after the season as it was won."""

    guest: str
    name: str | None
    entered: float
    division: int | None = None
    place: int | None = None
    withdrawn: float | None = None


_N, _E, _D = s.seasons.c, s.entrants.c, s.divisions.c
_SEASON = [_N["club_id" if name == "club" else name] for name in Season._fields]


# Reading -------------------------------------------------------------------------------------------
def season(connection: sa.Connection, season: str, *, hold: bool = False) -> Season:
    """Return a season. `hold`: others who change it wait until the end of this transaction. Raises NotFound."""
    query = sa.select(*_SEASON).where(_N.id == season)
    row = connection.execute(query.with_for_update() if hold else query).first()
    if row is None:
        raise NotFound("There is no such season. It may have been cancelled.")
    return Season(*row)


def of_club(connection: sa.Connection, club: str) -> list[Season]:
    """Return a club's seasons, the newest first."""
    query = sa.select(*_SEASON).where(_N.club_id == club).order_by(_N.number.desc())
    return [Season(*row) for row in connection.execute(query)]


def entrants(connection: sa.Connection, season: str) -> list[Entrant]:
    """Return who plays a season: by division and place, or before it starts as they entered."""
    g = accounts.guests.c
    query = sa.select(_E.guest_id, g.name, _E.entered, _E.division, _E.place, _E.withdrawn)
    query = query.outerjoin(accounts.guests, g.id == _E.guest_id).where(_E.season_id == season)
    return [Entrant(*row) for row in connection.execute(query.order_by(_E.division, _E.place, _E.entered, _E.guest_id))]


def tournaments(connection: sa.Connection, season: str) -> dict[int, str]:
    """Return the tournament of each division, from the highest."""
    query = sa.select(_D.number, _D.tournament_id).where(_D.season_id == season).order_by(_D.number)
    return {row[0]: row[1] for row in connection.execute(query)}


def other_tournaments(connection: sa.Connection, club: str) -> list[tuple[Tournament, int]]:
    """Return the last tournaments of a club that belong to no season, each with how many take part: those that are not
    over first, then the last that ended."""
    t, e = their.tournaments.c, their.entrants.c
    here = sa.select(sa.func.count()).where(e.tournament_id == t.id, e.left.is_(None)).correlate(their.tournaments)
    query = sa.select(*tournament_rows.COLUMNS, here.scalar_subquery())
    query = query.where(t.club_id == club, t.state != "cancelled", t.id.not_in(sa.select(_D.tournament_id)))
    order = (t.ended.is_not(None), t.ended.desc(), sa.func.coalesce(t.starts_at, t.created), t.id)
    found = connection.execute(query.order_by(*order).limit(OTHERS))
    return [(Tournament(*row), number) for *row, number in found]


def due(connection: sa.Connection, now: float) -> list[str]:
    """Return planned seasons whose date has come."""
    query = sa.select(_N.id).where(_N.status == "planned", _N.starts <= now)
    return list(connection.scalars(query.order_by(_N.starts).limit(TOGETHER)))


def played(connection: sa.Connection) -> list[str]:
    """Return running seasons of which no tournament is under way any more."""
    t = their.tournaments.c
    under_way = sa.select(t.id).join(s.divisions, _D.tournament_id == t.id).where(_D.season_id == _N.id)
    still = under_way.where(t.state.in_(UNDER_WAY)).correlate(s.seasons).exists()
    return list(connection.scalars(sa.select(_N.id).where(_N.status == "running", ~still).limit(TOGETHER)))


# Planning ------------------------------------------------------------------------------------------
def plan(connection: sa.Connection, row: Season, planner: str = "") -> int:
    """Store a new season with the next number, which is returned, and note it for all members but its `planner`.
    Members who played the last one to its end are entered. Raises AlreadyStarted if the club has a season that is not
    over."""
    connection.execute(sa.select(clubs.clubs.c.id).where(clubs.clubs.c.id == row.club).with_for_update())
    before = of_club(connection, row.club)
    if any(one.status in ("planned", "running") for one in before):
        raise AlreadyStarted("This club has a season that isn't over yet. Finish or cancel it first.")
    connection.execute(sa.delete(s.seasons).where(_N.club_id == row.club, _N.status == "cancelled"))
    done = [one for one in before if one.status == "over"]
    number = 1 + max((one.number for one in done), default=0)
    connection.execute(sa.delete(s.seasons).where(_N.club_id == row.club, _N.number <= number - KEPT))
    values = row._asdict() | {"number": number}
    values["club_id"] = values.pop("club")
    connection.execute(sa.insert(s.seasons).values(values))
    if done:
        inside = sa.select(clubs.members.c.guest_id).where(clubs.members.c.club_id == row.club)
        stayed = sa.select(_E.guest_id).where(_E.season_id == done[0].id, _E.withdrawn.is_(None))
        for guest in connection.scalars(stayed.where(_E.guest_id.in_(inside))).all():
            _enter(connection, row.id, guest, row.created)
    members = connection.scalars(sa.select(clubs.members.c.guest_id).where(clubs.members.c.club_id == row.club)).all()
    outbox.note_club(connection, "season", row.club, {*members} - {planner}, row.created)
    return number


def enter(connection: sa.Connection, season_id: str, guest: str, now: float) -> None:
    """Enter a member in a planned season, unless they are. Errors: NotFound, AlreadyStarted, Forbidden (no member)."""
    row = planned(connection, season_id)
    m = clubs.members.c
    if connection.scalar(sa.select(m.role).where(m.club_id == row.club, m.guest_id == guest)) is None:
        raise Forbidden("Only members of the club can play its seasons. Join the club first.")
    if all(one.guest != guest for one in entrants(connection, season_id)):
        _enter(connection, season_id, guest, now)


def _enter(connection: sa.Connection, season_id: str, guest: str, now: float) -> None:
    connection.execute(sa.insert(s.entrants).values(season_id=season_id, guest_id=guest, entered=now))


def change(connection: sa.Connection, season_id: str, now: float, **values: object) -> None:
    """Change a season as calendars show it."""
    changed = sa.update(s.seasons).where(_N.id == season_id)
    connection.execute(changed.values(**values, changed=now, changes=_N.changes + 1))


def cancel(connection: sa.Connection, season_id: str, now: float) -> None:
    """Cancel a planned season. Errors: NotFound, AlreadyStarted."""
    planned(connection, season_id)
    change(connection, season_id, now, status="cancelled")


def planned(connection: sa.Connection, season_id: str) -> Season:
    """Return a planned season, which others can't change until the end of this transaction. Errors: NotFound,
    AlreadyStarted."""
    row = season(connection, season_id, hold=True)
    if row.status != "planned":
        raise AlreadyStarted("This season has started, or was cancelled.")
    return row


def rename(connection: sa.Connection, club: str, before: str, after: str) -> None:
    """Give the tournaments of a club's seasons, whose names begin with its own, the club's new name."""
    t = their.tournaments.c
    of_seasons = sa.select(_D.tournament_id).join(s.seasons, _N.id == _D.season_id).where(_N.club_id == club)
    named = t.id.in_(of_seasons) & (sa.func.substr(t.name, 1, len(before) + 1) == f"{before}:")
    name = sa.func.substr(sa.literal(after).concat(sa.func.substr(t.name, len(before) + 1)), 1, MOST_NAME)
    connection.execute(sa.update(their.tournaments).where(named).values(name=name, changes=t.changes + 1))


# Leaving -------------------------------------------------------------------------------------------
def withdraw(connection: sa.Connection, season_id: str, guest: str, now: float) -> None:
    """Take a guest out of a season: of a planned one without a trace, of a running one with the tournament of their
    division. Raises NotFound."""
    row = season(connection, season_id, hold=True)
    mine = (_E.season_id == season_id) & (_E.guest_id == guest)
    if row.status == "planned":
        connection.execute(sa.delete(s.entrants).where(mine))
        return
    division = connection.scalar(sa.select(_E.division).where(mine, _E.withdrawn.is_(None)))
    if row.status != "running" or division is None:
        return
    connection.execute(sa.update(s.entrants).where(mine).values(withdrawn=now))
    tournament = tournaments(connection, season_id).get(division, "")
    if tournament_rows.find(connection, tournament) is not None:
        tournament_rows.leave(connection, tournament, guest)


def withdraw_from_club(connection: sa.Connection, club: str, guest: str, now: float) -> None:
    """Take a guest out of the seasons of a club that are not over, as `withdraw`."""
    live = sa.select(_N.id).where(_N.club_id == club, _N.status.in_(("planned", "running")))
    for found in connection.scalars(live).all():
        withdraw(connection, found, guest, now)


# Divisions -----------------------------------------------------------------------------------------
def drawn(connection: sa.Connection, row: Season, game: str, ruleset: str) -> Divisions:
    """Return the divisions with which a planned season starts. They follow from the last season that was played to its
    end; who didn't is new, and begins at the bottom. Of new players, and in a first season, those with a better rating
    in the ruleset are above, then those who entered earlier. Raises ValueError for too few players."""
    here = [one.guest for one in entrants(connection, row.id)]
    r = ratings.ratings.c
    rated = sa.select(r.player, r.mu).where(r.game == game, r.ruleset == ruleset, r.player.in_(here))
    strength: Mapping[str, float] = {row[0]: row[1] for row in connection.execute(rated)}
    new = sorted(here, key=lambda guest: -strength.get(guest, 0.0))
    last = next((one for one in of_club(connection, row.club) if one.status == "over"), None)
    if last is None:
        return cut(new, row.size)
    before = standings(connection, last.id)
    known = {guest for division in before for guest in division}
    leaving = known - {*here}
    return following(
        before, last.movers, leaving=leaving, entering=[one for one in new if one not in known], size=row.size
    )


def standings(connection: sa.Connection, season_id: str) -> list[list[str]]:
    """Return the players of a season that is over, by division and place, without those who left it."""
    found: dict[int, list[str]] = {}
    for one in entrants(connection, season_id):
        if one.division is not None and one.withdrawn is None:
            found.setdefault(one.division, []).append(one.guest)
    return [found[number] for number in sorted(found)]


def begin(connection: sa.Connection, row: Season, divisions: Divisions, made: Sequence[str], now: float) -> None:
    """Store that a season has started with these divisions, and the tournament of each."""
    for number, (division, tournament) in enumerate(zip(divisions, made, strict=True), 1):
        one = {"season_id": row.id, "number": number, "tournament_id": tournament}
        connection.execute(sa.insert(s.divisions).values(one))
        _place(connection, row.id, number, division)
    change(connection, row.id, now, status="running", starts=row.starts or now)


def finish(connection: sa.Connection, row: Season, places: Mapping[int, Sequence[str]], now: float) -> None:
    """Store the final places of each division, and that the season is over."""
    for number, division in places.items():
        _place(connection, row.id, number, division)
    change(connection, row.id, now, status="over")


def _place(connection: sa.Connection, season_id: str, number: int, division: Sequence[str]) -> None:
    for place, guest in enumerate(division, 1):
        which = (_E.season_id == season_id) & (_E.guest_id == guest)
        connection.execute(sa.update(s.entrants).where(which).values(division=number, place=place))


# What is theirs ------------------------------------------------------------------------------------
def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return the seasons that an account played or is entered in, for its export."""
    c = clubs.clubs.c
    query = (
        sa.select(c.name, _N.number, _E.entered, _E.division, _E.place, _E.withdrawn)
        .join_from(s.entrants, s.seasons, _N.id == _E.season_id)
        .join(clubs.clubs, c.id == _N.club_id)
        .where(_E.guest_id == guest)
        .order_by(_E.entered, _N.id)
    )
    return {
        "seasons": [
            {
                "club": name, "season": number, "entered": when(entered), "division": division, "place": place,
                "withdrawn": None if withdrawn is None else when(withdrawn),
            } for name, number, entered, division, place, withdrawn in connection.execute(query)
        ]
    }  # fmt: skip


def part(connection: sa.Connection, guest: str, now: float) -> None:
    """Take a guest out of planned seasons. In others their place stays, without a name; a running one they leave."""
    planned = sa.select(_N.id).where(_N.status == "planned")
    connection.execute(sa.delete(s.entrants).where(_E.guest_id == guest, _E.season_id.in_(planned)))
    running = sa.select(_N.id).where(_N.status == "running")
    left = sa.update(s.entrants).where(_E.guest_id == guest, _E.season_id.in_(running), _E.withdrawn.is_(None))
    connection.execute(left.values(withdrawn=now))
    gone = sa.update(s.entrants).where(_E.guest_id == guest)
    connection.execute(gone.values(guest_id=f"{GONE}{secrets.token_hex(12)}"))
