"""Whether a table is rated: its host's choice, before anybody else sits there, so that nobody who has sat down
plays for more than they were told."""

from __future__ import annotations

from parlour.table.errors import SeatTaken
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.play.counting import must_be_somebody, rated
from parlour.table.play.seating import Body, must_host, must_wait
from parlour.table.storage.rows import PERSON


class RatedBody(Body, frozen=True):
    """Whether the game is to count."""

    rated: bool


async def choose(house: House, table_id: str, guest: Guest, body: RatedBody) -> None:
    """The host says whether the game counts. Doing so twice does no harm. Errors: NotHost, AlreadyStarted, SeatTaken
    (somebody else sits there already), Forbidden, BadSetup."""
    async with house.hold(table_id, guest.id) as table, house.change(table) as change:
        must_host(change, guest)
        must_wait(change)
        if change.table.rated == body.rated:
            return
        if any(seat.kind in PERSON and seat.guest_id != guest.id for seat in change.seats):
            raise SeatTaken("Somebody sits here already, and has been told whether the game counts.")
        if not body.rated:
            await change.set(rated=False)
            return
        must_be_somebody(guest)
        row = rated(change.table, table.game, change.seats)
        await change.set(rated=True, hints=row.hints, tempo=row.tempo)
