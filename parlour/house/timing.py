"""How long a move takes at a table: from the request to the answer, stored in SQLite, without other games."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time

from parlour.core.game import Game
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.settings import Settings
from parlour.house.table.live.audience import Kept
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.play import moving, seating
from parlour.house.table.web.updates import Page, message

MOVES = 200


def time_moves(game: Game, moves: int = MOVES) -> list[dict[str, object]]:
    """Yield rows of game, players, work, rate, unit: milliseconds for a stored move, and for drawing a page's
    update."""
    stored, drawn = asyncio.run(_measure(game, moves))
    players = game.facts.players[0]
    row = {"game": game.name, "players": players, "unit": "ms (median)"}
    return [
        {**row, "work": "a move at the table, stored", "rate": _median(stored)},
        {**row, "work": "drawing the update for one page", "rate": _median(drawn)},
    ]


async def _measure(game: Game, moves: int) -> tuple[list[float], list[float]]:
    """Return the seconds for each of this many random moves, and for each page's update after them."""
    choice = random.Random(1)
    stored: list[float] = []
    drawn: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        house = await House.open(Settings(database=f"sqlite:///{folder}/parlour.db", pace=0), JOBS)
        try:
            tables = 0
            while len(stored) < moves:
                tables += 1  # new guests at each: no guest may host many unfinished tables
                guests = [Guest(f"guest-{tables}-{i}", f"Guest {i + 1}") for i in range(game.facts.players[0])]
                table_id = await _table(house, game, guests)
                table = await house.table(table_id)
                kept = [Kept() for _ in guests]
                pages = [Page(0, changes=True, packed=True) for _ in guests]
                while table.match is not None and not table.over and len(stored) < moves:
                    if table.questions.open is not None:
                        break  # it waits, so that the time doesn't reveal who was asked: use another table
                    (seat,) = deciding(table)
                    guest, before = guests[seat], table.known.version(seat)
                    body = moving.MoveBody(
                        version=before, move=choice.choice(table.match.legal_actions()), id=str(before)
                    )
                    began = time.perf_counter()
                    await moving.move(house, table_id, guest.id, body)
                    stored.append(time.perf_counter() - began)
                    began = time.perf_counter()
                    eyes = eyes_of(table, guest.id)
                    message(table, eyes, "http://localhost", pages[seat], kept[seat])
                    drawn.append(time.perf_counter() - began)
        finally:
            await house.close()
    return stored, drawn


async def _table(house: House, game: Game, guests: list[Guest]) -> str:
    seats = [seating.SeatWish("me"), *[seating.SeatWish("open")] * (len(guests) - 1)]
    table_id = await seating.create(house, guests[0], seating.TableBody(game.name, seats=seats))
    for guest in guests[1:]:
        await seating.sit(house, table_id, guest, seating.SitBody())
    await seating.start(house, table_id, guests[0], seating.StartBody())
    return table_id


def _median(seconds: list[float]) -> float:
    return round(1000 * sorted(seconds)[len(seconds) // 2], 2)
