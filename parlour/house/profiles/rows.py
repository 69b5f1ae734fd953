"""What people show of themselves: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.core.achieving import Achieved
from parlour.house.accounts import schema as accounts
from parlour.house.database.exporting import when
from parlour.house.errors import TooMany
from parlour.house.profiles import schema as s
from parlour.house.ratings.results import GAMES, IN_PERSON, ME, RESULT, Result, Wanted, their_own
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.queries import RULESET_OF, named_at
from parlour.house.table.storage.rows import AWAY, LESSON

MOST_MOMENTS = 6  # that one person may have pinned
MOST_GAMES = 2_000  # whose days and results count for streaks: the last ones
KEPT = 400 * 86400.0  # seconds for which a picture is kept that a guest without a name chose: as long as a cookie

_T, _M, _A = storage.tables.c, s.moments.c, s.achievements.c
_CHOOSE = sa.text(
    "INSERT INTO pictures (guest_id, picture, chosen) VALUES (:guest, :picture, :now)"
    " ON CONFLICT (guest_id) DO UPDATE SET picture = :picture, chosen = :now"
)
_PIN = sa.text(
    "INSERT INTO moments (guest_id, table_id, place, pinned) VALUES (:guest, :table, :place, :now)"
    " ON CONFLICT DO NOTHING"
)
_JUDGE = sa.text(
    "INSERT INTO judged (table_id, mark) VALUES (:table, :mark) ON CONFLICT (table_id) DO UPDATE SET mark = :mark"
)


class Moment(NamedTuple):
    """A pinned position: `place` is how many entries the journal had then; `public`: the game was listed."""

    table_id: str
    place: int
    game: str
    ruleset: str
    public: bool
    names: tuple[str, ...]
    pinned: float


class Earned(NamedTuple):
    """An achievement of a person: where they first earned it, when that game ended, and in how many games they did."""

    game: str
    key: str
    table_id: str
    place: int
    at: float
    times: int


# Pictures ------------------------------------------------------------------------------------------
def pictures(connection: sa.Connection, guests: Collection[str]) -> dict[str, str]:
    """Return the pictures that some of these guests have chosen."""
    query = sa.select(s.pictures.c.guest_id, s.pictures.c.picture).where(s.pictures.c.guest_id.in_(guests))
    return {row.guest_id: row.picture for row in connection.execute(query)}


def choose(connection: sa.Connection, guest: str, picture: str, now: float) -> None:
    """Store a guest's picture, and count a change at the unfinished tables that show it."""
    connection.execute(_CHOOSE, {"guest": guest, "picture": picture, "now": now})
    shown = _T.id.in_(named_at(connection, guest))
    connection.execute(sa.update(storage.tables).where(shown).values(changes=_T.changes + 1))


def clear(connection: sa.Connection, now: float) -> int:
    """Delete pictures so old that no cookie knows the guest any more, unless they have a name; return how many."""
    c, named = s.pictures.c, sa.select(accounts.guests.c.id)
    return connection.execute(sa.delete(s.pictures).where(c.chosen < now - KEPT, c.guest_id.not_in(named))).rowcount


def since(connection: sa.Connection, guest: str) -> float:
    """Return when a guest made their account, 0 without one."""
    c = accounts.people.c
    return connection.scalar(sa.select(c.created).where(c.id == guest)) or 0.0


# Moments -------------------------------------------------------------------------------------------
def moments(connection: sa.Connection, guest: str, *, public: bool = False) -> list[Moment]:
    """Return the moments that a guest has pinned, the last first; `public`: of games that anyone may see."""
    query = sa.select(_T.id, _M.place, _T.game, RULESET_OF, _T.public, _T.names, _M.pinned).join_from(
        s.moments, storage.tables, _T.id == _M.table_id
    )
    query = query.where(_M.guest_id == guest, *([_T.public] if public else []))
    rows = connection.execute(query.order_by(_M.pinned.desc(), _M.table_id, _M.place))
    return [Moment(*row[:5], tuple(row[5]), row[6]) for row in rows]


def pin(connection: sa.Connection, guest: str, table_id: str, place: int, now: float) -> None:
    """Pin a moment; one that is pinned already stays. Raises TooMany."""
    mine = {(one.table_id, one.place) for one in moments(connection, guest)}
    if len(mine) >= MOST_MOMENTS and (table_id, place) not in mine:
        raise TooMany(f"You have pinned {MOST_MOMENTS} moments, which is the limit. Remove one under You (/me) first.")
    connection.execute(_PIN, {"guest": guest, "table": table_id, "place": place, "now": now})


def unpin(connection: sa.Connection, guest: str, table_id: str, place: int) -> None:
    """Remove a moment, if it is pinned."""
    which = (_M.guest_id == guest) & (_M.table_id == table_id) & (_M.place == place)
    connection.execute(sa.delete(s.moments).where(which))


# Achievements --------------------------------------------------------------------------------------
def keep(connection: sa.Connection, table_id: str, mark: str, found: Sequence[Achieved]) -> None:
    """Store what was achieved in a game, in place of what was stored before. Seats in which a bot played at any time
    are left out, as it is not known who achieved it."""
    j = storage.steps.c
    away = set(connection.scalars(sa.select(j.actor).where(j.table_id == table_id, j.action == AWAY)))
    connection.execute(sa.delete(s.achievements).where(_A.table_id == table_id))
    rows = [
        {"table_id": table_id, "seat": one.seat, "key": one.key, "place": one.steps}
        for one in found
        if one.seat not in away
    ]
    if rows:
        connection.execute(sa.insert(s.achievements), rows)
    connection.execute(_JUDGE, {"table": table_id, "mark": mark})


def is_judged(connection: sa.Connection, table_id: str, mark: str) -> bool:
    """Return whether a game's achievements are known, by this mark of the list."""
    return connection.scalar(sa.select(s.judged.c.mark).where(s.judged.c.table_id == table_id)) == mark


def unjudged(connection: sa.Connection, guest: str, marks: Mapping[str, str], most: int) -> list[str]:
    """Return a person's finished games whose achievements are not known, by these marks of games, up to this many."""
    games = {game: mark for game, mark in marks.items() if mark}
    if not games:
        return []
    sat = sa.select(storage.seats.c.table_id).where(storage.seats.c.guest_id == guest)
    done = s.judged.c.mark == sa.case(games, value=_T.game)
    query = (
        sa.select(_T.id)
        .outerjoin_from(storage.tables, s.judged, (s.judged.c.table_id == _T.id) & done)
        .where(_T.id.in_(sat), _T.status == "over", _T.game.in_(games), s.judged.c.table_id.is_(None), COUNTS)
    )
    return list(connection.scalars(query.order_by(_T.touched.desc(), _T.id).limit(most)))


COUNTS = sa.and_(_T.given == 0, _T.playtest == "", _T.origin != LESSON)  # games in which something can be achieved


def earned(connection: sa.Connection, wanted: Wanted) -> list[Earned]:
    """Return what a person has achieved, each achievement once, with the game in which they did first."""
    kind = (_T.game, _A.key)
    every = (
        sa.select(
            _T.game, _A.key, _T.id, _A.place, _T.touched, sa.func.count().over(partition_by=kind).label("times"),
            sa.func.row_number().over(partition_by=kind, order_by=(_T.touched, _T.id)).label("number"),
        )
        .select_from(GAMES.join(s.achievements, (_A.table_id == ME.c.table_id) & (_A.seat == ME.c.seat)))
        .where(their_own(wanted), IN_PERSON, ME.c.kind == "guest", _T.status == "over")
        .subquery()
    )  # fmt: skip
    first = sa.select(*[one for one in every.c if one.name != "number"]).where(every.c.number == 1)
    return [Earned(*row) for row in connection.execute(first.order_by(every.c.touched, every.c.id))]


def firsts(connection: sa.Connection, table_id: str) -> list[tuple[int, str]]:
    """Return what was achieved at a table by people who had not achieved it in any game that ended before: seat and
    key."""
    own, earlier, sat = storage.seats, s.achievements.alias("earlier"), storage.seats.alias("sat")
    then, here = storage.tables.alias("then"), storage.tables
    before = (
        sa.select(earlier.c.key)
        .join_from(earlier, sat, (sat.c.table_id == earlier.c.table_id) & (sat.c.seat == earlier.c.seat))
        .join(then, then.c.id == earlier.c.table_id)
        .where(sat.c.guest_id == own.c.guest_id, sat.c.kind == "guest", sa.not_(sat.c.program))
        .where(earlier.c.key == _A.key, then.c.game == _T.game, then.c.id != _T.id, then.c.touched <= _T.touched)
    )
    query = (
        sa.select(_A.seat, _A.key)
        .join_from(s.achievements, own, (own.c.table_id == _A.table_id) & (own.c.seat == _A.seat))
        .join(here, _T.id == _A.table_id)
        .where(_A.table_id == table_id, own.c.kind == "guest", sa.not_(own.c.program), sa.not_(before.exists()))
        .order_by(_A.seat, _A.place, _A.key)
    )
    return [(seat, key) for seat, key in connection.execute(query)]


# Streaks -------------------------------------------------------------------------------------------
def finished(connection: sa.Connection, wanted: Wanted) -> list[tuple[float, Result]]:
    """Return when a person's last games ended, and how, in order."""
    query = sa.select(_T.touched, RESULT).select_from(GAMES).where(their_own(wanted), IN_PERSON, _T.status == "over")
    rows = connection.execute(query.order_by(_T.touched.desc(), _T.id).limit(MOST_GAMES)).all()
    return [(at, result) for at, result in reversed(rows)]


# What is theirs ------------------------------------------------------------------------------------
def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a person's picture, moments and achievements, for their export."""
    return {
        "picture": pictures(connection, [guest]).get(guest),
        "moments": [
            {"table": one.table_id, "game": one.game, "entry": one.place, "pinned": when(one.pinned)}
            for one in moments(connection, guest)
        ],
        "achievements": [
            {"game": one.game, "achievement": one.key, "table": one.table_id, "since": when(one.at), "games": one.times}
            for one in earned(connection, Wanted(guest))
        ],
    }


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's picture and moments to a person's account: a picture if it has none, and the moments for which it
    has room, the last first."""
    if pictures(connection, [person]):
        connection.execute(sa.delete(s.pictures).where(s.pictures.c.guest_id == guest))
    connection.execute(sa.update(s.pictures).where(s.pictures.c.guest_id == guest).values(guest_id=person))
    room = MOST_MOMENTS - len(moments(connection, person))
    for one in moments(connection, guest)[: max(room, 0)]:
        values = {"guest": person, "table": one.table_id, "place": one.place, "now": one.pinned}
        connection.execute(_PIN, values)
    connection.execute(sa.delete(s.moments).where(_M.guest_id == guest))


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's picture and moments. Their achievements belong to seats, which no one has any more."""
    connection.execute(sa.delete(s.pictures).where(s.pictures.c.guest_id == guest))
    connection.execute(sa.delete(s.moments).where(_M.guest_id == guest))
