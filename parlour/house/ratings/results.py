"""The outcomes of people's games: plain functions of a connection, as in `queries`.

Outcomes follow from steps. They are stored so that hundreds of games can be counted without a replay.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings import schema as s
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.queries import RULESET_OF, UNDER_WAY
from parlour.house.table.storage.rows import Ends
from parlour.house.today import rows as today_rows
from parlour.house.tournaments import boards

PAGE = 20  # games in one answer
OPPONENTS = 16  # people and bots one is compared with at once: those one played with most
Result = Literal["won", "shared", "lost", "left", "running", "closed", "unknown"]
# left: a bot played on to the end; closed: it ended early, without a result; unknown: not worked out, or cannot be


class Outcome(NamedTuple):
    """How a game ended for a seat: its share of the win and its score, None if unknown."""

    share: float | None
    score: int | None


class Played(NamedTuple):
    """A person's game. `names` by seat, "" for a free one; `ends` as in a `Listing`."""

    id: str
    game: str
    ruleset: str
    status: str
    public: bool
    touched: float
    seat: int
    result: Result
    names: tuple[str, ...] = ()
    ends: Ends = ()


class Tally(NamedTuple):
    """How many games of a ruleset ended in this way."""

    game: str
    ruleset: str
    result: Result
    games: int


class Met(NamedTuple):
    """An opponent in finished games, or a bot of a level (`level` of a bot, "" of a person): in how many games one was
    ahead of them, or behind."""

    guest_id: str
    level: str
    name: str | None
    claimed: bool
    games: int
    ahead: int
    behind: int


class Versus(NamedTuple):
    """How a person did in games of a ruleset against another: in how many they were ahead, or behind."""

    game: str
    ruleset: str
    games: int
    ahead: int
    behind: int


class Wanted(NamedTuple):
    """Whose games, and which of them. `public`: only games that anyone may see: finished and listed."""

    guest: str
    game: str = ""
    ruleset: str = ""
    result: str = ""
    public: bool = False


_T, _O = storage.tables.c, s.outcomes.c
ME = storage.seats.alias("me")
RESULT = sa.case(
    (_T.status.in_(UNDER_WAY), "running"),
    (_T.status == "closed", "closed"),
    (ME.c.kind == "bot", "left"),
    (_O.share.is_(None), "unknown"),
    (_O.share > 0.999, "won"),
    (_O.share > 0, "shared"),
    else_="lost",
)
IN_PERSON = sa.not_(ME.c.program)  # what a person's programs play is in no statistics of theirs
GAMES = storage.tables.join(ME, ME.c.table_id == _T.id).outerjoin(
    s.outcomes, (_O.table_id == ME.c.table_id) & (_O.seat == ME.c.seat)
)


def their_own(wanted: Wanted) -> sa.ColumnElement[bool]:
    """Return the condition for a person's own seat at each table, not those that others play on their device."""
    own = storage.seats.alias("own")
    first = sa.select(sa.func.min(own.c.seat)).where(
        own.c.table_id == ME.c.table_id, own.c.guest_id == wanted.guest, own.c.kind != "here"
    )
    found = [ME.c.guest_id == wanted.guest, ME.c.seat == first.correlate(ME).scalar_subquery()]
    if wanted.public:
        found += [_T.public, _T.status == "over"]
    if wanted.game:
        found += [_T.game == wanted.game]
    if wanted.ruleset:
        found += [RULESET_OF.in_([wanted.ruleset])]
    if wanted.result:
        found += [RESULT.in_([wanted.result])]
    return sa.and_(*found)


def games(connection: sa.Connection, wanted: Wanted, page: int) -> tuple[int, list[Played]]:
    """Return the number of games, and a page of them, from 0, the last changed first."""
    which = their_own(wanted)
    total = connection.scalar(sa.select(sa.func.count()).select_from(GAMES).where(which)) or 0
    query = sa.select(
        _T.id, _T.game, RULESET_OF, _T.status, _T.public, _T.touched, ME.c.seat, RESULT, _T.names
    ).select_from(GAMES)
    rows = connection.execute(
        query.where(which).order_by(_T.touched.desc(), _T.id).limit(PAGE).offset(page * PAGE)
    ).all()
    c = storage.seats.c
    sat: dict[str, list[str]] = {}
    there = sa.case((c.kind == "link", ""), else_=c.name)  # an invited player has not sat there
    seats = sa.select(c.table_id, there).where(c.table_id.in_([row[0] for row in rows])).order_by(c.table_id, c.seat)
    for table, name in connection.execute(seats):
        sat.setdefault(table, []).append(name)
    ended = ends(connection, [row[0] for row in rows])
    return total, [Played(*row[:-1], tuple(row[-1] or sat.get(row[0], ())), ended.get(row[0], ())) for row in rows]


def ends(connection: sa.Connection, tables: Sequence[str]) -> dict[str, Ends]:
    """Return how these games ended, of those whose outcomes are stored."""
    found: dict[str, Ends] = {}
    query = sa.select(_O.table_id, _O.share, _O.score).where(_O.table_id.in_(tables))
    for table_id, share, score in connection.execute(query.order_by(_O.table_id, _O.seat)):
        found[table_id] = (*found.get(table_id, ()), (share, score))
    return found


def tallies(connection: sa.Connection, wanted: Wanted) -> list[Tally]:
    """Return how many games of each ruleset ended how."""
    query = sa.select(_T.game, RULESET_OF, RESULT, sa.func.count()).select_from(GAMES)
    query = query.where(their_own(wanted), IN_PERSON)
    return [Tally(*row) for row in connection.execute(query.group_by(_T.game, RULESET_OF, RESULT))]


def met(connection: sa.Connection, wanted: Wanted) -> list[Met]:
    """Return the people and bots with whom a person finished the most games, both to the end. Of several bots of a
    level, the one that did best counts."""
    c = (each := _met(wanted)).c
    query = sa.select(c.guest_id, c.level, sa.func.max(c.name), sa.func.max(c.known), *_standing(each)).group_by(
        c.guest_id, c.level
    )
    rows = connection.execute(query.order_by(sa.func.count().desc(), c.guest_id, c.level).limit(OPPONENTS))
    return [Met(guest, level, name, bool(known), *counts) for guest, level, name, known, *counts in rows]


def between(connection: sa.Connection, wanted: Wanted, other: str) -> list[Versus]:
    """Return how a person did against another guest, by ruleset, the most played first."""
    c = (each := _met(wanted, other)).c
    query = sa.select(c.game, c.ruleset, *_standing(each)).group_by(c.game, c.ruleset)
    rows = connection.execute(query.order_by(sa.func.count().desc(), c.game, c.ruleset))
    return [Versus(*row) for row in rows]


def _met(wanted: Wanted, other: str = "") -> sa.Subquery:
    """Return a row for each game that a person finished with another player, or with an `other` guest: both shares."""
    they, theirs = storage.seats.alias("they"), s.outcomes.alias("theirs")
    joined = (
        GAMES.join(they, they.c.table_id == _T.id)
        .outerjoin(theirs, (theirs.c.table_id == they.c.table_id) & (theirs.c.seat == they.c.seat))
        .outerjoin(accounts.guests, accounts.guests.c.id == they.c.guest_id)
        .outerjoin(accounts.people, accounts.people.c.id == they.c.guest_id)
    )
    person = (they.c.kind == "guest") & they.c.guest_id.not_in(["", wanted.guest])
    bot = (they.c.kind == "bot") & (they.c.guest_id == "")
    which = person & (they.c.guest_id == other) if other else person | bot
    both = sa.and_(their_own(wanted), IN_PERSON, _T.status == "over", ME.c.kind == "guest", which)
    level = sa.case((bot, they.c.bot), else_="")
    return (
        sa.select(
            they.c.guest_id, level.label("level"), sa.func.max(accounts.guests.c.name).label("name"),
            sa.func.count(accounts.people.c.id).label("known"), sa.func.max(_O.share).label("mine"),
            sa.func.max(theirs.c.share).label("theirs"), sa.func.max(_T.game).label("game"),
            sa.func.max(RULESET_OF).label("ruleset"),
        ).select_from(joined).where(both).group_by(_T.id, they.c.guest_id, level).subquery()
    )  # fmt: skip


def _standing(each: sa.Subquery) -> tuple[sa.ColumnElement[int], ...]:
    """Return the columns that count games, and those in which one was ahead or behind."""

    def times(which: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
        return sa.func.sum(sa.case((which, 1), else_=0))

    return sa.func.count(), times(each.c.mine > each.c.theirs), times(each.c.mine < each.c.theirs)


def unknown(connection: sa.Connection, guest: str, most: int) -> list[str]:
    """Return a person's finished games without a stored outcome, up to this many."""
    looked = sa.select(_O.table_id)
    sat = sa.select(storage.seats.c.table_id).where(storage.seats.c.guest_id == guest)
    query = sa.select(_T.id).where(_T.id.in_(sat), _T.status == "over", _T.id.not_in(looked))
    return list(connection.scalars(query.order_by(_T.touched.desc()).limit(most)))


def has_outcome(connection: sa.Connection, table_id: str) -> bool:
    """Return whether a game's outcome is stored."""
    return connection.scalar(sa.select(_O.seat).where(_O.table_id == table_id).limit(1)) is not None


def keep_outcomes(
    connection: sa.Connection, table_id: str, outcomes: Sequence[Outcome], marks: Sequence[str] = ()
) -> None:
    """Store how a finished game ended, by seat; for a rated one, also its effect on ratings; for one of the day, the
    person's result, with the `marks` of each seat; for one of a tournament, its result there. Raises IntegrityError if
    that is stored already, so that nothing counts twice."""
    rows = [{"table_id": table_id, "seat": seat, **one._asdict()} for seat, one in enumerate(outcomes)]
    connection.execute(sa.insert(s.outcomes), rows)
    rating_rows.count(connection, table_id, [one.share for one in outcomes], time.time())
    today_rows.finish(connection, table_id, outcomes, marks)
    boards.finish(connection, table_id, outcomes)
