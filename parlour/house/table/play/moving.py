"""Making moves. A decision and the chance after it are one transaction; people are notified only afterwards.

If a secret question is possible, there are two transactions: the decision; and, when the time to answer is
over, the answers and the chance (`settle`). Until then an answer is stored outside the record and shown only to its
player.
"""

from __future__ import annotations

import time
from typing import Annotated

import msgspec

from parlour.core import asking
from parlour.core.contract import CHANCE, Step
from parlour.core.errors import MatchOver, MoveError, NotYourTurn, ParlourError
from parlour.core.match import Match
from parlour.house.database.store import Conflict
from parlour.house.errors import (
    AlreadyAnswered,
    BadInput,
    IdReused,
    NotPlaying,
    NotSeated,
    NotTheLesson,
    StaleMove,
    StoreFailed,
)
from parlour.house.house import House
from parlour.house.table.live import clocks
from parlour.house.table.live.deciding import as_asked, deciding
from parlour.house.table.live.eyes import Eyes, eyes_of
from parlour.house.table.live.made import Decision, decision
from parlour.house.table.live.table import Table
from parlour.house.table.play import absence, programs
from parlour.house.table.storage.rows import AnswerRow, StepRow

MAX_MOVE = 400  # characters

ShortId = Annotated[str, msgspec.Meta(max_length=64)]


class MoveBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move: its text or, as `action`, its number; the version that it answers; and an id from the sender, so that
    sending it twice is safe."""

    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    move: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_MOVE)] | None = None
    action: Annotated[int, msgspec.Meta(ge=0, le=2**62)] | None = None
    id: ShortId = ""
    thought: Annotated[float, msgspec.Meta(ge=0, le=1e9)] | None = None  # seconds since the page showed the position


async def move(house: House, table_id: str, guest: str, body: MoveBody, *, program: bool = False) -> int:
    """Make a guest's move, or that of a `program` of theirs; return the version after it. Sending a move again returns
    the same answer.

    Errors: UnknownTable, NotSeated, Forbidden (a program), NotPlaying, StaleMove (with the version), IdReused,
    AlreadyAnswered, those of `Match.parse`, StoreFailed; after any of them nothing has changed.
    """
    async with house.hold(table_id, guest, sure=False) as table:
        result = "made"
        try:
            return await _move_or_look_again(house, table, guest, body, program=program)
        except ParlourError as error:
            result = error.code
            raise
        finally:
            house.measures.moves.labels(table.game.name, "people", result).inc()


async def _move_or_look_again(house: House, table: Table, guest: str, body: MoveBody, *, program: bool) -> int:
    """Make the move, at a table that another process may have changed. The database accepts it only if nothing has
    changed since the table was read, so reading first would cost a trip for nothing. We read again before any refusal,
    and for the answer to a secret question, whose transaction compares less."""
    if table.questions.open is not None and await house.is_old(table):
        await house.refresh(table)
    for _ in range(3):
        try:
            return await _move(house, table, eyes_of(table, guest), body, program=program)
        except Conflict:  # another process was faster: look again
            pass
        except StoreFailed:
            raise
        except ParlourError:
            if not await house.is_old(table):
                raise
        await house.refresh(table)
    raise StaleMove("Another move came first.", version=table.known.version(eyes_of(table, guest).viewer))


async def _move(house: House, table: Table, eyes: Eyes, body: MoveBody, *, program: bool) -> int:
    seat = _mover(table, eyes, body)
    if seat is None:
        raise NotSeated("You aren't playing at this table.")
    programs.may_move(table.seats[seat], table.row, program=program)
    table.must_be_open()
    if table.match is None:
        raise NotPlaying("The game hasn't started yet.")
    move = _wanted(body)
    now = table.known.version(seat)
    at = table.known.place(seat, body.version) if body.version < now else table.version
    made = table.history.sent.get((seat, body.id))
    done = decision(table, at, seat) if body.version <= now else None
    if done is not None and made in (None, at) and _same(table, done, move):
        return done.version
    if made is not None:
        raise IdReused(f"The id {body.id!r} was already used for another move.", version=now)
    if body.version > now or not table.history.only_marks_since(at):
        raise StaleMove(f"This move is for position {body.version}, but the game is now at {now}.", version=now)
    if done is not None:
        raise AlreadyAnswered("You've already answered. Your answer can't be changed.", version=now)
    if table.over:
        raise MatchOver("The game is over, so no more moves are possible.")
    if eyes.behind is not None:
        raise NotYourTurn("The device was passed on. Lift the curtain first.")
    return await decide(house, table, seat, move, body.id, body.thought)


def _wanted(body: MoveBody) -> str | int:
    """Return the move, by its text or its number. Raises BadInput unless there is exactly one of them."""
    if body.move is not None and body.action is None:
        return body.move
    if body.action is not None and body.move is None:
        return body.action
    raise BadInput("Send the move as text in `move`, or its number in `action`.", allowed=["move", "action"])


def _mover(table: Table, eyes: Eyes, body: MoveBody) -> int | None:
    """Return the seat that moves: the current player's; or, of several seats on one device, the one that sent this id
    or, where all see everything, the one that moved at this version, so that a move sent twice is made once."""
    sender = next((seat for seat in eyes.seats if table.history.sent.get((seat, body.id)) is not None), None)
    if sender is not None:
        return sender
    if len(eyes.seats) > 1 and body.version < table.version and not table.hidden_information:
        mover = table.history.actor(body.version)
        if mover in eyes.seats:
            return mover
    return eyes.seat


async def decide(
    house: House, table: Table, seat: int, move: str | int, move_id: str = "", thought: float | None = None
) -> int:
    """Make a move at a held table, or answer a secret question; return the seat's version.

    Errors: those of `Match.parse`, Conflict, StoreFailed.
    """
    if table.questions.open is not None and seat in deciding(table):
        return await _answer(house, table, seat, move, move_id)
    return await make_move(house, table, seat, move, move_id, thought)


async def _answer(house: House, table: Table, seat: int, move: str | int, move_id: str) -> int:
    """Store a seat's answer to a secret question; return its version, which stays the same."""
    match = as_asked(table, seat)
    action = match.parse(move, seat)
    row = AnswerRow(table.version, seat, action, table.game.text.format_action(match.state, action), move_id)
    with table.writing():
        changes = await house.store.answer(table.id, row)
    table.wrote(changes)
    table.note_answer(row)
    house.go_on(table)  # it may be the awaited answer
    house.peers.tell(table.id)
    return table.known.version(seat)


async def make_move(
    house: House, table: Table, seat: int, move: str | int, move_id: str = "", thought: float | None = None
) -> int:
    """Make a move at a held table and draw the chance after it; return the seat's version.

    Raises Conflict, StoreFailed. If a secret question is possible, `settle` draws instead, always after the same time.
    """
    trial, now = table.fork(), time.time()
    action = trial.parse(move, seat)
    _as_the_lesson_says(table, action)
    free = clocks.decides(table, trial) is None or len(trial.legal_action_ids()) == 1
    steps = [trial.step(action)]
    if not table.may_ask(trial):
        steps += _draw(table, trial)
    rows = _rows(table, trial, steps, now)
    took, lag = (0.0, 0.0) if free else clocks.spent(table, now, thought)
    rows[0] = rows[0]._replace(move_id=move_id, took=took, lag=lag)
    timing = clocks.timing(table, trial, now, rows=rows)
    with table.writing():
        changes = await house.store.append(table.id, rows, over=trial.over, timing=timing, known=table.changes)
    table.wrote(changes)
    table.adopt(trial, steps, rows, timing)
    house.announce(table)
    return table.known.version(seat)


def _draw(table: Table, trial: Match) -> list[Step]:
    """Draw the chance that is due in a fork; in a lesson, take the outcome that comes next there."""
    steps = []
    while (due := table.course.due(trial)) is not None and due[0] == CHANCE:
        steps.append(trial.step(due[1]))
    return steps if due is not None else [*steps, *trial.draw()]


def _as_the_lesson_says(table: Table, action: int) -> None:
    """Raise NotTheLesson if a lesson continues with another decision. Other tables allow every decision."""
    due = table.course.due(table.match)
    if due is not None and due[1] != action:
        raise NotTheLesson(
            "The lesson continues with another move. After the lesson you can play freely.", allowed=[due[2]]
        )


async def settle(house: House, table: Table) -> None:
    """End the time to answer at a held table: the answers become steps, in order, up to the first player who takes,
    followed by the chance that is due. A player without an answer passes. Raises Conflict, StoreFailed."""
    trial, now = table.fork(), time.time()
    with table.writing():
        async with house.store.change(table.id) as change:
            answers = {row.seat: row.action for row in await change.answers(table.version)}
            marks = absence.unmarked(table)
            steps = asking.settle(trial, answers) + trial.draw()
            rows = [*absence.rows_of(table, marks, now), *_rows(table, trial, steps, now, len(marks))]
            await change.add_steps(rows)
            timing = clocks.timing(table, trial, now, rows=rows)
            await change.set(touched=now, status="over" if trial.over else "playing", **timing.kept())
            if trial.over:
                await change.note_over()
    table.adopt(trial, [*marks, *steps], rows, timing)
    house.announce(table)


def _rows(table: Table, trial: Match, steps: list[Step], now: float, after: int = 0) -> list[StepRow]:
    """Return the last steps of a fork as rows, `after` other rows."""
    return [StepRow(table.version + after + i, *step, at=now) for i, step in enumerate(trial.steps[-len(steps) :])]


def _same(table: Table, done: Decision, move: str | int) -> bool:
    """Return whether the step is this move, even in other words."""
    if isinstance(move, int):
        return move == done.action
    try:
        return table.game.read_action(done.state, move) == done.action
    except MoveError:
        return False
