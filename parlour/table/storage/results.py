"""How people's games went: plain functions of a connection, as in `queries`.

Outcomes follow from steps. They are kept so that hundreds of games can be counted without being played again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from parlour.core.facts import RULESET
from parlour.table.storage import ratings
from parlour.table.storage import schema as s
from parlour.table.storage.queries import UNDER_WAY

PAGE = 20  # games in one answer
OPPONENTS = 12  # people one is compared with at once: those one played with most
Result = Literal["won", "shared", "lost", "left", "running", "closed", "unknown"]
# left: a bot played on to the end; closed: it ended early, without a result; unknown: not worked out, or cannot be


class Outcome(NamedTuple):
    """How a game ended for a seat: its share of the win and its score, None where nobody can tell."""

    share: float | None
    score: int | None


class Played(NamedTuple):
    """A game of somebody's. `names` by seat, "" for a free one."""

    id: str
    game: str
    ruleset: str
    status: str
    public: bool
    touched: float
    seat: int
    result: Result
    names: tuple[str, ...] = ()


class Tally(NamedTuple):
    """So many games of a ruleset ended so."""

    game: str
    ruleset: str
    result: Result
    games: int


class Met(NamedTuple):
    """Somebody one has finished games with: in so many games one was ahead of them, or behind."""

    guest_id: str
    name: str | None
    claimed: bool
    games: int
    ahead: int
    behind: int


class Wanted(NamedTuple):
    """Whose games, and which of them. `public`: only those that anybody may be told of: finished and listed."""

    guest: str
    game: str = ""
    ruleset: str = ""
    result: str = ""
    public: bool = False


_T, _O = s.tables.c, s.outcomes.c
_ME = s.seats.alias("me")
_RULES = sa.func.coalesce(_T.options[RULESET].as_string(), "")
_RESULT = sa.case(
    (_T.status.in_(UNDER_WAY), "running"),
    (_T.status == "closed", "closed"),
    (_ME.c.kind == "bot", "left"),
    (_O.share.is_(None), "unknown"),
    (_O.share > 0.999, "won"),
    (_O.share > 0, "shared"),
    else_="lost",
)
_GAMES = s.tables.join(_ME, _ME.c.table_id == _T.id).outerjoin(
    s.outcomes, (_O.table_id == _ME.c.table_id) & (_O.seat == _ME.c.seat)
)


def _which(wanted: Wanted) -> sa.ColumnElement[bool]:
    """One's own seat at each table: not those that others play on one's device."""
    own = s.seats.alias("own")
    first = sa.select(sa.func.min(own.c.seat)).where(
        own.c.table_id == _ME.c.table_id, own.c.guest_id == wanted.guest, own.c.kind != "here"
    )
    found = [_ME.c.guest_id == wanted.guest, _ME.c.seat == first.correlate(_ME).scalar_subquery()]
    if wanted.public:
        found += [_T.public, _T.status == "over"]
    if wanted.game:
        found += [_T.game == wanted.game]
    if wanted.ruleset:
        found += [_RULES.in_([wanted.ruleset])]
    if wanted.result:
        found += [_RESULT.in_([wanted.result])]
    return sa.and_(*found)


def games(connection: sa.Connection, wanted: Wanted, page: int) -> tuple[int, list[Played]]:
    """How many games there are, and those of one page, from 0; the last one touched comes first."""
    which = _which(wanted)
    total = connection.scalar(sa.select(sa.func.count()).select_from(_GAMES).where(which)) or 0
    query = sa.select(
        _T.id, _T.game, _RULES, _T.status, _T.public, _T.touched, _ME.c.seat, _RESULT, _T.names
    ).select_from(_GAMES)
    rows = connection.execute(
        query.where(which).order_by(_T.touched.desc(), _T.id).limit(PAGE).offset(page * PAGE)
    ).all()
    c = s.seats.c
    sat: dict[str, list[str]] = {}
    seats = sa.select(c.table_id, c.name).where(c.table_id.in_([row[0] for row in rows])).order_by(c.table_id, c.seat)
    for table, name in connection.execute(seats):
        sat.setdefault(table, []).append(name)
    return total, [Played(*row[:-1], tuple(row[-1] or sat.get(row[0], ()))) for row in rows]


def tallies(connection: sa.Connection, wanted: Wanted) -> list[Tally]:
    """How many games of each ruleset ended how."""
    query = sa.select(_T.game, _RULES, _RESULT, sa.func.count()).select_from(_GAMES).where(_which(wanted))
    return [Tally(*row) for row in connection.execute(query.group_by(_T.game, _RULES, _RESULT))]


def met(connection: sa.Connection, wanted: Wanted) -> list[Met]:
    """The people with whom somebody finished most games, both to the end."""
    they, theirs = s.seats.alias("they"), s.outcomes.alias("theirs")
    joined = (
        _GAMES.join(they, they.c.table_id == _T.id)
        .outerjoin(theirs, (theirs.c.table_id == they.c.table_id) & (theirs.c.seat == they.c.seat))
        .outerjoin(s.guests, s.guests.c.id == they.c.guest_id)
        .outerjoin(s.people, s.people.c.id == they.c.guest_id)
    )

    def times(which: sa.ColumnElement[bool]) -> sa.ColumnElement[Any]:
        return sa.func.sum(sa.case((which, 1), else_=0))

    number = sa.func.count()
    query = sa.select(
        they.c.guest_id, sa.func.max(s.guests.c.name), sa.func.count(s.people.c.id), number,
        times(_O.share > theirs.c.share), times(_O.share < theirs.c.share),
    ).select_from(joined)  # fmt: skip
    both = sa.and_(_which(wanted), _T.status == "over", _ME.c.kind == "guest", they.c.kind == "guest")
    query = query.where(both, they.c.guest_id.not_in(["", wanted.guest])).group_by(they.c.guest_id)
    rows = connection.execute(query.order_by(number.desc(), they.c.guest_id).limit(OPPONENTS))
    return [Met(guest, name, bool(known), count, ahead, behind) for guest, name, known, count, ahead, behind in rows]


def unknown(connection: sa.Connection, guest: str, most: int) -> list[str]:
    """Finished games of somebody's whose outcome has not been worked out, up to so many."""
    looked = sa.select(_O.table_id)
    sat = sa.select(s.seats.c.table_id).where(s.seats.c.guest_id == guest)
    query = sa.select(_T.id).where(_T.id.in_(sat), _T.status == "over", _T.id.not_in(looked))
    return list(connection.scalars(query.order_by(_T.touched.desc()).limit(most)))


def has_outcome(connection: sa.Connection, table_id: str) -> bool:
    """Whether a game's outcome is kept."""
    return connection.scalar(sa.select(_O.seat).where(_O.table_id == table_id).limit(1)) is not None


def keep_outcomes(connection: sa.Connection, table_id: str, outcomes: Sequence[Outcome]) -> None:
    """Keep how a finished game ended, by seat; of a rated one, what that says of how strong its players are. Raises
    IntegrityError where that is kept: so nothing is rated twice."""
    rows = [{"table_id": table_id, "seat": seat, **one._asdict()} for seat, one in enumerate(outcomes)]
    connection.execute(sa.insert(s.outcomes), rows)
    ratings.count(connection, table_id, [one.share for one in outcomes], time.time())
