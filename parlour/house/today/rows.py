"""The seeds of days and people's results in today's games: plain functions of a connection, as in `queries`.

A person has one row for each ruleset and day: of the first game that they begin. So no one can begin again after a
look at the cards. The row is filled by the transaction that stores the game's outcome (`ratings.results`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.database.exporting import when
from parlour.house.profiles import schema as profiles
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import AGREED, AWAY, WITHOUT
from parlour.house.today import schema as s

KEPT = 90  # days for which seeds and results are kept
SHOWN = 50  # results on a page
STRIP = 14  # days of a person's own results on a page
CLEARED = 500  # rows deleted in one transaction


class Day(NamedTuple):
    """The seed of a ruleset for a day, and since when its commitment is published."""

    game: str
    ruleset: str
    day: str
    rules: int
    seed: str
    commitment: str
    made: float


class Result(NamedTuple):
    """A person's result. Until the game is over, `done` is None. `ranked`: they played it to the end themselves, before
    the day was over. `status` and `ended` are those of its table, "" if that is gone."""

    game: str
    ruleset: str
    day: str
    guest_id: str
    table_id: str
    began: float
    done: float | None = None
    ranked: bool = False
    share: float | None = None
    score: int | None = None
    margin: int | None = None
    marks: str = ""
    status: str = ""
    ended: str = ""

    @property
    def given_up(self) -> bool:
        """Return whether the person ended the game without a result, or deleted its table."""
        return self.done is None and (not self.status or (self.status == "closed" and self.ended in (AGREED, WITHOUT)))

    @property
    def spoilt(self) -> bool:
        """Return whether the house closed the game, which can't continue under newer rules."""
        return self.done is None and self.status == "closed" and not self.given_up


class Placed(NamedTuple):
    """A ranked result, and whose it is: `name` is that of an account, "" of a guest; `picture` what they chose,
    or None. `equals`: how many results have this rank, with this one."""

    rank: int
    equals: int
    guest_id: str
    name: str
    share: float
    score: int
    margin: int
    marks: str
    picture: str | None


_D, _R = s.days.c, s.results.c
_DAY = [_D[name] for name in Day._fields]
_KEPT = Result._fields[: Result._fields.index("status")]
_RESULT = [
    *(_R[name] for name in _KEPT), sa.func.coalesce(storage.tables.c.status, ""),
    sa.func.coalesce(storage.tables.c.ended, ""),
]  # fmt: skip
_RESULTS = sa.select(*_RESULT).select_from(s.results.outerjoin(storage.tables, storage.tables.c.id == _R.table_id))


# Days ---------------------------------------------------------------------------------------------------
def day_of(now: float) -> str:
    """Return the day in UTC, as 2026-11-28."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def ends(day: str) -> float:
    """Return when a day ends: midnight UTC."""
    after = date.fromisoformat(day) + timedelta(days=1)
    return datetime(after.year, after.month, after.day, tzinfo=UTC).timestamp()


def ordinal(day: str) -> int:
    """Return the number of a day, each one more than the day before."""
    return date.fromisoformat(day).toordinal()


def moved(day: str, by: int) -> str:
    """Return the day this number of days later."""
    return (date.fromisoformat(day) + timedelta(days=by)).isoformat()


def days(connection: sa.Connection, which: Sequence[str]) -> list[Day]:
    """Return what is known of these days, in all rulesets."""
    return [Day(*row) for row in connection.execute(sa.select(*_DAY).where(_D.day.in_(which)))]


def day_in(connection: sa.Connection, game: str, ruleset: str, day: str) -> Day | None:
    """Return a ruleset's day, or None."""
    query = sa.select(*_DAY).where(_D.game == game, _D.ruleset == ruleset, _D.day == day)
    found = connection.execute(query).first()
    return None if found is None else Day(*found)


def put(connection: sa.Connection, some: Sequence[Day]) -> None:
    """Store new days, or their commitments to newer rules. Another process may have been faster (IntegrityError)."""
    for one in some:
        which = (_D.game == one.game) & (_D.ruleset == one.ruleset) & (_D.day == one.day)
        values = {"rules": one.rules, "commitment": one.commitment, "made": one.made}
        if not connection.execute(sa.update(s.days).where(which, _D.seed == one.seed).values(values)).rowcount:
            connection.execute(sa.insert(s.days).values(one._asdict()))


# Results ------------------------------------------------------------------------------------------------
def begin(connection: sa.Connection, result: Result) -> None:
    """Note that a person's game of the day begins, in place of one that the house closed. If they have begun one
    meanwhile, it fails (IntegrityError)."""
    which = _which(result.game, result.ruleset, result.day) & (_R.guest_id == result.guest_id)
    before = connection.execute(_RESULTS.where(which)).first()
    if before is not None and Result(*before).spoilt:
        connection.execute(sa.delete(s.results).where(which))
    connection.execute(sa.insert(s.results).values({name: getattr(result, name) for name in _KEPT}))


def _which(game: str, ruleset: str, day: str) -> sa.ColumnElement[bool]:
    return sa.and_(_R.game == game, _R.ruleset == ruleset, _R.day == day)


def result_of(connection: sa.Connection, game: str, ruleset: str, day: str, guest: str) -> Result | None:
    """Return a person's result of a day, or None if they have not begun."""
    found = connection.execute(_RESULTS.where(_which(game, ruleset, day), _R.guest_id == guest)).first()
    return None if found is None else Result(*found)


def of_day(connection: sa.Connection, guest: str, day: str) -> list[Result]:
    """Return a person's results of a day, in all rulesets."""
    return [Result(*row) for row in connection.execute(_RESULTS.where(_R.guest_id == guest, _R.day == day))]


def lately(connection: sa.Connection, game: str, ruleset: str, guest: str, since: str) -> list[Result]:
    """Return a person's results of a ruleset since a day."""
    which = (_R.game == game) & (_R.ruleset == ruleset) & (_R.guest_id == guest) & (_R.day >= since)
    return [Result(*row) for row in connection.execute(_RESULTS.where(which).order_by(_R.day))]


def counts(connection: sa.Connection, day: str) -> dict[tuple[str, str], int]:
    """Return how many ranked results each ruleset has on a day."""
    query = sa.select(_R.game, _R.ruleset, sa.func.count()).where(_R.day == day, _R.ranked)
    return {(game, ruleset): number for game, ruleset, number in
            connection.execute(query.group_by(_R.game, _R.ruleset))}  # fmt: skip


def placed(
    connection: sa.Connection, game: str, ruleset: str, day: str, guest: str
) -> tuple[list[Placed], Placed | None]:
    """Return the best results of a day, and the person's own, which may be further down. Equal ones share a place."""
    order = (_R.share.desc(), _R.margin.desc(), _R.score.desc())
    name = sa.func.coalesce(sa.case((accounts.people.c.id.is_not(None), accounts.guests.c.name)), "")
    every = (
        sa.select(
            sa.func.rank().over(order_by=order).label("rank"),
            sa.func.count().over(partition_by=(_R.share, _R.margin, _R.score)).label("equals"),
            _R.guest_id, name.label("name"), _R.share, _R.score, _R.margin, _R.marks, _R.done,
            profiles.pictures.c.picture,
        )
        .select_from(
            s.results.outerjoin(accounts.people, accounts.people.c.id == _R.guest_id)
            .outerjoin(accounts.guests, accounts.guests.c.id == _R.guest_id)
            .outerjoin(profiles.pictures, profiles.pictures.c.guest_id == _R.guest_id)
        )
        .where(_which(game, ruleset, day), _R.ranked).subquery()
    )  # fmt: skip
    query = sa.select(*[every.c[name] for name in Placed._fields])
    rows = connection.execute(query.order_by(every.c.rank, every.c.done, every.c.guest_id).limit(SHOWN))
    own = connection.execute(query.where(every.c.guest_id == guest)).first()
    return [Placed(*row) for row in rows], None if own is None else Placed(*own)


def finish(
    connection: sa.Connection, table_id: str, outcomes: Sequence[tuple[float | None, int | None]], marks: Sequence[str]
) -> None:
    """Store the result of a game that is over, if it is the one that counts. `outcomes` are (share, score) by seat.
    It is ranked if no bot ever played for the person, and it ended before the day did."""
    seat = storage.seats.c
    found = connection.execute(
        sa.select(_R.day, seat.seat)
        .join(storage.seats, (seat.table_id == _R.table_id) & (seat.guest_id == _R.guest_id))
        .where(_R.table_id == table_id, _R.done.is_(None))
    ).first()
    if found is None:
        return
    day, mine = found
    step = storage.steps.c
    at = connection.scalar(sa.select(sa.func.max(step.at)).where(step.table_id == table_id)) or 0.0
    helped = connection.scalar(
        sa.select(sa.func.count()).where(step.table_id == table_id, step.actor == mine, step.action == AWAY)
    )
    share, score = outcomes[mine]
    others = [other for place, (_, other) in enumerate(outcomes) if place != mine and other is not None]
    values = {
        "done": at, "share": share, "score": score, "marks": marks[mine] if marks else "",
        "margin": None if score is None or not others else score - max(others),
        "ranked": not helped and share is not None and at < ends(day),
    }  # fmt: skip
    connection.execute(sa.update(s.results).where(_R.table_id == table_id, _R.done.is_(None)).values(values))


def pending(connection: sa.Connection, most: int) -> list[str]:
    """Return finished games whose results are not stored yet, up to this many."""
    t = storage.tables.c
    query = sa.select(t.id).join(s.results, _R.table_id == t.id).where(_R.done.is_(None), t.status == "over")
    return list(connection.scalars(query.order_by(t.touched, t.id).limit(most)))


# Upkeep -------------------------------------------------------------------------------------------------
def clear(connection: sa.Connection, now: float) -> None:
    """Delete some of the days and results that are older than KEPT days."""
    before = moved(day_of(now), -KEPT)
    for table, c in ((s.results, _R), (s.days, _D)):
        keys = [c[column.name] for column in table.primary_key]
        old = connection.execute(sa.select(*keys).where(c.day < before).limit(CLEARED)).all()
        for row in old:
            which = sa.and_(*(key == value for key, value in zip(keys, row, strict=True)))
            connection.execute(sa.delete(table).where(which))


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a person's results, for their export."""
    found = connection.execute(_RESULTS.where(_R.guest_id == guest).order_by(_R.day, _R.game, _R.ruleset))
    return {
        "today": [
            {
                "day": one.day, "game": one.game, "ruleset": one.ruleset, "table": one.table_id,
                "began": when(one.began), "over": None if one.done is None else when(one.done),
                "ranked": one.ranked, "share": one.share, "score": one.score, "margin": one.margin,
                "went": one.marks,
            } for one in (Result(*row) for row in found)
        ]
    }  # fmt: skip


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Give a guest's results to the account that they sign in to. Where it has one of its own, that one counts."""
    own = s.results.alias("own")
    has = sa.select(own.c.day).where(
        own.c.guest_id == person, own.c.game == _R.game, own.c.ruleset == _R.ruleset, own.c.day == _R.day
    )
    connection.execute(sa.delete(s.results).where(_R.guest_id == guest, has.correlate(s.results).exists()))
    connection.execute(sa.update(s.results).where(_R.guest_id == guest).values(guest_id=person))


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a person's results."""
    connection.execute(sa.delete(s.results).where(_R.guest_id == guest))
