"""The rating shown beside a name: on cards, in the waiting room and in the list of players."""

from __future__ import annotations

import msgspec

from parlour.analysis.skill import points
from parlour.house.ratings.rows import START
from parlour.house.table.storage.rows import SeatRow, TableRow


class Strength(msgspec.Struct, frozen=True):
    """A rating, in words; `sure`: no longer provisional."""

    rating: str
    sure: bool = False


def in_points(mu: float) -> str:
    """Return a rating as text, on the scale that is shown."""
    return f"{points(mu):.0f}"


def moved_to(was: float, now: float) -> tuple[str, str]:
    """Return a rating after a game, and by how much the game changed it: of the numbers that are shown."""
    return in_points(now), f"{round(points(now)) - round(points(was)):+d}".replace("-", "−")


def strength(mu: float, *, sure: bool) -> Strength:
    """Return a rating as it is shown beside a name."""
    return Strength(in_points(mu), sure)


def strength_of(seat: SeatRow, row: TableRow) -> Strength | None:
    """Return the rating of a bot or an account in the table's ruleset. At a rated table a newcomer has the rating that
    everyone starts with. Return None without a rating, and for programs and where they are rated: these ratings are
    apart."""
    if seat.program or (row.programs and row.rated):  # it would be its owner's, or the bot's among people
        return None
    bot = seat.kind == "bot" and not seat.guest_id
    if not bot and not (seat.kind == "guest" and seat.owner and seat.owner == seat.name):
        return None
    if seat.mu is not None:
        return strength(seat.mu, sure=bool(seat.sure))
    return strength(START.mu, sure=False) if row.rated else None
