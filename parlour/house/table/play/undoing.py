"""Taking back your own last decision: if that is allowed (`core.undo`), it is stored like a move and only then takes
effect."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec

from parlour.core import undo as rule
from parlour.core.errors import CannotUndo
from parlour.house.database.store import Conflict
from parlour.house.errors import NotPlaying, NotSeated, StaleMove
from parlour.house.house import House
from parlour.house.table.live import clocks
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.live.journal import WORD, Back, take_back
from parlour.house.table.live.made import last_made
from parlour.house.table.live.table import Table
from parlour.house.table.play import programs
from parlour.house.table.storage.rows import TAKEN_BACK, StepRow

MOST = 1_000  # decisions that a seat may take back in one game


class UndoBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The version at which the last decision is taken back."""

    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]


async def undo(house: House, table_id: str, guest: str, body: UndoBody, *, program: bool = False) -> int:
    """Take back the guest's last decision; return the version after it. Sent twice, it is done once.

    Errors: UnknownTable, NotSeated, NotPlaying, StaleMove, CannotUndo, StoreFailed, Forbidden (a `program` in a seat of
    a person); after any of them nothing has changed.
    """
    async with house.hold(table_id, guest) as table:
        for _ in range(2):
            try:
                return await _undo(house, table, guest, body, program=program)
            except Conflict:  # another process was faster: look again
                await house.refresh(table)
        raise StaleMove("Another move came first.", version=table.known.version(eyes_of(table, guest).viewer))


async def _undo(house: House, table: Table, guest: str, body: UndoBody, *, program: bool) -> int:
    seat = eyes_of(table, guest).seat
    if seat is None:
        raise NotSeated("You aren't playing at this table.")
    programs.may_move(table.seats[seat], table.row, program=program)
    table.must_be_open()
    if table.match is None:
        raise NotPlaying("The game hasn't started yet.")
    now = table.known.version(seat)
    if body.version != now:
        done = table.history[table.known.place(seat, body.version)] if body.version < now else None
        if isinstance(done, Back) and done.actor == seat:
            return body.version + 1
        raise StaleMove(f"You asked at position {body.version}, but the game is now at {now}.", version=now)
    if table.questions.open is not None:
        raise CannotUndo("You can't take back a move while a question is open.")
    last = last_made(table)
    if why := rule.why_not(table.game, last, table.match.current_player, seat):
        raise CannotUndo(why)
    assert last is not None
    if table.history.number_of(TAKEN_BACK, seat) >= MOST:
        raise CannotUndo(f"You've taken back {MOST} decisions in this game, which is the limit.")
    trial = table.fork()
    back = take_back(trial, last)
    at = time.time()
    row = StepRow(table.version, seat, TAKEN_BACK, WORD, at=at)
    timing = clocks.timing(table, trial, at, used=table.ledger.last_took())
    with table.writing():
        changes = await house.store.append(table.id, [row], over=False, timing=timing)
    table.wrote(changes)
    table.adopt(trial, [back], [row], timing)
    house.announce(table)
    return table.known.version(seat)
