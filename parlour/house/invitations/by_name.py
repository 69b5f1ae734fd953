"""Invitations by account name, to reserved seats of a new table.

Nothing here checks who has blocked the guest. Such an invitation is written and counted like any other but not
delivered (`rows.invite`); its sender sees an invitation without an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import msgspec
import sqlalchemy as sa

from parlour.core.errors import BadSetup
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.names import likeness
from parlour.house.accounts.rows import Account
from parlour.house.database.connections import Work
from parlour.house.errors import BadInput, Forbidden, NotClaimed, NotFound
from parlour.house.house import House
from parlour.house.invitations import rows
from parlour.house.table.storage.rows import SeatRow


class Inviting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the request for a seat says about an invitation."""

    # The account invited to a seat of kind link, which is reserved for it.
    invite: Annotated[str, msgspec.Meta(max_length=200)] = ""


async def kept(
    house: House, guest: Guest, wishes: Sequence[Inviting], seats: list[SeatRow]
) -> tuple[list[SeatRow], Work[None] | None]:
    """Return the seats of a new table, each reserved for the account that its wish names, and what invites their owners
    in the transaction that stores the table (`rows.invite_by_name`), None if no one is invited. Errors: BadInput (a
    seat of another kind, the guest's own name), NotClaimed, NotFound, Forbidden (the guest has blocked them), BadSetup
    (two seats for one account, or none for the guest)."""
    names = [wish.invite for wish in wishes]
    if not any(names):
        return seats, None
    if any(name and seat.kind != "link" for name, seat in zip(names, seats, strict=True)):
        raise BadInput("An invitation by name needs a seat of kind link.", allowed=["link"])
    if not guest.claimed:  # so that invited people know who invites them, and can block them for good
        raise NotClaimed("You need an account to invite someone by name. Create one under You.")
    if all(seat.kind != "guest" for seat in seats):
        raise BadSetup("If you invite someone by name, you play too: keep one seat for yourself.", allowed=["me"])
    found = await _owners(house, names)
    mine = (await house.regards.of(guest.id)).blocked
    made, invited = list(seats), dict[str, SeatRow]()
    for i, one in enumerate(found):
        if one is None:
            continue
        if one.id == guest.id:
            raise BadInput("That's you. Please choose someone else.")
        if one.id in mine:
            raise Forbidden(f"You've blocked {one.name}. Unblock them under You to invite them.")
        if one.id in invited:
            raise BadSetup(f"You can keep only one seat for {one.name}.")
        made[i] = invited[one.id] = msgspec.structs.replace(seats[i], name=one.name)
    return made, partial(rows.invite_by_name, host=guest.id, invited=invited)


async def _owners(house: House, names: Sequence[str]) -> list[Account | None]:
    """Return the account of each name, None for "". Raises NotFound if a name has none."""

    def look(connection: sa.Connection) -> list[Account | None]:
        return [account_rows.account(connection, likeness=likeness(name)) if name else None for name in names]

    found = await house.store.look(look)
    if any(name and one is None for name, one in zip(names, found, strict=True)):
        raise NotFound("No account here has this name.")
    return found
