"""How strong whoever plays a seat is, as cards, the waiting room and the list of players say it beside a name."""

from __future__ import annotations

import msgspec

from parlour.table.storage.ratings import START
from parlour.table.storage.rows import SeatRow


class Strength(msgspec.Struct, frozen=True):
    """A rating, in words; `sure`: no longer provisional."""

    rating: str
    sure: bool = False


def strength(mu: float, *, sure: bool) -> Strength:
    """A rating as it stands beside a name."""
    return Strength(f"{mu:.1f}", sure)


def strength_of(seat: SeatRow, *, rated: bool) -> Strength | None:
    """The rating in the table's ruleset of a bot, or of who has claimed the name that stands there; of a newcomer at a
    `rated` table that with which everybody begins. None where there is none."""
    bot = seat.kind == "bot" and not seat.guest_id
    if not bot and not (seat.kind == "guest" and seat.owner and seat.owner == seat.name):
        return None
    if seat.mu is not None:
        return strength(seat.mu, sure=bool(seat.sure))
    return strength(START.mu, sure=False) if rated else None
