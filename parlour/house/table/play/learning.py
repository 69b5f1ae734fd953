"""Learning a game: a table whose game begins with the lesson of its ruleset, and continues with bots."""

from __future__ import annotations

import time

import msgspec

from parlour.core.contract import CHANCE
from parlour.core.course import course
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.lesson import LEARNER
from parlour.games import find
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.table.live.journal import committed
from parlour.house.table.play.seating import PACES, Body, begun, new_id, opened, room_for
from parlour.house.table.play.vacancies import free_seat
from parlour.house.table.storage.rows import LESSON, SeatRow, TableRow


class LessonBody(Body, frozen=True):
    """A game, and one of its rulesets (the first by default)."""

    game: str
    ruleset: str = ""


async def learn(house: House, guest: Guest, body: LessonBody) -> str:
    """Create a table for a lesson and start it; return its id. Errors: UnknownName, BadSetup, TooManyTables."""
    game = find(body.game)
    ruleset = body.ruleset or game.rulesets[0]
    if ruleset not in game.rulesets:
        raise UnknownName(f"{game.name} has no ruleset {body.ruleset!r}.", allowed=game.rulesets)
    found = course(game, ruleset)
    if found is None:
        raise BadSetup(f"{game.text.TITLE} has no lesson.", allowed=game.lessons)
    record = game.lessons[ruleset].record
    row = TableRow(
        id=new_id(), game=game.name, rules=game.rules.VERSION, edition=record.edition, parts=dict(record.parts),
        options=game.recorded(record.options), public=False, pace=PACES["normal"], status="waiting", host=guest.id,
        seed="", commitment="", names=[], words=[], rematch="", created=time.time(),
        touched=time.time(), hints=True, given=len(found.steps), origin=LESSON,
    )  # fmt: skip
    row = committed(row, len(record.names))
    seats = [
        SeatRow(row.id, seat, "guest", guest_id=guest.id, name=guest.name)
        if seat == LEARNER
        else msgspec.structs.replace(free_seat(game, row.id, seat, "bot"), name=name)
        for seat, name in enumerate(record.names)
    ]
    first = next((i for i, (actor, _, _) in enumerate(found.steps) if actor != CHANCE), 0)
    row, steps = begun(row, seats, [action for _, action, _ in found.steps[:first]])
    await room_for(house, guest, row)
    await house.store.create(row, seats, steps)
    await opened(house, row.id, guest)
    return row.id
