"""A house with its staff: all the jobs that it does unasked."""

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
    """Return a house with all its jobs: bots, questions, clocks, notifications and cleaning up. Call `open` before
    use."""
    return House(settings, Staff(play_bots, attend, tidy, keep_queue, keep_time, tell))
