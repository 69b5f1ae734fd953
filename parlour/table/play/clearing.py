"""Deleting a table that one made and that waits, and putting a finished game out of one's own list."""

from __future__ import annotations

from parlour.table.errors import AlreadyStarted, Forbidden, NotHost
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.play.seating import Body


class ClearBody(Body, frozen=True):
    """`back`: a finished game that was put out of the list is in it again."""

    back: bool = False


async def clear(house: House, table_id: str, guest: Guest, body: ClearBody) -> None:
    """Delete a table that waits, for everybody, if it is the guest's. A finished game leaves their own
    list, and may come back to it; the others who played keep it in theirs, and so does the house.
    Doing so twice does no harm.

    Errors: NotHost, AlreadyStarted (a game under way is left), Forbidden (not one's own).
    """
    async with house.hold(table_id, guest.id) as table:
        if table.over:
            if table.row.host != guest.id and all(seat.guest_id != guest.id for seat in table.seats):
                raise Forbidden("This game isn't in your list because you didn't play in it.")
            await house.store.put_away(guest.id, table_id, back=body.back)
            house.lobby.moved(guest.id)
            return
        if table.row.host != guest.id:
            raise NotHost("Only the host of the table can delete it.")
        async with house.change(table) as change:
            if change.table.status != "waiting":
                raise AlreadyStarted("The game has started. If you leave it, a bot plays on in your seat.")
            if change.table.host != guest.id:
                raise NotHost("Only the host of the table can delete it.")
            await change.delete()
