"""Secret questions (FT-26): only the player who is asked may know it, so the game goes on after the same time whether
somebody was asked or not.

Every seat that might be asked, as far as everybody knows, has its share of that time. With several persons at a table a
question that is not answered in it counts as declined; a person who plays against bots alone has all the time he wants.
"""

from __future__ import annotations

import asyncio
import logging
import time

from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE
from parlour.table.house import House
from parlour.table.play import draw, make_move
from parlour.table.room import Room, patience
from parlour.table.store import Conflict

log = logging.getLogger(__name__)
BOTS = 0.25  # of a pace that a bot has, where there is but one person
RETRY = 2.0  # seconds after a failure


def share(room: Room) -> float:
    """Seconds that each seat which might be asked has."""
    return patience(room.pace) if room.people() > 1 else BOTS * room.pace


async def attend(house: House, room: Room, wait: float = 0.0) -> None:
    """See the questions about one event through: decline for whoever does not answer in time, then let chance go on.
    Ends where somebody answers at his own time, and is started again by the answer.

    `wait`: seconds left to another process, which does the same.
    """
    while (seats := room.may_ask()) and room.match and room.asking_since and not house.closing:
        version, player = room.version, room.match.current_player
        if player != CHANCE and (room.people() < 2 or room.seats[player].kind == "bot"):
            return
        first, began = room.asking_since
        asked = version - first + 1  # each answer is a step
        due = began + wait + share(room) * (seats if player == CHANCE else min(asked, seats))
        if (left := due - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.5))  # an answer may come meanwhile
            continue
        try:
            async with house.hold(room.id) as held:
                if held.version == version and held.game.asking is not None:
                    if player == CHANCE:
                        await draw(house, held)
                    else:
                        await make_move(house, held, player, held.game.asking.PASS)
        except Conflict:
            room.doubtful = True  # another process was faster: look at what it did
        except ParlourError as error:
            log.warning("Table %s cannot go on: %s", room.id, error)
            await asyncio.sleep(RETRY)
