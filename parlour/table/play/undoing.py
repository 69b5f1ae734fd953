"""Taking back one's own last decision at a table: what may be (`core.undo`) is written down like a move, and only then
is it so."""

from __future__ import annotations

from typing import Annotated

import msgspec

from parlour.core import undo as rule
from parlour.core.errors import CannotUndo
from parlour.table.errors import NotPlaying, NotSeated, StaleMove, StoreFailed
from parlour.table.house.house import House
from parlour.table.live.eyes import eyes_of
from parlour.table.live.journal import TAKEN_BACK, WORD, Back, take_back
from parlour.table.live.room import Room
from parlour.table.storage.rows import StepRow
from parlour.table.storage.store import Conflict


class UndoBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The version at which the last decision is taken back."""

    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]


async def undo(house: House, table: str, guest: str, body: UndoBody) -> int:
    """Take back the guest's last decision; the version it led to. Sent twice it is done once.

    Errors: UnknownTable, NotSeated, NotPlaying, StaleMove, CannotUndo, StoreFailed; nothing has changed after them.
    """
    async with house.hold(table) as room:
        for _ in range(2):
            try:
                return await _undo(house, room, guest, body)
            except Conflict:  # another process was faster: look again
                await house.refresh(room)
        raise StaleMove("Another move came first.", version=room.version_for(eyes_of(room, guest).viewer))


async def _undo(house: House, room: Room, guest: str, body: UndoBody) -> int:
    seat = eyes_of(room, guest).seat
    if seat is None:
        raise NotSeated("You do not play at this table.")
    if room.match is None:
        raise NotPlaying("The game has not started yet.")
    now = room.version_for(seat)
    if body.version != now:
        done = room.history[room.place(seat, body.version)] if body.version < now else None
        if isinstance(done, Back) and done.actor == seat:
            return body.version + 1
        raise StaleMove(f"This was asked at position {body.version}; the game is at {now}.", version=now)
    if room.may_ask():
        raise CannotUndo("Nothing is taken back while a question is open.")
    last = room.history.last_standing()
    if why := rule.why_not(room.game, last, room.match.current_player, seat):
        raise CannotUndo(why)
    assert last is not None
    trial = room.fork()
    back = take_back(trial, last)
    row = StepRow(room.version, seat, TAKEN_BACK, WORD)
    try:
        await house.store.append(room.id, [row], over=False)
    except StoreFailed:
        room.doubtful = True  # as with a move: whether it was written is not known
        raise
    room.adopt(trial, [back], [row])
    house.announce(room)
    return room.version_for(seat)
