"""How long the standings of a season take at their largest: a club of 200 members, all of whose games are over.

    nice python -m tests.house.clubs.times

It prints the table of docs/clubs.md: what the season on the page of a club takes of the processor, what the longest of
its parts takes that no thread does (with PostgreSQL, all that reads is in the event loop), and the same in one piece.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import sqlalchemy as sa

from parlour.house.accounts.guests import Guest
from parlour.house.app import create_app
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.rows import MOST_MEMBERS
from parlour.house.clubs.seasons import pages
from parlour.house.clubs.seasons import schema as seasons
from parlour.house.settings import Settings
from parlour.house.tournaments import boards, reckoning, rows
from parlour.house.tournaments import schema as tournaments
from parlour.house.tournaments.rows import Tournament
from tests.house.clock import by_hand

TIMES = 15
TEMPO = {"bank": 300.0, "increment": 0.0, "delay": 0.0}
PLAY: dict[str, Any] = {"game": "fortune", "options": {}, "tempo": TEMPO, "seats": 2}


def fill(connection: sa.Connection, size: int) -> list[int]:
    """Store a club whose season has divisions of this size, all of whose games are over; return the sizes."""
    now, chance, members = time.time(), random.Random(1), [f"g{number}" for number in range(MOST_MEMBERS)]
    put: Callable[..., Any] = lambda table, rows: connection.execute(sa.insert(table), rows)  # noqa: E731
    put(clubs.clubs, [{"id": "club", "token": "t", "name": "Club", "likeness": "club", "about": "", "picture": "",
                       "entry": "open", "created": now}])  # fmt: skip
    put(clubs.members, [{"club_id": "club", "guest_id": one, "role": "member", "since": now} for one in members])
    put(seasons.seasons, [{"id": "s", "club_id": "club", "number": 1, "status": "running", "play": PLAY, "size": size,
                           "movers": 1, "starts": now, "created": now, "changed": now, "changes": 0}])  # fmt: skip
    divisions = [members[first : first + size] for first in range(0, MOST_MEMBERS, size)]
    for number, division in enumerate(divisions, 1):
        one = f"t{number}"
        put(tournaments.tournaments, [Tournament(
            id=one, name=one, organiser="", club_id="club", token="", game="fortune", edition="", parts={}, options={},
            given=[], origin="", seats=2, tempo=TEMPO, system="round-robin", rounds=0, length=0, through=1, third=False,
            rated=False, bots=False, bot="", most=size, seed="1f", state="running", created=now, starts_at=None,
            began=now, round=size - 1,
        )._asdict()])  # fmt: skip
        put(seasons.divisions, [{"season_id": "s", "number": number, "tournament_id": one}])
        places = list(enumerate(division, 1))
        put(seasons.entrants, [{"season_id": "s", "guest_id": guest, "entered": now, "division": number, "place": place}
                               for place, guest in places])  # fmt: skip
        put(tournaments.entrants, [{"tournament_id": one, "number": place, "guest_id": guest, "strength": 25.0,
                                    "joined": 0, "away": [], "at": now} for place, guest in places])  # fmt: skip
        for board, pair in enumerate(itertools.combinations(range(1, len(division) + 1), 2), 1):
            key, won = {"tournament_id": one, "round": 1, "board": board}, chance.randrange(2)
            put(tournaments.games, [{**key, "state": "over", "how": "played", "done": now}])
            put(tournaments.places, [{**key, "seat": seat, "entrant": entrant, "came": True, "score": seat,
                                      "share": float(seat == won)} for seat, entrant in enumerate(pair)])  # fmt: skip
    return [len(one) for one in divisions]


def read(connection: sa.Connection, number: int) -> tuple[float, float]:
    """Return the milliseconds that reading the games of a division takes, and working out its standings."""
    began = time.thread_time()
    row = rows.one(connection, f"t{number}")
    entries, games = rows.entries(connection, row.id), boards.games(connection, row.id)
    done = time.thread_time()
    reckoning.standings_of(row, entries, games)
    return 1000 * (done - began), 1000 * (time.thread_time() - done)


async def line(size: int) -> str:
    """Return a line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database=f"sqlite:///{folder}/parlour.db", pace=0, limits=False, engine="plain"))
        async with by_hand(app):
            house, guest = app.state.house, Guest("g0", "g0", claimed=True)
            divisions = await house.store.do(partial(fill, size=size))
            page, whole, part = [], [], []
            for _ in range(TIMES):
                began = time.process_time()
                await pages.season_of(house, guest, "club", leads=False, member=True)
                page.append(1000 * (time.process_time() - began))
                each = [await house.store.look(partial(read, number=number + 1)) for number in range(len(divisions))]
                whole.append(sum(map(sum, each)))
                part.append(max(reading for reading, _ in each))
    games = sum(one * (one - 1) // 2 for one in divisions)
    found = [statistics.median(some) for some in (page, part, whole)]
    return f"| {size} | {len(divisions)} | {games:,} | {found[0]:.0f} | {found[1]:.1f} | {found[2]:.0f} |"


async def main() -> None:
    """Print the table."""
    for size in (4, 8, 12):
        print(await line(size), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
