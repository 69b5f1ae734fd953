"""Puts a house together with its staff: everything that the house does by itself."""

from __future__ import annotations

from parlour.table.house.house import House, Staff
from parlour.table.settings import Settings
from parlour.table.staff.asking import attend
from parlour.table.staff.bots import play_bots
from parlour.table.staff.clocks import keep_time
from parlour.table.staff.queueing import keep_queue
from parlour.table.staff.sweeping import tidy
from parlour.table.staff.telling import tell


def staffed(settings: Settings) -> House:
    """Return a house with everything that it does by itself: bots, questions, clocks, notifications and cleaning up.
    Call `open` before use."""
    return House(settings, Staff(play_bots, attend, tidy, keep_queue, keep_time, tell))
