"""Bots at a table: they think elsewhere, take the time that people need to follow, and move like everyone else.

At a table that no one is looking at, they wait until someone does (`table.live.looking`). So a house with a thousand
abandoned tables plays at none of them, and loads none after a start.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from parlour.bots.own import BotFault
from parlour.core.errors import ParlourError
from parlour.house.database.store import Conflict
from parlour.house.house import House
from parlour.house.table.jobs.thinking import think
from parlour.house.table.live.deciding import bot_to_move
from parlour.house.table.live.looking import looked_at
from parlour.house.table.live.table import Table
from parlour.house.table.play.moving import make_move
from parlour.house.table.play.substituting import substitute

log = logging.getLogger(__name__)
RETRY = (1.0, 2.0, 5.0, 10.0, 30.0)  # seconds between tries when the store or a bot fails


async def play_bots(house: House, table: Table, wait: float = 0.0) -> None:
    """Make the bots' moves until it is a person's turn, no one is looking or the game is over.

    `wait` is for how many seconds the process that made the last move may play its bots first.
    """
    failures, left = 0, wait
    while True:
        if left and looked_at(table):
            version = table.version
            await table.work.pause(left)
            if table.version != version:
                continue
            left = 0.0  # the other process does not play them
        seat = bot_to_move(table)
        if seat is None or house.closing or not looked_at(table):
            table.work.hurry.clear()
            return
        version, bot = table.version, table.seats[seat].bot
        began = time.monotonic()
        try:
            if (due := table.course.due(table.match)) is not None:
                action = due[1]
            else:
                try:
                    chosen = await think(house, table, seat, bot, partial(_is_at, table, version))
                except BotFault as fault:
                    log.warning("%s failed at table %s, and another bot plays on: %s", bot, table.id, fault)
                    if (held := await substitute(house, table.id, seat, bot)) is not table:
                        house.go_on(held)
                        return
                    continue
                if chosen is None:
                    continue
                action = chosen
            await table.work.pause(table.pace - (time.monotonic() - began))
            async with house.hold(table.id) as held:
                if held is not table:  # it was unloaded; the bots continue at its new copy
                    house.go_on(held)
                    return
                # The guest may have come back, or another process may have been faster.
                if held.version == version and bot_to_move(held) == seat and held.seats[seat].bot == bot:
                    await make_move(house, held, seat, action)
                    house.measures.moves.labels(held.game.name, "bots", "made").inc()
                    failures = 0
        except Conflict:
            table.doubtful = True  # another process moved first: look at what it did
            left = wait
        except ParlourError as error:
            log.warning("%s could not move at table %s: %s", bot, table.id, error)
            await asyncio.sleep(RETRY[min(failures, len(RETRY) - 1)])
            failures += 1
        except Exception:
            log.exception("%s failed at table %s. Asking it again.", bot, table.id)
            await asyncio.sleep(RETRY[min(failures, len(RETRY) - 1)])
            failures += 1


def _is_at(table: Table, version: int) -> bool:
    return table.version == version and looked_at(table)
