"""Tables of today's games: until the day is over, each is shown to its player alone, and the seed to no one."""

from __future__ import annotations

import time

from parlour.house.errors import NotOver
from parlour.house.table.live.table import Table
from parlour.house.table.storage.rows import TableRow
from parlour.house.today.rows import ends

SECRET = "This is someone’s game of the day. Others can see it when the day is over, at midnight UTC."


def sealed(row: TableRow) -> bool:
    """Return whether the table's seed is still secret, even if its game is over."""
    return bool(row.day) and time.time() < ends(row.day)


def must_see(table: Table, guest: str) -> None:
    """Raise NotOver if a guest may not look at a table, because they could still play the same game."""
    if sealed(table.row) and not table.seats_of(guest) and all(seat.guest_id != guest for seat in table.seats):
        raise NotOver(SECRET)
