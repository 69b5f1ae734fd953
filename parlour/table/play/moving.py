"""Making moves. What is decided and the chance that follows are one transaction; only then is anybody told.

Where somebody may be asked in secret (FT-26) that is two: the decision; and, when the time to answer is over, the
answers and the chance (`settle`). Until then an answer is kept beside the record, and told only to who gave it.
"""

from __future__ import annotations

import time
from typing import Annotated

import msgspec

from parlour.core import asking
from parlour.core.contract import Step
from parlour.core.errors import MatchOver, MoveError, NotYourTurn
from parlour.core.match import Match
from parlour.table.errors import AlreadyAnswered, IdReused, NotPlaying, NotSeated, StaleMove, StoreFailed
from parlour.table.house.house import House
from parlour.table.live.eyes import Eyes, eyes_of
from parlour.table.live.room import Decision, Room
from parlour.table.storage.rows import AnswerRow, StepRow
from parlour.table.storage.store import Conflict

MAX_MOVE = 400  # characters

ShortId = Annotated[str, msgspec.Meta(max_length=64)]


class MoveBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move: its text, the version it answers, and what the sender calls it (to send it twice in safety)."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_MOVE)]
    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    id: ShortId = ""


async def move(house: House, table: str, guest: str, body: MoveBody) -> int:
    """Make a guest's move; the version it led to. A move that was made already is answered the same again.

    Errors: UnknownTable, NotSeated, NotPlaying, StaleMove (with the version), IdReused, AlreadyAnswered, those of
    `Match.parse`, StoreFailed; nothing has changed after any of them.
    """
    async with house.hold(table) as room:
        for _ in range(2):
            try:
                return await _move(house, room, eyes_of(room, guest), body)
            except Conflict:  # another process was faster: look again
                await house.refresh(room)
        raise StaleMove("Another move came first.", version=room.version_for(eyes_of(room, guest).viewer))


async def _move(house: House, room: Room, eyes: Eyes, body: MoveBody) -> int:
    seat = _mover(room, eyes, body)
    if seat is None:
        raise NotSeated("You do not play at this table.")
    if room.match is None:
        raise NotPlaying("The game has not started yet.")
    now = room.version_for(seat)
    at = room.place(seat, body.version) if body.version < now else room.version
    made = room.with_id(seat, body.id)
    done = room.decision(at, seat) if body.version <= now else None
    if done is not None and made in (None, at) and _same(room, done, body.move):
        return done.version
    if made is not None:
        raise IdReused(f"The id {body.id!r} was used for another move.", version=now)
    if body.version != now:
        raise StaleMove(f"This move answers position {body.version}; the game is at {now}.", version=now)
    if done is not None:
        raise AlreadyAnswered("You have answered already, and it stands.", version=now)
    if room.over:
        raise MatchOver("The game is over; no more moves are made.")
    if eyes.behind is not None:
        raise NotYourTurn("The device was passed on: the curtain is to be lifted first.")
    return await decide(house, room, seat, body.move, body.id)


def _mover(room: Room, eyes: Eyes, body: MoveBody) -> int | None:
    """The seat for which a move is made: the one that plays; or, of several seats, the one that sent this id, or, where
    they see all, that moved at this version, so that a move sent twice is made once."""
    sender = next((seat for seat in eyes.seats if room.with_id(seat, body.id) is not None), None)
    if sender is not None:
        return sender
    if len(eyes.seats) > 1 and body.version < room.version and not room.hidden_information:
        mover = room.history.actor(body.version)
        if mover in eyes.seats:
            return mover
    return eyes.seat


async def decide(house: House, room: Room, seat: int, move: str | int, move_id: str = "") -> int:
    """Make a move at a table that is held, or answer what is asked in secret; the seat's version.

    Errors: those of `Match.parse`, Conflict, StoreFailed.
    """
    asked = room.question is not None and seat in room.deciding()
    return await (_answer if asked else make_move)(house, room, seat, move, move_id)


async def _answer(house: House, room: Room, seat: int, move: str | int, move_id: str) -> int:
    """Keep the answer of a seat that is asked in secret; its version, which is the same as before."""
    match = room.as_asked(seat)
    action = match.parse(move, seat)
    row = AnswerRow(room.version, seat, action, room.game.text.format_action(match.state, action), move_id)
    try:
        await house.store.answer(room.id, row)
    except StoreFailed:
        room.doubtful = True  # as with a move: whether it was written is not known
        raise
    room.note(row)
    house.go_on(room)  # it may be what was waited for
    if house.fanout is not None:
        house.fanout.tell(room.id)
    return room.version_for(seat)


async def make_move(house: House, room: Room, seat: int, move: str | int, move_id: str = "") -> int:
    """Make a move at a table that is held, and draw the chance after it; the seat's version. Conflict, StoreFailed.

    Where somebody may be asked in secret the draw is left to `settle`: it comes after the same time in any case.
    """
    trial = room.fork()
    steps = [trial.step(trial.parse(move, seat))]
    if not room.game.may_ask(trial.state):
        steps += trial.draw()
    rows = _rows(room, trial, steps)
    rows[0] = rows[0]._replace(move_id=move_id)
    try:
        await house.store.append(room.id, rows, over=trial.over)
    except StoreFailed:
        room.doubtful = True  # a connection lost at the commit leaves open whether it was made
        raise
    room.adopt(trial, steps, rows)
    house.announce(room)
    return room.version_for(seat)


async def settle(house: House, room: Room) -> None:
    """The time to answer is over at a table that is held: the answers become steps, in their order up to the first who
    takes, and then comes the chance that is due. Who has not answered has let it pass. Conflict, StoreFailed."""
    trial = room.fork()
    try:
        async with house.store.change(room.id) as change:
            answers = {row.seat: row.action for row in await change.answers(room.version)}
            steps = asking.settle(trial, answers) + trial.draw()
            rows = _rows(room, trial, steps)
            await change.add_steps(rows)
            await change.set(touched=time.time(), status="over" if trial.over else "playing")
    except StoreFailed:
        room.doubtful = True
        raise
    room.adopt(trial, steps, rows)
    house.announce(room)


def _rows(room: Room, trial: Match, steps: list[Step]) -> list[StepRow]:
    """The last steps of what was tried, as they are written down."""
    return [StepRow(room.version + i, *step) for i, step in enumerate(trial.steps[-len(steps) :])]


def _same(room: Room, done: Decision, text: str) -> bool:
    """Whether that was the move of this text, in other words perhaps."""
    try:
        return room.game.read_action(done.state, text) == done.action
    except MoveError:
        return False
