"""Secret questions: only the player who is asked may know, so the game always continues after the same time,
whether a player was asked or not.

All are asked at the same time, and their answers wait until that time is over (`core.asking`). It is short if another
person could notice how long it takes; a person who plays against bots alone, without observers, has unlimited time
(`table.live.question.limited`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from math import inf

from parlour.bots.own import BotFault
from parlour.core.errors import ParlourError
from parlour.house.database.store import Conflict
from parlour.house.house import House
from parlour.house.table.jobs.thinking import think
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.question import Question
from parlour.house.table.live.table import Table
from parlour.house.table.play import absence
from parlour.house.table.play.moving import decide, settle

log = logging.getLogger(__name__)
RETRY = 2.0  # seconds after a failure


async def attend(house: House, table: Table, question: Question, wait: float = 0.0) -> None:
    """Handle an open question until its end: let its time pass while the bots think about it, then let the game
    continue.

    It returns early if only a person with unlimited time is missing; their answer starts it again. `wait` is the
    seconds for which another process may do the same first.
    """
    bots: dict[int, asyncio.Task[None]] = {}
    try:
        while table.questions.open is question and not (house.closing or table.gone):
            if not await _until(table, question, question.began + wait):
                continue
            for seat in [seat for seat in bots if table.seats[seat].kind != "bot"]:
                bots.pop(seat).cancel()  # a returned player answers; if they leave again, the bot is asked again
            for seat in (waiting := deciding(table)):
                if table.seats[seat].kind == "bot" and seat not in bots:
                    bots[seat] = asyncio.create_task(_think(house, table, question, seat))
                    bots[seat].add_done_callback(lambda _: question.news.set())
            end = question.due + wait
            if question.share is None:
                if not all(bot.done() for bot in bots.values()):
                    end = inf
                elif any(table.seats[seat].kind != "bot" for seat in waiting):
                    return
            try:
                if await _until(table, question, end):
                    async with house.hold(table.id) as held:
                        if held is not table:  # it was unloaded; its new copy has the question
                            return
                        if held.questions.open is question:
                            await settle(house, held)
            except Conflict:
                table.doubtful = True  # another process was faster: look at what it did
            except ParlourError as error:
                log.warning("Table %s cannot continue: %s", table.id, error)
                await asyncio.sleep(RETRY)
            except Exception:
                log.exception("Could not close the question at table %s. Trying again.", table.id)
                await asyncio.sleep(RETRY)
    finally:
        for bot in bots.values():
            bot.cancel()


async def _until(table: Table, question: Question, moment: float) -> bool:
    """Wait until this moment of the monotonic clock, or for news of the question; return whether the moment has
    come."""
    question.news.clear()
    if table.questions.open is question and (left := moment - time.monotonic()) > 0:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(question.news.wait(), left)
    return time.monotonic() >= moment


async def _think(house: House, table: Table, question: Question, seat: int) -> None:
    """Let a bot answer. If it fails, it passes; for one that the keeper brought a known one answers, in silence, as
    words at the table would show that it was asked."""
    name = table.seats[seat].bot
    try:
        action = await _answer(house, table, question, seat)
        if action is None:
            return
        async with house.hold(table.id) as held:
            # The guest may have come back, or the time may be over.
            if held.questions.open is question and held.seats[seat].bot == name and seat in deciding(held):
                await decide(house, held, seat, action)
    except Conflict:
        table.doubtful = True
    except ParlourError as error:
        log.warning("%s could not answer at table %s: %s", name, table.id, error)
    except Exception:
        log.exception("%s failed at table %s and skipped the question.", name, table.id)


async def _answer(house: House, table: Table, question: Question, seat: int) -> int | None:
    """Return a bot's answer, None if the question is over by its turn to think."""
    name = table.seats[seat].bot

    def open_still() -> bool:
        return table.questions.open is question

    try:
        return await think(house, table, seat, name, open_still)
    except BotFault as fault:
        log.warning("%s failed at table %s, and another bot answers: %s", name, table.id, fault)
        return await think(house, table, seat, absence.level(table), open_still)
