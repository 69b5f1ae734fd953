"""The jobs of a house: all that it does unasked."""

from __future__ import annotations

from parlour.house.clubs.seasons.jobs import hold_seasons
from parlour.house.house import Jobs
from parlour.house.notify.jobs import tell
from parlour.house.ratings.matchmaking.jobs import keep_queue
from parlour.house.table.jobs.asking import attend
from parlour.house.table.jobs.bots import play_bots
from parlour.house.table.jobs.clocks import keep_time
from parlour.house.table.jobs.sweeping import tidy
from parlour.house.tournaments.jobs import hold_tournaments

JOBS = Jobs(play_bots, attend, tidy, keep_queue, keep_time, hold_tournaments, hold_seasons, tell)
