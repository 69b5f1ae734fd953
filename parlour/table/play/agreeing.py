"""What the others at a table may do so that nobody waits for ever: let a bot play on for somebody who went away, and
end a game together. Where there are clocks, these see to who is away."""

from __future__ import annotations

import time

from parlour.table.errors import Forbidden, NotPlaying, NotSeated, StillHere
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.live import looking
from parlour.table.live.table import Table
from parlour.table.play import absence
from parlour.table.play.seating import Body, SeatNumber
from parlour.table.storage.rows import AGREED, PERSON

END = "end"  # a seat's wish


class AbsentBody(Body, frozen=True):
    """Whose seat a bot is to play on in."""

    seat: SeatNumber


class EndBody(Body, frozen=True):
    """Whether one wants to end the game without a result; who no longer does says so."""

    agree: bool = True


async def play_for(house: House, table_id: str, guest: Guest, body: AbsentBody) -> None:
    """Let a bot play on for somebody who has the decision and went away. Doing so twice does no harm. Errors:
    NotPlaying, NotSeated, StillHere."""
    async with house.hold(table_id, guest.id) as table:
        _must_play(table, guest)
        seat = table.seats[body.seat] if body.seat < len(table.seats) else None
        if seat is None or seat.kind not in PERSON:
            return
        if body.seat not in looking.absent(table):
            raise StillHere(
                "A bot plays on only for somebody whose turn it is, and who has not looked at the table for "
                f"{looking.ABSENT:.0f} seconds."
                if table.row.tempo is None
                else "Their clock runs: when it is up, a bot plays on."
            )
        own = [one.seat for one in table.seats if one.kind in PERSON and one.guest_id == seat.guest_id]
        async with house.change(table) as change:
            await absence.step_out(change, table, own, "gone", time.time())


async def end(house: House, table_id: str, guest: Guest, body: EndBody) -> None:
    """Say whether one wants to end the game without a result; it ends when all people at the table want that. Errors:
    NotPlaying, NotSeated, Forbidden (a rated game that nobody else sits at)."""
    async with house.hold(table_id, guest.id) as table:
        _must_play(table, guest)
        if table.row.rated and len(table.players()) < 2:
            raise Forbidden("A rated game that nobody else sits at is played to its end: who leaves it has lost it.")
        async with house.change(table) as change:
            wishes = [seat.wish for seat in change.seats]
            for seat in table.seats_of(guest.id):
                wishes[seat] = END if body.agree else ""
                await change.set_seat(seat, wish=wishes[seat])
            if all(wishes[seat.seat] == END for seat in change.seats if seat.kind in PERSON):
                await change.set(
                    status="closed", ended=AGREED, touched=time.time(), began=0.0, used=0.0, due=None, turn=""
                )
        if table.closed:
            table.end_work()
            house.forget(table)  # open pages come back, and see it closed


def _must_play(table: Table, guest: Guest) -> None:
    table.must_be_open()
    if table.status != "playing":
        raise NotPlaying("There is no game under way here.")
    if not table.seats_of(guest.id):
        raise NotSeated("You do not play at this table.")


def wanting(table: Table) -> tuple[int, ...]:
    """The seats of people who want to end the game."""
    return tuple(seat.seat for seat in table.seats if seat.kind in PERSON and seat.wish == END)
