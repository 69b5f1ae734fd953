"""The addresses of today's game: pages, playing, and the results as data."""

from __future__ import annotations

import time

import msgspec
from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody

from parlour.games import find
from parlour.house.errors import NotFound
from parlour.house.http.answering import page
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse, TheUrl
from parlour.house.table.web.answers import Made
from parlour.house.today import deeds, pages, rows

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent


@get("/today", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(4))
async def today(request: Asked, house: TheHouse, guest: TheGuest) -> Response[bytes]:
    """Show the games of the day, one for each ruleset."""
    return await page(request, await pages.all_of_day(house, guest))


@get("/today/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(6))
async def game_of_day(
    request: Asked,
    game: FromPath[str],
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
    ruleset: FromQuery[str] = "",
    day: FromQuery[str] = "",
) -> Response[bytes]:
    """Show a ruleset's game of a day (the first ruleset and today by default): everyone's results, and, when the day
    is over, its seed."""
    found = find(game)
    which = _day(day)
    return await page(
        request,
        await pages.game_of_day(house, guest, found, deeds.ruleset_of(found, ruleset), which, shared_url),
    )


def _day(day: str) -> str:
    if (found := pages.read_day(day, time.time())) is None:
        raise NotFound(f"There is no game of that day. We keep {rows.KEPT} days, written like 2026-11-28.")
    return found


@post("/today", responses=refusals(*SENT, 404, 409), opt=TABLES.costs(3))
async def play(data: JSONBody[deeds.TodayBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Play today's game of a ruleset: everyone has the same seed and the same bots. Your first game counts; while you
    play it, this leads to its table. When it is over, each further one is practice."""
    table_id = await deeds.play(house, guest, data)
    return Made(table_id, f"{own_url}/t/{table_id}")


class TodayResult(msgspec.Struct, frozen=True):
    """A result. `name` is that of an account, "" where it is not shown; `share` is that of the win, `margin` the
    distance to the best of the others. `marks`: at ten moments, whether they were ahead (+), level (=), behind (-)."""

    rank: int
    name: str
    mine: bool
    share: float
    score: int
    margin: int
    marks: str


class TodayResults(msgspec.Struct, frozen=True):
    """A ruleset's game of a day, with the best results and your own. The commitment was published at `made` (seconds
    since 1970); `seed` is null until the day is over."""

    game: str
    ruleset: str
    day: str
    ends: float
    commitment: str | None
    made: float | None
    seed: str | None
    players: int
    results: tuple[TodayResult, ...]


@get("/games/{game:str}/today", responses=refusals(400, 404), opt=READING.costs(3))
async def results(
    game: FromPath[str], house: TheHouse, guest: TheGuest, ruleset: FromQuery[str] = "", day: FromQuery[str] = ""
) -> TodayResults:
    """Return the results of a ruleset's game of a day (the first ruleset and today by default)."""
    found, now = find(game), time.time()
    named, which = deeds.ruleset_of(found, ruleset), _day(day)
    known = await pages.look_up(house, guest, found, named, which, now)
    regard = await house.regards.of(guest.id)
    hidden = regard.muted | regard.apart
    placed = [*known.rows, *([known.place] if known.place and known.place not in known.rows else [])]
    return TodayResults(
        found.name, named, which, rows.ends(which), known.day and known.day.commitment, known.day and known.day.made,
        known.day.seed if known.day and now >= rows.ends(which) else None, known.played,
        tuple(
            TodayResult(
                one.rank, "" if one.guest_id in hidden else one.name, one.guest_id == guest.id, one.share, one.score,
                one.margin, one.marks,
            ) for one in placed
        ),
    )  # fmt: skip


API: list[HTTPRouteHandler] = [play, results]
PAGES: list[HTTPRouteHandler] = [today, game_of_day]
