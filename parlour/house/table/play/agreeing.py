"""What players can do about someone who is away: let a bot play for them, or end the game together. At tables with
clocks, the clock deals with players who are away."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from parlour.house.accounts.guests import Guest
from parlour.house.accounts.names import SOMEBODY
from parlour.house.errors import Forbidden, NotPlaying, NotSeated, StillHere
from parlour.house.house import House
from parlour.house.notify.outbox import Instead
from parlour.house.table.live import looking
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import shown
from parlour.house.table.play import absence, programs
from parlour.house.table.play.seating import Body, SeatNumber
from parlour.house.table.play.talk import say_with
from parlour.house.table.storage.rows import AGREED, PERSON, WITHOUT, SeatRow

END = "end"  # a seat's wish
# Messages at the table, in the voter's name.
ASKS = "I would like to end this game without a result."
AGREES = "I agree to end this game."
PLAYS_ON = "I would rather play on."


class AbsentBody(Body, frozen=True):
    """The seat that a bot takes over."""

    seat: SeatNumber


class EndBody(Body, frozen=True):
    """A vote on ending the game without a result. `agree: false` takes back your own wish, or refuses that of others
    and so ends the vote."""

    agree: bool = True


@absence.again_if_slower
async def play_for(house: House, table_id: str, guest: Guest, body: AbsentBody) -> None:
    """Let a bot play for a player who is away on their turn. Repeating the request does no harm. Errors: NotPlaying,
    NotSeated, StillHere, Forbidden (a program whose owner plays there)."""
    async with house.hold(table_id, guest.id) as table:
        _must_play(table, guest)
        seat = table.seats[body.seat] if body.seat < len(table.seats) else None
        if seat is None or seat.kind not in PERSON:
            return
        if body.seat not in looking.absent(table):
            raise StillHere(
                "You can hand a seat to a bot only on that player's turn, after they've been away for "
                f"{shown(table.row.absent)}."
                if table.row.tempo is None
                else "This player's clock is running. A bot takes over when their time is up."
            )
        own = [one.seat for one in table.seats if one.kind in PERSON and one.guest_id == seat.guest_id]
        async with house.change(table) as change:
            await absence.step_out(change, table, own, "gone", time.time())


async def end(house: House, table_id: str, guest: Guest, body: EndBody) -> None:
    """Vote on ending the game without a result. It ends when everyone present agrees; until then the table sees the
    vote. One refusal ends the vote. Errors: NotPlaying, NotSeated, Forbidden (a rated game of which not all who started
    it are still seated, or a game of a tournament; a program whose owner plays there)."""
    async with house.hold(table_id, guest.id) as table:
        _must_play(table, guest)
        if table.row.tournament and body.agree:
            raise Forbidden("A game of a tournament needs a result, so it can't be called off.")
        asked = bool(wanting(table.seats))
        wish = END if body.agree else ""
        async with house.change(table) as change:
            if change.table.rated and body.agree:
                _must_be_whole(change.seats)
            changed, own = False, table.seats_of(guest.id)
            refused = not body.agree and not set(own) & set(wanting(change.seats))
            for seat in range(len(change.seats)) if refused else own:
                changed = changed or change.seats[seat].wish != wish
                change.seats[seat] = msgspec.structs.replace(change.seats[seat], wish=wish)
                await change.set_seat(seat, wish=wish)
            waited = voters(table, change.seats)
            if set(waited) <= set(wanting(change.seats)):
                why = WITHOUT if _somebody_left(change.seats) or len(waited) < _people(change.seats) else AGREED
                await change.set(
                    status="closed", ended=why, touched=time.time(), began=0.0, used=0.0, due=None, turn=""
                )
                await change.note_over(guest.id)
            elif changed:
                others = [one.guest_id for one in change.seats if one.kind in PERSON and one.guest_id != guest.id]
                vote = Instead("vote", others) if body.agree and not asked else None
                await say_with(change, table, guest, (AGREES if asked else ASKS) if body.agree else PLAYS_ON, vote)
        if table.closed:
            house.forget(table)  # open pages reconnect, and see it closed


def _must_be_whole(seats: Sequence[SeatRow]) -> None:
    """Raise Forbidden unless at least two people started this game and all of them still sit here: otherwise the others
    could spare a player a loss, or take a win away."""
    if _somebody_left(seats):
        raise Forbidden(
            "A player who started this rated game is away. You can end it without a result only if everyone who "
            "started it agrees."
        )
    if _people(seats) < 2:
        raise Forbidden(
            "You're the only person left in this rated game, so it can't be called off. Leaving counts as a loss."
        )


def _somebody_left(seats: Sequence[SeatRow]) -> bool:
    """Return whether a bot plays for a person, whose account may have been deleted since."""
    return any(seat.kind == "bot" and (seat.guest_id or seat.name == SOMEBODY) for seat in seats)


def _people(seats: Sequence[SeatRow]) -> int:
    return sum(seat.kind in PERSON for seat in seats)


def _must_play(table: Table, guest: Guest) -> None:
    table.must_be_open()
    if table.status != "playing":
        raise NotPlaying("No game is in progress at this table.")
    if not table.seats_of(guest.id):
        raise NotSeated("You aren't playing at this table.")
    programs.may_act(guest, table.row, table.seats)


def wanting(seats: Sequence[SeatRow]) -> tuple[int, ...]:
    """Return the seats of people who want to end the game."""
    return tuple(seat.seat for seat in seats if seat.kind in PERSON and seat.wish == END)


def voters(table: Table, seats: Sequence[SeatRow]) -> tuple[int, ...]:
    """Return the seats of people who vote on ending the game: all who are not away."""
    missing = looking.missing(table)
    return tuple(seat.seat for seat in seats if seat.kind in PERSON and seat.seat not in missing)
