"""Puts a house together with its staff: everything that the house does by itself."""

from __future__ import annotations

from parlour.house.house import House, Staff
from parlour.house.notify.jobs import tell
from parlour.house.ratings.matchmaking.jobs import keep_queue
from parlour.house.settings import Settings
from parlour.house.table.jobs.asking import attend
from parlour.house.table.jobs.bots import play_bots
from parlour.house.table.jobs.clocks import keep_time
from parlour.house.table.jobs.sweeping import tidy


def staffed(settings: Settings) -> House:
    """Return a house with everything that it does by itself: bots, questions, clocks, notifications and cleaning up.
    Call `open` before use."""
    return House(settings, Staff(play_bots, attend, tidy, keep_queue, keep_time, tell))
