"""The view that a guest has of a table: worked out only here, once for each request.

Pass-and-play: several seats can be played on one guest's device (those of kind "here", besides their own). If the game
hides nothing from any seat, the page simply shows the view of the player who must decide. Otherwise a curtain falls
when the decision passes to another seat of the same device: until that player lifts it (`table.play.passing`) the page
gets only what spectators get. The seat that the device shows is stored (`in_hand`), so a reload, another tab or another
process cannot lift the curtain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from parlour.core.scene import SPECTATOR
from parlour.house.social.rows import NOBODY, Regard, parties
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.table import Table
from parlour.house.table.storage.rows import SeatRow, TableRow


@dataclass(frozen=True, slots=True)
class Eyes:
    """What one guest may see of a table, as long as nothing happens there.

    seats   those that are played on the guest's device
    seat    the one that they play now: their only one, or the one for which the curtain is open; None for a spectator
    viewer  what they may see: the view of a seat, or what spectators see
    behind  the seat that waits behind the curtain for the device, or None
    regard  the people whom the guest has muted or blocked, or who have blocked them
    """

    guest: str
    seats: tuple[int, ...] = ()
    seat: int | None = None
    viewer: int = SPECTATOR
    behind: int | None = None
    regard: Regard = NOBODY


def eyes_of(table: Table, guest: str, regard: Regard = NOBODY) -> Eyes:
    """Work out which view of the table the guest has now."""
    seats = table.seats_of(guest)
    if len(seats) < 2:
        seat = seats[0] if seats else None
        return Eyes(guest, seats, seat, SPECTATOR if seat is None else seat, regard=regard)
    player = next((seat for seat in deciding(table) if seat in seats), None)
    in_hand = table.row.in_hand
    if table.hidden_information:
        behind = player if player != in_hand else None
        if in_hand not in seats:
            return Eyes(guest, seats, seats[0], behind=behind, regard=regard)
        return Eyes(guest, seats, in_hand, in_hand if behind is None else SPECTATOR, behind, regard)
    if player is None:
        actors = (table.history.actor(place) for place in reversed(range(table.version)))
        player = next((actor for actor in actors if actor in seats), seats[0])
    return Eyes(guest, seats, player, player, regard=regard)


def shut_out(row: TableRow, seats: Iterable[SeatRow], guest: str, shut: Collection[str]) -> bool:
    """Return whether someone at a waiting table has blocked a guest who neither sits nor hosts there. They see its free
    seats as reserved for others, so the page doesn't reveal that they are blocked."""
    if row.status != "waiting" or not shut:
        return False
    there = parties(row.host, seats)
    return guest not in there and not there.isdisjoint(shut)


def same_story(table: Table, one: int, other: int) -> bool:
    """Return whether two viewers get the same steps and lines, so that a page can continue from one to
    the other."""
    return one == other or (SPECTATOR not in (one, other) and not table.hidden_information)
