"""Pass-and-play: several seats of one person's device, and the curtain between them.

A seat of kind "here" is played on the device of the guest who has it. Where the game keeps nothing from any seat, the
page simply has the eyes of whoever is to decide. Where it does, a curtain falls when the decision passes to another
seat of the same device: until that player lifts it the page gets what spectators get, and nothing else (`Room.viewer`).
Whose eyes the device has is written down (`in_hand`), so a reload, another tab or another process cannot lift it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from parlour.core.errors import NotYourTurn
from parlour.core.scene import SPECTATOR
from parlour.table.errors import NotSeated

if TYPE_CHECKING:
    from parlour.table.house import House
    from parlour.table.room import Room


class LiftBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose curtain."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=16)]


def seat_of(room: Room, guest: str) -> int | None:
    """The seat with which the guest plays now: his only one, or the one whose eyes his device has."""
    seats = room.seats_of(guest)
    if len(seats) < 2:
        return seats[0] if seats else None
    if room.hidden_information:
        return room.row.in_hand if room.row.in_hand in seats else seats[0]
    player = next((seat for seat in room.deciding() if seat in seats), None)
    if player is not None:
        return player
    actors = (room.history.actor(place) for place in reversed(range(room.version)))
    return next((actor for actor in actors if actor in seats), seats[0])


def viewer(room: Room, guest: str) -> int:
    """What the guest may see: with the eyes of that seat, or as spectators do."""
    seat = seat_of(room, guest)
    if seat is None:
        return SPECTATOR
    if len(room.seats_of(guest)) < 2 or not room.hidden_information:
        return seat
    return seat if seat == room.row.in_hand and behind(room, guest) is None else SPECTATOR


def behind(room: Room, guest: str) -> int | None:
    """The seat that waits behind the curtain for the guest's device, None where there is none."""
    seats = room.seats_of(guest)
    player = next((seat for seat in room.deciding() if seat in seats), None)
    waits = len(seats) > 1 and player != room.row.in_hand and room.hidden_information
    return player if waits else None


def mover(room: Room, guest: str, version: int, move_id: str) -> int | None:
    """The seat for which a move answers `version`: as `seat_of`; or, of several seats, the one that sent this id, or,
    where they see all, that moved there, so that a move sent twice is made once."""
    seats = room.seats_of(guest)
    if (sender := next((seat for seat in seats if room.with_id(seat, move_id) is not None), None)) is not None:
        return sender
    if len(seats) > 1 and version < room.version and not room.hidden_information:
        mover = room.history.actor(version)
        if mover in seats:
            return mover
    return seat_of(room, guest)


def same_story(room: Room, one: int, other: int) -> bool:
    """Whether two viewers are told the same steps and lines, so that a page can go on from one to the other."""
    return one == other or (SPECTATOR not in (one, other) and not room.hidden_information)


async def lift(house: House, table: str, guest: str, body: LiftBody) -> None:
    """The player of a seat has the device now and lifts the curtain. Doing so twice does no harm.

    Errors: NotSeated, NotYourTurn (nobody is waited for behind a curtain, or somebody else).
    """
    from parlour.table.seating import changed

    async with house.hold(table) as room:
        if body.seat not in room.seats_of(guest):
            raise NotSeated("That seat is not played on this device.")
        waits = behind(room, guest)
        if waits is None and room.row.in_hand == body.seat:
            return
        if waits != body.seat:
            raise NotYourTurn("There is no curtain to lift for this seat now.")
        async with house.store.change(table) as change:
            await change.set(in_hand=body.seat)
        await changed(house, room)
