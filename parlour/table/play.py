"""Making moves. What is decided and the chance that follows are one transaction; only then is anybody told."""

from __future__ import annotations

from typing import Annotated

import msgspec

from parlour.core.errors import MatchOver, MoveError, NotYourTurn
from parlour.core.game import Step
from parlour.core.match import Match
from parlour.table.errors import IdReused, NotPlaying, NotSeated, StaleMove, StoreFailed
from parlour.table.house import House
from parlour.table.passing import behind, mover
from parlour.table.room import Room
from parlour.table.rows import StepRow
from parlour.table.store import Conflict

MAX_MOVE = 400  # characters

ShortId = Annotated[str, msgspec.Meta(max_length=64)]


class MoveBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move: its text, the version it answers, and what the sender calls it (to send it twice in safety)."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_MOVE)]
    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    id: ShortId = ""


async def move(house: House, table: str, guest: str, body: MoveBody) -> int:
    """Make a guest's move; the version it led to. A move that was made already is answered the same again.

    Errors: UnknownTable, NotSeated, NotPlaying, StaleMove (with the version), IdReused, those of `Match.parse`,
    StoreFailed; nothing has changed after any of them.
    """
    async with house.hold(table) as room:
        for _ in range(2):
            try:
                return await _move(house, room, guest, body)
            except Conflict:  # another process was faster: look again
                await house.refresh(room)
        raise StaleMove("Another move came first.", version=room.version_for(room.viewer(guest)))


async def _move(house: House, room: Room, guest: str, body: MoveBody) -> int:
    seat = mover(room, guest, body.version)
    if seat is None:
        raise NotSeated("You do not play at this table.")
    if room.match is None:
        raise NotPlaying("The game has not started yet.")
    now = room.version_for(seat)
    at = room.place(seat, body.version) if body.version < now else room.version
    made = room.with_id(seat, body.id)
    if made is not None:
        if made == at and _same(room, made, seat, body.move):
            return room.answered(made, seat)
        raise IdReused(f"The id {body.id!r} was used for another move.", version=now)
    if body.version != now:
        if at < room.version and _same(room, at, seat, body.move):
            return room.answered(at, seat)
        raise StaleMove(f"This move answers position {body.version}; the game is at {now}.", version=now)
    if room.over:
        raise MatchOver("The game is over; no more moves are made.")
    if behind(room, guest) is not None:
        raise NotYourTurn("The device was passed on: the curtain is to be lifted first.")
    return await make_move(house, room, seat, body.move, body.id)


async def make_move(house: House, room: Room, seat: int, move: str | int, move_id: str = "") -> int:
    """Make a move at a table that is held, and draw the chance after it; the seat's version. Conflict, StoreFailed.

    Where somebody may be asked in secret the draw is left to `asking`: it comes after the same time in any case.
    """
    trial = room.fork()
    steps = [trial.step(trial.parse(move, seat))]
    if not room.game.may_ask(trial.state):
        steps += trial.draw()
    await _write(house, room, trial, steps, move_id)
    return room.version_for(seat)


async def draw(house: House, room: Room) -> None:
    """Draw the chance that is due at a table that is held. Conflict, StoreFailed."""
    trial = room.fork()
    await _write(house, room, trial, trial.draw())


async def _write(house: House, room: Room, trial: Match, steps: list[Step], move_id: str = "") -> None:
    """Write down what was tried, then let it be so."""
    start = room.version
    rows = [StepRow(start + i, *step) for i, step in enumerate(trial.steps[-len(steps) :])]
    rows[0] = rows[0]._replace(move_id=move_id)
    try:
        await house.store.append(room.id, rows, over=trial.over)
    except StoreFailed:
        room.doubtful = True  # a connection lost at the commit leaves open whether it was made
        raise
    room.adopt(trial, steps, rows)
    house.announce(room)


def _same(room: Room, index: int, seat: int, text: str) -> bool:
    """Whether the step at `index` is this seat's move of this text, in other words perhaps."""
    step = room.history[index]
    if step.actor != seat:
        return False
    try:
        return room.game.read_action(step.before, text) == step.action
    except MoveError:
        return False
