"""What the house does for seasons unasked: it starts those whose date has come, and ends those whose divisions have
played. Each is one transaction, so of several processes one does it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import sqlalchemy as sa

from parlour.core.errors import ParlourError
from parlour.house.clubs.seasons import deeds, rows
from parlour.house.clubs.seasons.rows import Entrant
from parlour.house.database.store import Conflict
from parlour.house.errors import AlreadyStarted, NotFound
from parlour.house.house import House
from parlour.house.tournaments import boards, reckoning
from parlour.house.tournaments import rows as tournament_rows
from parlour.house.tournaments.boards import Game
from parlour.house.tournaments.pairing.kinds import Standing
from parlour.house.tournaments.rows import Entry, Tournament

log = logging.getLogger(__name__)
BEAT = 5.0  # seconds between two looks


async def hold_seasons(house: House) -> None:
    """See to the seasons that are due, beat after beat, until the house closes."""
    while True:
        await asyncio.sleep(BEAT)
        try:
            await beat(house)
        except (ParlourError, Conflict) as error:
            log.warning("Could not look at the seasons: %s", error)
        except Exception:
            log.exception("Could not look at the seasons. Trying again.")


async def beat(house: House) -> None:
    """Start the seasons that are due, and end those whose divisions have played. Raises StoreFailed."""
    now = time.time()
    for season in await house.store.ask(partial(rows.due, now=now)):
        await _alone(season, _start(house, season, now))
    for season in await house.store.ask(rows.played):
        await _alone(season, _end(house, season, now))


async def _alone(season: str, step: Awaitable[None]) -> None:
    """Take a step of one season, whose failure delays no other."""
    try:
        await step
    except (ParlourError, Conflict) as error:
        log.warning("Season %s cannot continue: %s", season, error)
    except Exception:
        log.exception("Season %s could not continue. Trying again.", season)


async def _start(house: House, season_id: str, now: float) -> None:
    """Start a season whose date has come. If that is not possible, for example because too few have entered, it stays
    planned, without a date."""
    try:
        season = await house.store.look(partial(rows.season, season=season_id))
        owner = await deeds.owner_of(house, season.club)
        if owner is not None:
            await deeds.begin(house, season, owner)
    except (AlreadyStarted, NotFound):  # by an organiser, or it is gone
        return
    except ParlourError as error:
        log.warning("Season %s can't start: %s", season_id, error)
        await house.store.do(partial(rows.change, season_id=season_id, now=now, starts=None))


async def _end(house: House, season_id: str, now: float) -> None:
    """End a season: the standings of its tournaments say who has which place. They are over, so nothing changes there
    while a thread works them out."""
    found = await places(house, season_id)

    def finish(connection: sa.Connection) -> None:
        season = rows.season(connection, season_id, hold=True)
        if season.status == "running":
            rows.finish(connection, season, found, now)

    await house.store.do(finish)


async def places(house: House, season_id: str) -> Mapping[int, Sequence[str]]:
    """Return the players of each division, the best first, as its tournament stands. Players who are equal there, and
    all in a tournament that is gone, stay in the order of the draw. Raises StoreFailed."""
    here: dict[int, list[Entrant]] = {}
    for one in await house.store.look(partial(rows.entrants, season=season_id)):
        if one.division is not None:
            here.setdefault(one.division, []).append(one)
    found = {}
    for number, tournament in (await house.store.look(partial(rows.tournaments, season=season_id))).items():
        rank = {guest: one.place for guest, one in (await standing_in(house, tournament)).standings.items()}
        found[number] = sorted([one.guest for one in here.get(number, ())], key=partial(_place_in, rank))
    return found


def _place_in(rank: Mapping[str, int], guest: str) -> int:
    return rank.get(guest, len(rank) + 1)


class Stand(NamedTuple):
    """A division's tournament, None if it is gone; by guest how its players stand, and the tables of games in play."""

    tournament: Tournament | None
    standings: Mapping[str, Standing]
    tables: Mapping[str, str] = MappingProxyType({})


async def standing_in(house: House, tournament: str) -> Stand:
    """Return how a division stands: read on its own, so that no other request waits for all of a season, and worked out
    in a thread. Raises StoreFailed."""

    def look(connection: sa.Connection) -> tuple[Tournament, list[Entry], list[Game]] | None:
        row = tournament_rows.find(connection, tournament)
        if row is None:
            return None
        return row, tournament_rows.entries(connection, tournament), boards.games(connection, tournament)

    found = await house.store.look(look)
    if found is None:
        return Stand(None, {})
    row, entries, games = found
    standings = await asyncio.to_thread(reckoning.standings_of, row, entries, games)
    guests = {str(one.number): one.guest_id for one in entries}
    tables = {
        guests[str(place.entrant)]: game.table_id for game in games if game.state == "playing" and game.table_id
        for place in game.places if str(place.entrant) in guests
    }  # fmt: skip
    return Stand(row, {guests[one.id]: one for one in standings if one.id in guests}, tables)
