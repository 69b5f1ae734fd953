"""Tournaments, and who takes part: plain functions of a connection, as in `queries`. `boards` has their games.

Only accounts organise and join, so nothing is handed on from guests who sign in.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.core.facts import RULESET
from parlour.house.accounts import schema as accounts
from parlour.house.accounts.names import SOMEBODY
from parlour.house.database.exporting import when
from parlour.house.errors import AlreadyStarted, Forbidden, NotFound, TooMany
from parlour.house.notify import outbox
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.rows import START
from parlour.house.table.storage import upkeep
from parlour.house.table.storage.rows import KeptTempo
from parlour.house.tournaments import schema as s

MOST_ORGANISED = 10  # announced or running tournaments of one organiser, apart from those of clubs
MOST_MADE = 50  # tournaments that one organiser makes in a day
DAY = 86400.0
MOST_ENTERED = 50  # announced or running tournaments of one entrant
MOST_ENTRANTS = 1_000
PAGE = 30  # tournaments in one answer
SOON = 600.0  # seconds before the start at which those who have joined are reminded
GONE = "gone:"  # before a random id, in place of a deleted account's
KEPT_EMPTY = 30 * DAY  # seconds for which a cancelled tournament is kept
CLEARED = 50  # tournaments deleted in one transaction

System = Literal["arena", "swiss", "round-robin", "knock-out", "simultaneous"]
State = Literal["announced", "running", "over", "cancelled"]
UNDER_WAY: tuple[State, ...] = ("announced", "running")


class Tournament(NamedTuple):
    """A tournament. `rounds` is 0 where the system says how many there are, `length` the seconds of an arena,
    `starts_at` None if the organiser starts it by hand; `round` is the last one that was paired; `reason` says why
    it was cancelled."""

    id: str
    name: str
    organiser: str
    club_id: str | None
    token: str
    game: str
    edition: str
    parts: dict[str, object]
    options: dict[str, str]
    given: list[int]
    origin: str
    seats: int
    tempo: KeptTempo
    system: System
    rounds: int
    length: float
    through: int
    third: bool
    rated: bool
    bots: bool
    bot: str
    most: int
    seed: str
    state: State
    created: float
    starts_at: float | None
    began: float | None = None
    ended: float | None = None
    round: int = 0
    due: float | None = None
    changes: int = 0
    reason: str = ""


class Entry(NamedTuple):
    """An entrant. `joined` and `left` count the rounds that were paired by then; `away` are the rounds that they
    missed before they came back. `name` is the account's."""

    number: int
    guest_id: str
    name: str
    strength: float
    joined: int
    left: int | None = None
    away: Sequence[int] = ()
    removed: bool = False
    at: float = 0.0


class Listed(NamedTuple):
    """A tournament in a list: the organiser's name, "" for a deleted account, and how many take part."""

    tournament: Tournament
    organiser: str
    entrants: int


_T, _E = s.tournaments.c, s.entrants.c
COLUMNS = [_T[name] for name in Tournament._fields]
_NAME = sa.func.coalesce(sa.case((accounts.people.c.id.is_not(None), accounts.guests.c.name)), SOMEBODY)
_ENTRIES = (
    sa.select(_E.number, _E.guest_id, _NAME, *[_E[name] for name in Entry._fields[3:]])
    .outerjoin(accounts.people, accounts.people.c.id == _E.guest_id)
    .outerjoin(accounts.guests, accounts.guests.c.id == accounts.people.c.id)
    .order_by(_E.number)
)
_IN = _E.left.is_(None)


# Reading -------------------------------------------------------------------------------------------
def find(connection: sa.Connection, tournament: str) -> Tournament | None:
    """Return a tournament, None without one."""
    found = connection.execute(sa.select(*COLUMNS).where(_T.id == tournament)).first()
    return None if found is None else Tournament(*found)


def one(connection: sa.Connection, tournament: str) -> Tournament:
    """Return a tournament. Raises NotFound."""
    if (found := find(connection, tournament)) is None:
        raise NotFound("There is no such tournament. It may have been cancelled and removed.")
    return found


def listing(
    connection: sa.Connection, states: Sequence[State], *, game: str = "", guest: str = "", club: str = "",
    every: bool = False, page: int = 0,
) -> tuple[int, list[Listed]]:  # fmt: skip
    """Return how many tournaments there are in these states, and a page of them, from 0: the last that ended first, or
    those in progress and then the next to start. Without `guest` and `club` only those that everyone can join, or with
    `every` all; with `guest`, all that they organise or have joined; with `club`, its own."""
    whose: sa.ColumnElement[bool] = sa.true()
    if club:
        whose = _T.club_id == club
    elif guest:
        entered = sa.select(_E.tournament_id).where(_E.guest_id == guest, ~_E.removed)
        whose = (_T.organiser == guest) | _T.id.in_(entered)
    elif not every:
        whose = (_T.token == "") & _T.club_id.is_(None)
    which = sa.and_(_T.state.in_(states), whose, _T.game == game if game else sa.true())
    total = connection.scalar(sa.select(sa.func.count()).select_from(s.tournaments).where(which)) or 0
    number = sa.select(sa.func.count()).where(_E.tournament_id == _T.id, _IN).correlate(s.tournaments).scalar_subquery()
    name = sa.func.coalesce(sa.case((accounts.people.c.id.is_not(None), accounts.guests.c.name)), "")
    joined = s.tournaments.outerjoin(accounts.people, accounts.people.c.id == _T.organiser).outerjoin(
        accounts.guests, accounts.guests.c.id == accounts.people.c.id
    )
    order = (_T.ended.desc(), _T.state.desc(), sa.func.coalesce(_T.starts_at, _T.created), _T.id)
    query = sa.select(name, number, *COLUMNS).select_from(joined).where(which).order_by(*order)
    rows = connection.execute(query.limit(PAGE).offset(page * PAGE))
    return total, [Listed(Tournament(*row), who, entrants) for who, entrants, *row in rows]


def organiser_of(connection: sa.Connection, tournament: Tournament) -> str:
    """Return the name of the organiser's account, "" once it is deleted."""
    query = sa.select(accounts.guests.c.name).join(accounts.people, accounts.people.c.id == accounts.guests.c.id)
    return connection.scalar(query.where(accounts.people.c.id == tournament.organiser)) or ""


def entries(connection: sa.Connection, tournament: str, numbers: Collection[int] | None = None) -> list[Entry]:
    """Return all who take part or took part, or those with these numbers, in the order in which they joined."""
    query = _ENTRIES.where(_E.tournament_id == tournament)
    if numbers is not None:
        query = query.where(_E.number.in_(numbers))
    return [Entry(*row) for row in connection.execute(query)]


def under_way_in(connection: sa.Connection, club: str) -> list[str]:
    """Return the tournaments of a club that are announced or running."""
    query = sa.select(_T.id).where(_T.club_id == club, _T.state.in_(UNDER_WAY)).order_by(_T.id)
    return list(connection.scalars(query))


def number_in(connection: sa.Connection, tournament: str) -> int:
    """Return how many take part now."""
    query = sa.select(sa.func.count()).where(_E.tournament_id == tournament, _IN)
    return connection.scalar(query) or 0


def entry_of(connection: sa.Connection, tournament: str, guest: str) -> Entry | None:
    """Return a guest's entry, None without one."""
    found = connection.execute(_ENTRIES.where(_E.tournament_id == tournament, _E.guest_id == guest)).first()
    return None if found is None else Entry(*found)


# Writing -------------------------------------------------------------------------------------------
def make(connection: sa.Connection, row: Tournament, *, most: int = MOST_ORGANISED) -> None:
    """Store a new tournament, if its organiser has fewer than this many under way. Raises TooMany."""
    upkeep.take_turn(connection, row.organiser)
    mine = sa.select(sa.func.count()).where(_T.organiser == row.organiser)
    if (connection.scalar(mine.where(_T.state.in_(UNDER_WAY))) or 0) >= most:
        raise TooMany(f"You already organise {most} tournaments that are not over, which is the limit.")
    if (connection.scalar(mine.where(_T.created > row.created - DAY)) or 0) >= max(most, MOST_MADE):
        raise TooMany(f"You can make at most {max(most, MOST_MADE)} tournaments a day.")
    connection.execute(sa.insert(s.tournaments).values(row._asdict()))


def hold(connection: sa.Connection, tournament: str) -> Tournament:
    """Count a change of a tournament, which locks its row until this transaction ends; return it as it is now. Raises
    NotFound."""
    counted = sa.update(s.tournaments).where(_T.id == tournament).values(changes=_T.changes + 1)
    found = connection.execute(counted.returning(*COLUMNS)).first()
    return one(connection, tournament) if found is None else Tournament(*found)


def set_values(connection: sa.Connection, tournament: str, **values: object) -> None:
    """Change columns of a tournament."""
    connection.execute(sa.update(s.tournaments).where(_T.id == tournament).values(values))


def hurry(connection: sa.Connection, tournament: str, now: float) -> None:
    """Let the house look at a tournament by then."""
    late = _T.due.is_(None) | (_T.due > now)
    connection.execute(sa.update(s.tournaments).where(_T.id == tournament, late).values(due=now))


def may_join(tournament: Tournament) -> str:
    """Return why no one can join a tournament any more, "" if they can."""
    if tournament.state not in UNDER_WAY:
        return "This tournament is over."
    if tournament.state == "announced" or tournament.system == "arena":
        return ""
    if tournament.system == "swiss" and 2 * tournament.round <= tournament.rounds:
        return ""
    if tournament.system == "swiss":
        return "More than half of the rounds have been paired, so no one can join any more."
    return "The tournament has started, so no one can join any more."


def join(connection: sa.Connection, tournament: str, guest: str, now: float) -> Entry:
    """Enter a guest, or take them back after they left; return the entry. Repeating it does no harm. Errors: NotFound,
    AlreadyStarted (too late), Forbidden (removed by the organiser), TooMany."""
    upkeep.take_turn(connection, guest)
    held = hold(connection, tournament)
    before = entry_of(connection, tournament, guest)
    if before is not None and before.removed:
        raise Forbidden("The organiser has removed you from this tournament.")
    if before is not None and before.left is None:
        return before
    if why := may_join(held) if before is None else _may_return(held):
        raise AlreadyStarted(why)
    if before is not None and before.left is not None:
        which = (_E.tournament_id == tournament) & (_E.guest_id == guest)
        away = [*before.away, *range(before.left + 1, held.round + 1)]
        connection.execute(sa.update(s.entrants).where(which).values(left=None, away=away))
        hurry(connection, tournament, now)
        return before._replace(left=None, away=away)
    mine = sa.select(sa.func.count()).select_from(s.entrants.join(s.tournaments, _T.id == _E.tournament_id))
    if (connection.scalar(mine.where(_E.guest_id == guest, _IN, _T.state.in_(UNDER_WAY))) or 0) >= MOST_ENTERED:
        raise TooMany(f"You already take part in {MOST_ENTERED} tournaments that are not over, which is the limit.")
    of = _E.tournament_id == tournament
    number, there = connection.execute(sa.select(sa.func.max(_E.number), sa.func.count()).where(of)).one()
    if there >= held.most:
        raise TooMany(f"This tournament is full: it has {held.most} players.")
    row = {"tournament_id": tournament, "guest_id": guest, "number": (number or 0) + 1, "joined": held.round}
    strength = _strength(connection, held, guest)
    connection.execute(sa.insert(s.entrants).values(**row, strength=strength, away=[], at=now))
    if held.state == "running":
        hurry(connection, tournament, now)
    if held.state == "announced" and held.starts_at is not None and held.starts_at - SOON <= now:
        outbox.note(connection, "soon", tournament, [guest], now, at=1)
    found = entry_of(connection, tournament, guest)
    assert found is not None
    return found


def _strength(connection: sa.Connection, tournament: Tournament, guest: str) -> float:
    """Return a guest's rating in the ruleset of a tournament, a newcomer's without one."""
    r = ratings.ratings.c
    ruleset = tournament.options.get(RULESET, "")
    query = sa.select(r.mu).where(r.game == tournament.game, r.ruleset == ruleset, r.player == guest)
    return connection.scalar(query) or START.mu


def _may_return(tournament: Tournament) -> str:
    if tournament.state not in UNDER_WAY:
        return "This tournament is over."
    if tournament.system in ("knock-out", "simultaneous"):
        return "You have left this tournament, so you can't join it again."
    return ""


def leave(connection: sa.Connection, tournament: str, guest: str, *, removed: bool = False) -> bool:
    """Take a guest out of a tournament: before it starts without a trace, unless the organiser has `removed` them.
    Return whether they were in it. A game in progress continues, even without them. Raises NotFound."""
    held = hold(connection, tournament)
    which = (_E.tournament_id == tournament) & (_E.guest_id == guest)
    if held.state == "announced" and not removed:
        return bool(connection.execute(sa.delete(s.entrants).where(which)).rowcount)
    values: dict[str, object] = {"left": sa.func.coalesce(_E.left, held.round)}
    if removed:
        values["removed"] = True
    return bool(connection.execute(sa.update(s.entrants).where(which).values(values)).rowcount)


def begin(connection: sa.Connection, tournament: str, fewest: int, rounds: Callable[[int], int], now: float) -> bool:
    """Start an announced tournament now; return False, and do nothing, with fewer entrants than the `fewest`. `rounds`
    returns the number of rounds for this number of entrants, if its organiser did not say. Repeating it does no harm.
    Errors: NotFound, AlreadyStarted (it is over)."""
    held = hold(connection, tournament)
    if held.state == "running":
        return True
    if held.state != "announced":
        raise AlreadyStarted("This tournament is over.")
    there = number_in(connection, tournament)
    if there < fewest:
        return False
    number = rounds(there) if held.system == "swiss" and not held.rounds else held.rounds
    set_values(connection, tournament, state="running", began=now, due=now, rounds=number)
    return True


def remind(connection: sa.Connection, tournament: str, now: float) -> None:
    """Note for all who take part that a tournament starts soon. Repeating it does no harm."""
    here = connection.scalars(sa.select(_E.guest_id).where(_E.tournament_id == tournament, ~_E.removed))
    outbox.note(connection, "soon", tournament, here, now, at=1)


def end(connection: sa.Connection, tournament: str, state: State, now: float, reason: str = "") -> bool:
    """End a tournament, as over or cancelled for a `reason`, and note that for all who take part; return False if it
    had ended. Raises NotFound."""
    if hold(connection, tournament).state not in UNDER_WAY:
        return False
    set_values(connection, tournament, state=state, ended=now, due=None, reason=reason)
    here = connection.scalars(sa.select(_E.guest_id).where(_E.tournament_id == tournament, ~_E.removed))
    outbox.note(connection, "cancelled" if state == "cancelled" else "ended", tournament, here, now, at=1)
    return True


# Upkeep --------------------------------------------------------------------------------------------
def clear(connection: sa.Connection, now: float) -> None:
    """Delete some tournaments that were cancelled long ago."""
    old = sa.select(_T.id).where(_T.state == "cancelled", _T.ended < now - KEPT_EMPTY).limit(CLEARED)
    connection.execute(sa.delete(s.tournaments).where(_T.id.in_(old)))


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return the tournaments of a person, for their export."""
    organised = connection.execute(sa.select(*COLUMNS).where(_T.organiser == guest).order_by(_T.created, _T.id))
    joined = s.entrants.join(s.tournaments, _T.id == _E.tournament_id)
    entered = connection.execute(
        sa.select(_T.id, _T.name, _T.state, _E.at, _E.left).select_from(joined)
        .where(_E.guest_id == guest).order_by(_E.at, _T.id)
    )  # fmt: skip
    return {
        "tournaments": {
            "organised": [
                {
                    "tournament": row.id, "name": row.name, "game": row.game, "system": row.system,
                    "state": row.state, "made": when(row.created),
                } for row in (Tournament(*row) for row in organised)
            ],
            "joined": [
                {"tournament": one, "name": name, "state": state, "since": when(at), "left": left is not None}
                for one, name, state, at, left in entered
            ],
        }
    }  # fmt: skip


def part(connection: sa.Connection, guest: str) -> None:
    """Remove a person from tournaments: they leave those under way, and their results stay without a name. What they
    organised continues."""
    joined = sa.select(_E.tournament_id).where(_E.guest_id == guest).order_by(_E.tournament_id)
    for tournament in connection.scalars(joined).all():
        leave(connection, tournament, guest)
        which = (_E.tournament_id == tournament) & (_E.guest_id == guest)
        connection.execute(sa.update(s.entrants).where(which).values(guest_id=f"{GONE}{secrets.token_hex(12)}"))
    connection.execute(sa.update(s.tournaments).where(_T.organiser == guest).values(organiser=""))
