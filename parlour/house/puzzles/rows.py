"""People's answers to puzzles, and the ratings that follow from them: plain functions of a connection, as in `queries`.

A puzzle is an opponent: an answer is a game between a person and a puzzle, rated as games between people are
(`analysis.skill`). Only a person's first answer to a puzzle counts, so no one gains by answering again.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from parlour.analysis.skill import Skill, meet
from parlour.house.analysis import schema as analyses
from parlour.house.database import turns
from parlour.house.database.exporting import when
from parlour.house.puzzles import schema as s
from parlour.house.ratings.rows import START, grown
from parlour.house.table.storage import schema as storage

GAMES = 10  # the last ones, whose mistakes are puzzles
_LOCK = 7275471  # the first half of the advisory lock of a ruleset's puzzles


class Which(NamedTuple):
    """A ruleset ("" without rulesets) of a game."""

    game: str
    ruleset: str


class Solver(NamedTuple):
    """How strong a person is at a ruleset's puzzles, how many they tried and solved, and how many in a row."""

    mu: float = START.mu
    sigma: float = START.sigma
    tried: int = 0
    solved: int = 0
    streak: int = 0
    longest: int = 0

    @property
    def skill(self) -> Skill:
        """Their strength."""
        return Skill(self.mu, self.sigma)


class Counted(NamedTuple):
    """What an answer led to: the person before and after it, and the puzzle's strength before and after. `first`: it
    was their first answer, and counts; else nothing has changed, and `right` is what their first one was."""

    first: bool
    right: bool
    before: Solver
    after: Solver
    puzzle: tuple[Skill, Skill]


class Try(NamedTuple):
    """An answer: whose it is, to which puzzle, whether it was the best decision, and when. `day`: the day whose puzzle
    it was, or ""."""

    guest_id: str
    which: Which
    key: str
    right: bool
    at: float
    day: str = ""


_T, _S, _R = s.tries.c, s.solvers.c, s.ratings.c
_SOLVER = [_S[name] for name in Solver._fields]


def solver(connection: sa.Connection, which: Which, guest: str) -> Solver:
    """Return how strong a person is at a ruleset's puzzles, a newcomer if they tried none."""
    row = connection.execute(sa.select(*_SOLVER).where(_of(s.solvers, which), _S.guest_id == guest)).first()
    return Solver() if row is None else Solver(*row)


def solvers(connection: sa.Connection, guest: str) -> dict[Which, Solver]:
    """Return the same for every ruleset whose puzzles the person has tried."""
    rows = connection.execute(sa.select(_S.game, _S.ruleset, *_SOLVER).where(_S.guest_id == guest))
    return {Which(game, ruleset): Solver(*rest) for game, ruleset, *rest in rows}


def tried(connection: sa.Connection, which: Which, guest: str) -> dict[str, bool]:
    """Return the puzzles that a person has tried, by key, and whether their first answer was right."""
    rows = connection.execute(sa.select(_T.key, _T.right).where(_of(s.tries, which), _T.guest_id == guest))
    return {key: bool(right) for key, right in rows}


def ratings(connection: sa.Connection, which: Which) -> dict[str, float]:
    """Return the strength of each puzzle that people have tried, by key."""
    rows = connection.execute(sa.select(_R.key, _R.mu).where(_of(s.ratings, which)))
    return {row.key: row.mu for row in rows}


def days(connection: sa.Connection, guest: str, since: str) -> dict[str, bool]:
    """Return the days since `since` whose puzzle the person answered on the day, and whether it was right."""
    rows = connection.execute(sa.select(_T.day, _T.right).where(_T.guest_id == guest, _T.day >= since, _T.day != ""))
    return {day: bool(right) for day, right in rows}


def count(connection: sa.Connection, one: Try, usual: Skill) -> Counted:
    """Count a person's answer, if it is their first to this puzzle. `usual`: the strength of an untried
    puzzle."""
    turns.take(connection, _LOCK, f"{one.which.game}:{one.which.ruleset}")  # so that each answer sees the one before
    mine, theirs = _of(s.solvers, one.which), _of(s.ratings, one.which)
    earlier = connection.scalar(
        sa.select(_T.right).where(_of(s.tries, one.which), _T.guest_id == one.guest_id, _T.key == one.key)
    )
    before = solver(connection, one.which, one.guest_id)
    row = connection.execute(sa.select(_R.mu, _R.sigma, _R.tried, _R.solved).where(theirs, _R.key == one.key)).first()
    puzzle, tried_, solved = (usual, 0, 0) if row is None else (Skill(row.mu, row.sigma), row.tried, row.solved)
    if earlier is not None:
        return Counted(False, bool(earlier), before, before, (puzzle, puzzle))
    person = grown(one.guest_id, before.skill) if before.tried else before.skill
    if one.right:
        stronger, harder = meet(person, puzzle, won=True)
    else:
        harder, stronger = meet(puzzle, person, won=True)
    streak = before.streak + 1 if one.right else 0
    after = Solver(
        stronger.mu, stronger.sigma, before.tried + 1, before.solved + one.right, streak, max(before.longest, streak)
    )
    of = one.which._asdict()
    connection.execute(sa.insert(s.tries).values(
        guest_id=one.guest_id, **of, key=one.key, at=one.at, right=one.right, day=one.day
    ))  # fmt: skip
    _put(connection, s.solvers, mine & (_S.guest_id == one.guest_id), {"guest_id": one.guest_id, **of}, after._asdict())
    values = {"mu": harder.mu, "sigma": harder.sigma, "tried": tried_ + 1, "solved": solved + one.right}
    _put(connection, s.ratings, theirs & (_R.key == one.key), {"key": one.key, **of}, values)
    return Counted(True, one.right, before, after, (puzzle, harder))


def _of(table: sa.Table, which: Which) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.game == which.game, table.c.ruleset == which.ruleset)


def _put(
    connection: sa.Connection, table: sa.Table, where: sa.ColumnElement[bool], keys: dict[str, str],
    values: dict[str, float],
) -> None:  # fmt: skip
    """Store a row, or a new one."""
    if not connection.execute(sa.update(table).where(where).values(values)).rowcount:
        connection.execute(sa.insert(table).values({**keys, **values}))


class Analysed(NamedTuple):
    """The stored analysis of a finished game, the way in which it was made, and the seat that a person had in it."""

    table_id: str
    seat: int
    way: str
    judgements: object


def analysed(connection: sa.Connection, guest: str) -> list[Analysed]:
    """Return the analyses of the last finished games that a person has played themselves, the newest first."""
    t, seat, a = storage.tables.c, storage.seats.c, analyses.analyses.c
    query = (
        sa.select(t.id, seat.seat, a.way, a.judgements)
        .join(storage.seats, seat.table_id == t.id).join(analyses.analyses, (a.table_id == t.id) & (a.rules == t.rules))
        .where(seat.guest_id == guest, seat.kind == "guest", t.status == "over")
        .order_by(t.touched.desc(), t.id).limit(GAMES)
    )  # fmt: skip
    return [Analysed(*row) for row in connection.execute(query)]


class Played(NamedTuple):
    """A finished game: its table, game and options."""

    table_id: str
    game: str
    options: dict[str, str]


def unanalysed(connection: sa.Connection, guest: str) -> Played | None:
    """Return the last finished game that a person has played themselves, if it has no analysis."""
    t, seat, a = storage.tables.c, storage.seats.c, analyses.analyses.c
    query = (
        sa.select(t.id, t.game, t.options, a.table_id)
        .join(storage.seats, seat.table_id == t.id)
        .outerjoin(analyses.analyses, (a.table_id == t.id) & (a.rules == t.rules))
        .where(seat.guest_id == guest, seat.kind == "guest", t.status == "over")
        .order_by(t.touched.desc(), t.id).limit(1)
    )  # fmt: skip
    row = connection.execute(query).first()
    return Played(*row[:3]) if row is not None and row[3] is None else None


# What is theirs ---------------------------------------------------------------------------------------
def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a person's answers and ratings, for their export."""
    rows = connection.execute(sa.select(s.tries).where(_T.guest_id == guest).order_by(_T.at, _T.key))
    return {
        "puzzles": {
            "ratings": [
                {"game": which.game, "ruleset": which.ruleset, **one._asdict()}
                for which, one in sorted(solvers(connection, guest).items())
            ],
            "answers": [
                {
                    "game": row.game, "ruleset": row.ruleset, "puzzle": row.key, "at": when(row.at),
                    "right": bool(row.right), "day": row.day,
                } for row in rows
            ],
        }
    }  # fmt: skip


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Give a guest's answers to the account that they sign in to. Where it has its own, those count."""
    for table, keys in ((s.tries, ("game", "ruleset", "key")), (s.solvers, ("game", "ruleset"))):
        own = table.alias("own")
        same = [own.c[key] == table.c[key] for key in keys]
        has = sa.select(own.c.guest_id).where(own.c.guest_id == person, *same).correlate(table).exists()
        connection.execute(sa.delete(table).where(table.c.guest_id == guest, has))
        connection.execute(sa.update(table).where(table.c.guest_id == guest).values(guest_id=person))


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a person's answers and ratings. What they told of puzzles stays in the puzzles' ratings."""
    for table in (s.tries, s.solvers):
        connection.execute(sa.delete(table).where(table.c.guest_id == guest))
