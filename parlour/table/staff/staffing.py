"""Puts a house together with its staff: what the house does by itself."""

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
    """A house whose bots play, whose questions are seen through, whose clocks run, whose people are told, and which is
    tidied. Call `open` before use."""
    return House(settings, Staff(play_bots, attend, tidy, keep_queue, keep_time, tell))
