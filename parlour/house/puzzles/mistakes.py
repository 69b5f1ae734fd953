"""The mistakes of a person's own games as puzzles: decisions that the stored analyses mark, from the games that they
played last. They are practice and rate no one, because the person has seen how the game went."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from math import sqrt
from typing import Annotated, NamedTuple

import msgspec

from parlour.analysis.evaluation import VERSION, Judgement
from parlour.bots import chances
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.puzzle import Puzzle, Value
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.games import find
from parlour.house.accounts.guests import Guest
from parlour.house.errors import NotFound
from parlour.house.house import House
from parlour.house.puzzles import rows
from parlour.house.puzzles.positions import Position
from parlour.house.puzzles.rows import Which
from parlour.house.table.play.seating import Body

MARKED = ("mistake", "blunder")  # what is asked again
NONE = "There are no mistakes yet. Open the replay of a finished game, and wait for its analysis."


class MistakeBody(Body, frozen=True):
    """An answer to a mistake: the table, the number of steps before the decision, and what to do instead. Without a
    move you give up."""

    table: Annotated[str, msgspec.Meta(max_length=16)]
    step: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    move: Annotated[str, msgspec.Meta(max_length=400)] = ""


class Mistake(NamedTuple):
    """A decision that a person made at a table, and the judgement on it; `current` if it was judged as it would be
    now."""

    table_id: str
    judged: Judgement
    current: bool


async def of(house: House, guest: str) -> list[Mistake]:
    """Return the mistakes of a person's last analysed games, the newest game first. Raises StoreFailed."""
    stored = await house.store.look(partial(rows.analysed, guest=guest))
    return await asyncio.to_thread(_marked, stored)


def _marked(stored: list[rows.Analysed]) -> list[Mistake]:
    """Return the marked decisions of these analyses. An analysis of an older form is passed over."""
    found: list[Mistake] = []
    for one in stored:
        try:
            judged = msgspec.convert(one.judgements, list[Judgement])
        except msgspec.ValidationError:
            continue
        current = one.way.partition("/")[0] == str(VERSION)
        found += [Mistake(one.table_id, it, current) for it in judged if it.seat == one.seat and it.mark in MARKED]
    return found


async def position(house: House, guest: Guest, table_id: str = "", step: int = -1) -> Position:
    """Return a mistake of a guest as a puzzle: this one, or any. Errors: NotFound, StoreFailed, and those of
    `House.look`."""
    every = await of(house, guest.id)
    chosen = [one for one in every if not table_id or (one.table_id, one.judged.step) == (table_id, step)]
    if not chosen:
        raise NotFound(NONE)
    one = random.choice(chosen)
    table, _ = await house.look(one.table_id, guest.id)
    return await asyncio.to_thread(_position, table.game, table.record(reveal=True), one)


def _position(game: Game, record: Record, mistake: Mistake) -> Position:
    one = mistake.judged
    match = replay(record.upto(one.step), find)
    error = one.error / sqrt(2)
    values = (Value(one.other, one.other_chance or one.before, error), Value(one.move, one.after, error))
    steps = tuple(text for _, text in record.steps[: one.step])
    key = f"{mistake.table_id}-{one.step}"
    puzzle = Puzzle(key, one.seat, steps, values, len(match.legal_action_ids()), {})
    known = chances.of_match(match) if mistake.current else None
    holds = chances.holds(known, exact=one.exact)
    return Position(game, Which(game.name, record.options.get(RULESET, "")), puzzle, match, holds)


async def answer(house: House, guest: Guest, body: MistakeBody) -> tuple[Position, str]:
    """Return a mistake, and what the guest would do now as text, "" if they give up. Errors: as `position`,
    InvalidMove, IllegalMove."""
    place = await position(house, guest, body.table, body.step)
    if not body.move:
        return place, ""
    return place, place.game.text.format_action(place.match.state, place.match.parse(body.move, place.seat))
