"""Pass-and-play: the player to move has the device now, and lifts the curtain (`table.live.eyes`)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from parlour.core.errors import NotYourTurn
from parlour.house.errors import NotSeated
from parlour.house.house import House
from parlour.house.table.live.eyes import eyes_of


class LiftBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seat whose curtain to lift."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=16)]


async def lift(house: House, table_id: str, guest: str, body: LiftBody) -> None:
    """Lift the curtain of the player who has the device now. Repeating the request does no harm.

    Errors: NotSeated, NotYourTurn (no player waits behind a curtain, or another one does).
    """
    async with house.hold(table_id, guest) as table:
        eyes = eyes_of(table, guest)
        if body.seat not in eyes.seats:
            raise NotSeated("That seat isn't played on this device.")
        if eyes.behind is None and table.row.in_hand == body.seat:
            return
        if eyes.behind != body.seat:
            raise NotYourTurn("This seat has no curtain to lift right now.")
        async with house.change(table) as change:
            await change.set(in_hand=body.seat)
