"""The addresses of tournaments: reading, organising, taking part, and the results as files."""

from __future__ import annotations

import asyncio
from typing import Literal

import msgspec
from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody

from parlour.house.errors import BadInput
from parlour.house.http.answering import open_data
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse, TheUrl
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done, Made
from parlour.house.tournaments import deeds, export, reading
from parlour.house.tournaments.reading import Games, Standings, Tournaments, TournamentView
from parlour.house.tournaments.rows import UNDER_WAY, State

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
FILE = "application/octet-stream"  # that is stored, not shown
Id = FromPath[str]
Which = Literal["under-way", "announced", "running", "over", "cancelled"]
STATES: dict[Which, tuple[State, ...]] = {
    "under-way": UNDER_WAY, "announced": ("announced",), "running": ("running",), "over": ("over",),
    "cancelled": ("cancelled",),
}  # fmt: skip


class Entered(msgspec.Struct, frozen=True):
    """Your number in a tournament."""

    entrant: int


@get("/tournaments", responses=refusals(400), opt=READING.costs(3))
async def listing(
    house: TheHouse, guest: TheGuest, which: FromQuery[Which] = "under-way", game: FromQuery[str] = "",
    mine: FromQuery[bool] = False, page: FromQuery[int] = 0,
) -> Tournaments:  # fmt: skip
    """Return tournaments, 30 at a time: those in progress first and then the next to start, or the last that ended;
    with `mine`, those that you organise or have joined. Those that need a link are only in that list."""
    if not 0 <= page <= 10_000:
        raise BadInput("Pages are numbered from 0 to 10,000.")
    return await reading.listed(house, guest, STATES[which], game=game, mine=mine, page=page)


@post("/tournaments", responses=refusals(*SENT, 404, 409), opt=TABLES.costs(3))
async def make(data: JSONBody[deeds.TournamentBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Announce a tournament, for which you need an account. What is played is said as for a table; with `position` all
    games begin at a step of a finished game's replay. It starts at `starts_at`, or earlier when you start it. With
    `link`, people need its link to join (the answer of GET has its token). With `bots`, bots fill missing seats."""
    row = await deeds.create(house, guest, data)
    return Made(row.id, f"{own_url}/tournaments/{row.id}")


@get("/tournaments/{tournament:str}", responses=refusals(400, 404), opt=READING.costs(2))
async def read(tournament: Id, house: TheHouse, guest: TheGuest) -> TournamentView:
    """Return a tournament, with the tables of your games in progress."""
    return await reading.view(house, guest, tournament)


@get("/tournaments/{tournament:str}/standings", responses=refusals(400, 404), opt=READING.costs(4))
async def standings(request: Asked, tournament: Id, house: TheHouse, guest: TheGuest) -> Response[Standings]:
    """Return how everyone stands, the best first."""
    found = await reading.standings(house, guest, tournament)
    return await open_data(request, msgspec.json.encode(found), MediaType.JSON)


@get("/tournaments/{tournament:str}/games", responses=refusals(400, 404), opt=READING.costs(4))
async def games(
    request: Asked, tournament: Id, house: TheHouse, number: FromQuery[int | None] = None,
    entrant: FromQuery[int | None] = None,
) -> Response[Games]:  # fmt: skip
    """Return the games of round `number`, or those of an entrant, or the last 100 that were paired, the newest
    first."""
    found = await reading.games(house, tournament, number=number, entrant=entrant)
    return await open_data(request, msgspec.json.encode(found), MediaType.JSON)


@post("/tournaments/{tournament:str}/join", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def join(tournament: Id, data: JSONBody[deeds.EnterBody], house: TheHouse, guest: TheGuest) -> Entered:
    """Join a tournament, for which you need an account, or come back after leaving. `token` is that of its link, if it
    needs one."""
    return Entered((await deeds.join(house, guest, tournament, data)).number)


@post("/tournaments/{tournament:str}/leave", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def leave(
    tournament: Id,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Leave a tournament. A game in progress continues; if you don't play it, you lose it."""
    await deeds.leave(house, guest, tournament)
    return Done()


@post("/tournaments/{tournament:str}/start", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def start(
    tournament: Id,
    data: JSONBody[Body],  # noqa: ARG001 - as above
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Start your tournament now."""
    await deeds.start(house, guest, tournament)
    return Done()


@post("/tournaments/{tournament:str}/cancel", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def cancel(
    tournament: Id,
    data: JSONBody[Body],  # noqa: ARG001 - as above
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Cancel your tournament. Games in progress continue at their tables."""
    await deeds.cancel(house, guest, tournament)
    return Done()


@post("/tournaments/{tournament:str}/remove", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def remove(tournament: Id, data: JSONBody[deeds.EntrantBody], house: TheHouse, guest: TheGuest) -> Done:
    """Remove an entrant from your tournament for good. Their game in progress continues."""
    await deeds.remove(house, guest, tournament, data)
    return Done()


@get("/tournaments/{tournament:str}/results", media_type=FILE, responses=refusals(400, 404, 409),
     opt=READING.costs(5))  # fmt: skip
async def results(request: Asked, tournament: Id, house: TheHouse, trf: FromQuery[bool] = False) -> Response[bytes]:
    """Return the results of a tournament as a file: JSON; with `trf`, FIDE's tournament report (TRF16), for tables of
    two that play in rounds."""
    found = await reading.known(house, tournament)
    text = await asyncio.to_thread(export.as_trf if trf else export.as_json, found)
    answer = await open_data(request, text.encode(), FILE)
    name = f"tournament-{found.tournament.id}.{'trf' if trf else 'json'}"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


API: list[HTTPRouteHandler] = [listing, make, read, standings, games, join, leave, start, cancel, remove]
PAGES: list[HTTPRouteHandler] = [results]
