"""Deleting your own waiting table, and removing a finished game from your list."""

from __future__ import annotations

from functools import partial

from parlour.house.accounts.guests import Guest
from parlour.house.errors import AlreadyStarted, Forbidden, NotHost
from parlour.house.house import House
from parlour.house.lobby import rows
from parlour.house.table.play.seating import Body


class ClearBody(Body, frozen=True):
    """With `back`, a removed game returns to the list."""

    back: bool = False


async def clear(house: House, table_id: str, guest: Guest, body: ClearBody) -> None:
    """Delete a waiting table for everyone, if it is the guest's. Or remove a finished game from their own list, or put
    it back; the house and the other players keep it. Repeating the request does no harm.

    Errors: NotHost, AlreadyStarted (a game in progress can only be left), Forbidden (not their game).
    """
    async with house.hold(table_id, guest.id) as table:
        if table.over:
            if table.row.host != guest.id and all(seat.guest_id != guest.id for seat in table.seats):
                raise Forbidden("This game isn't in your list because you didn't play in it.")
            work = rows.put_back if body.back else rows.put_away
            await house.store.do(partial(work, guest=guest.id, table_id=table_id))
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
