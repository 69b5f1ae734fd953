"""What people do with puzzles: get the next one, and answer it.

No answer needs a search: the files say what each decision is worth. The server keeps what leads to a position, and
says what is best only once the person has answered.
"""

from __future__ import annotations

import asyncio
import random
import time
from functools import partial
from typing import Annotated, NamedTuple

import msgspec
import sqlalchemy as sa

from parlour.analysis.skill import MIDDLE, SCALE, Skill, points
from parlour.core.game import Game
from parlour.core.puzzle import Collection, Puzzle
from parlour.games import find
from parlour.house.accounts.guests import Guest
from parlour.house.database.store import Conflict
from parlour.house.errors import Busy
from parlour.house.house import House
from parlour.house.puzzles import positions, rows
from parlour.house.puzzles.positions import Of, Position
from parlour.house.puzzles.rows import Counted, Solver, Try, Which
from parlour.house.table.play.seating import Body
from parlour.house.today.rows import day_of, moved, ordinal

LEVELS = 120.0  # rating points by which a puzzle's first rating, which follows from bots, may be wrong
NEAR = 12  # puzzles next to a person's rating, of which one comes next
STREAK = 400  # days that a streak can have
TRIES = 3  # when others answer at the same time


class TryBody(Body, frozen=True):
    """An answer to a puzzle of a game and ruleset (the first by default). Without a move you give up."""

    game: str
    key: Annotated[str, msgspec.Meta(max_length=16)]
    move: Annotated[str, msgspec.Meta(max_length=400)] = ""
    ruleset: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Daily(NamedTuple):
    """The puzzle of a day; every house with the same games has the same."""

    of: Of
    puzzle: Puzzle
    day: str


class Days(NamedTuple):
    """A person's puzzles of the day: whether today's was right (None: not tried), and the days in a row on which it
    was, up to today or yesterday."""

    today: bool | None
    streak: int


class Answered(NamedTuple):
    """An answer: the position, the move as it was understood ("" when the person gave up), whether it is the best, and
    what it led to."""

    position: Position
    move: str
    right: bool
    counted: Counted


def skill_of(puzzle: Puzzle) -> Skill:
    """Return the strength of an untried puzzle, as its file rates it."""
    return Skill(Skill().mu + (puzzle.rating - MIDDLE) / SCALE, LEVELS / SCALE)


def points_of(solver: Solver) -> float:
    """Return a person's rating, as it is shown."""
    return round(points(solver.mu), 1)


def daily(day: str) -> Daily | None:
    """Return the puzzle of a day: each ruleset that has puzzles has its turn. None in a house without puzzles. Call it
    outside the event loop."""
    found = positions.kinds()
    if not found:
        return None
    turn, place = divmod(ordinal(day), len(found))
    return Daily(found[place], found[place].every.of_turn(turn), day)


def days_of(found: dict[str, bool], today: str) -> Days:
    """Return how a person is doing with the puzzles of the day, by the days that they answered."""
    day = today if found.get(today) is not None else moved(today, -1)
    streak = 0
    while found.get(day):
        streak, day = streak + 1, moved(day, -1)
    return Days(found.get(today), streak)


async def days(house: House, guest: str, today: str) -> Days:
    """Return the same from the database. Raises StoreFailed."""
    since = moved(today, -STREAK)
    return days_of(await house.store.look(partial(rows.days, guest=guest, since=since)), today)


async def next_for(house: House, guest: str, game: Game, ruleset: str) -> Position:
    """Return a puzzle for a guest: one of those next to their rating that they have not tried; once all are tried, any.
    It is the same until they have tried one. Errors: UnknownName, NotFound, StoreFailed."""
    every = await asyncio.to_thread(positions.puzzles_of, game, ruleset)
    which = Which(game.name, ruleset or game.rulesets[0])

    def look(connection: sa.Connection) -> tuple[Solver, dict[str, bool], dict[str, float]]:
        return (
            rows.solver(connection, which, guest), rows.tried(connection, which, guest), rows.ratings(connection, which)
        )  # fmt: skip

    solver, tried, rated = await house.store.look(look)
    chosen = chosen_for(every, solver, tried, rated, random.Random(f"{guest} {len(tried)}"))
    return await asyncio.to_thread(positions.position, game, which.ruleset, chosen.key)


def chosen_for(
    every: Collection, solver: Solver, tried: dict[str, bool], rated: dict[str, float], luck: random.Random
) -> Puzzle:
    """Return one of the untried puzzles whose strength is next to the person's."""
    new = [one for one in every.puzzles if one.key not in tried]
    if not new:
        return luck.choice(every.puzzles)
    new.sort(key=lambda one: abs(rated.get(one.key, skill_of(one).mu) - solver.mu))
    return luck.choice(new[:NEAR])


async def answer(house: House, guest: Guest, body: TryBody, now: float | None = None) -> Answered:
    """Take a guest's answer. Only their first one to each puzzle counts. Errors: UnknownGame, UnknownName, NotFound,
    InvalidMove and IllegalMove (nothing has been counted then), StoreFailed."""
    now = time.time() if now is None else now
    game = find(body.game)
    ruleset = body.ruleset or game.rulesets[0]
    place = await asyncio.to_thread(positions.position, game, ruleset, body.key)
    move = ""
    if body.move:
        move = game.text.format_action(place.match.state, place.match.parse(body.move, place.seat))
    today = day_of(now)
    due = await asyncio.to_thread(daily, today)
    mine = due is not None and due.of.which == place.which and due.puzzle.key == body.key
    right = move == place.puzzle.best
    one = Try(guest.id, place.which, body.key, right, now, today if mine else "")
    for _ in range(TRIES):
        try:
            counted = await house.store.do(partial(rows.count, one=one, usual=skill_of(place.puzzle)))
        except Conflict:
            continue
        return Answered(place, move, right, counted)
    raise Busy("Many people are answering right now. Please try again.", wait=1)
