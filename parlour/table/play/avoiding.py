"""What becomes of a table that follows another when its people want nothing to do with each other any more."""

from __future__ import annotations

import secrets

import msgspec

from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.storage.rows import SeatRow


async def without_the_blocked(house: House, guest: Guest, seats: list[SeatRow]) -> list[SeatRow]:
    """The seats of a rematch as whoever asks for it may have them. Whom they have blocked is not asked along: the seat
    is free. Who has blocked them is not either, and they are not told: the seat has that name, as of somebody who does
    not come, and is nobody's."""
    regard = await house.regards.of(guest.id)
    nobody = {one: secrets.token_hex(12) for one in regard.shut}
    found: list[SeatRow] = []
    for seat in seats:
        if seat.guest_id in regard.blocked:
            seat = SeatRow(seat.table_id, seat.seat, "open")
        elif seat.guest_id in nobody:
            seat = msgspec.structs.replace(seat, guest_id=nobody[seat.guest_id])
        found.append(seat)
    return found
