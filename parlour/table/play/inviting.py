"""Inviting those again whom one played with, and what the invited say."""

from __future__ import annotations

from parlour.table.errors import BadLink, NotSeated
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.play.seating import alike, free_seat, opened
from parlour.table.play.talk import ChatBody, say
from parlour.table.storage.rows import PERSON, SeatRow

DECLINED = "I cannot come this time."  # what a guest who declines says at the table


async def again(house: House, table_id: str, guest: Guest) -> str:
    """Make a table like a finished one, with a seat kept by link for each person who played there,
    to which they are invited; return its id. Its host sits; bots are as they were.

    Errors: NotOver, NotSeated (not one's own game, or nobody else's), TooManyTables.
    """
    async with house.hold(table_id, guest.id) as table:
        table.must_be_over()
        if not table.seats_of(guest.id) and all(seat.guest_id != guest.id for seat in table.seats):
            raise NotSeated("Only those who played invite the others again.")
        row = alike(table.row, guest)
        seats: list[SeatRow] = []
        invited: dict[str, SeatRow] = {}  # by guest, the first of their seats
        for i, seat in enumerate(table.seats):
            whose = seat.guest_id
            if whose == guest.id:
                first = all(one.guest_id != guest.id for one in seats)
                seats.append(SeatRow(row.id, i, "guest" if first else "here", guest_id=guest.id, name=guest.name))
            elif whose or seat.kind in PERSON:
                seats.append(free_seat(table.game, row.id, i, "link", ""))
                if whose:
                    invited.setdefault(whose, seats[-1])
            else:
                seats.append(free_seat(table.game, row.id, i, "bot", seat.bot))
        if not invited:
            raise NotSeated("Nobody else who played there can be invited.")
    await house.store.create(row, seats, invited=invited)
    await opened(house, row.id, guest)
    return row.id


async def decline(house: House, table_id: str, guest: Guest) -> None:
    """Say no to an invitation: it is gone, and the table is told. Raises BadLink where there is none."""
    if not await house.store.decline(guest.id, table_id):
        raise BadLink("You are not, or no longer, invited to this table.")
    house.lobby.moved(guest.id)
    await say(house, table_id, guest, ChatBody(DECLINED))
