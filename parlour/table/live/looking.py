"""Whether anybody looks at a table: who has a page of it open, in whatever process; and for a minute,
who has asked anything, since programs need no page.

A table at which nobody looks makes no bot's move until somebody does (`staff.bots`). It depends on
nothing that only some may know: whose turn it is, outside of secret questions, and who looks.
"""

from __future__ import annotations

import time

from parlour.table.live.table import Table
from parlour.table.storage.rows import PERSON

LASTS = 60.0  # seconds for which whoever has asked something counts as looking


def note(table: Table, guest: str) -> None:
    """This guest asks something about the table, or does something at it."""
    now = time.monotonic()
    table.asked.anybody = now
    if table.seats_of(guest):
        table.asked.player = now


def looked_at(table: Table) -> bool:
    """Whether anybody looks at the table."""
    return time.monotonic() - table.asked.anybody < LASTS or bool(table.audience.present())


def waited_for(table: Table) -> bool:
    """Whether somebody looks who plays at the table, and so waits for its bots."""
    if time.monotonic() - table.asked.player < LASTS:
        return True
    here = table.audience.present()
    return any(seat.kind in PERSON and here[seat.guest_id] for seat in table.seats)
