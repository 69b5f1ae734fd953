"""The pages, and what is downloaded."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated, Any, Literal

from litestar import Response, get
from litestar.enums import MediaType
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect

from parlour.core.errors import UnknownName
from parlour.core.game import Game
from parlour.games import all_games, broken_games, find
from parlour.table.errors import BadLink, NotFound
from parlour.table.house.guests import Guest
from parlour.table.live.eyes import Eyes
from parlour.table.live.showing import frame_at, log_to
from parlour.table.live.table import Table
from parlour.table.pages import drawing, files, qr
from parlour.table.pages.lobby import lobby_view
from parlour.table.pages.page import Part, whole
from parlour.table.pages.views import table_view
from parlour.table.storage.manners import Regard
from parlour.table.web import people, telling
from parlour.table.web.answering import FOREVER, SAME, open_data, page, same
from parlour.table.web.answers import record_text, step_number
from parlour.table.web.rates import READING
from parlour.table.web.refusals import refusals
from parlour.table.web.requests import BANNED, Asked, TableId, TheGuest, TheHouse, TheUrl, guest_id

SVG = "image/svg+xml"
ROBOTS = b"""User-agent: *
Allow: /$
Allow: /rules/
Allow: /static/
Disallow: /
"""
JOIN = {302: ResponseSpec(None, description="The guest sits there: to the table."), **refusals(400, 404, 409)}


@get("/", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(4))
async def lobby(
    request: Asked,
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
    only: Annotated[Literal["tables"] | None, QueryParameter()] = None,
) -> Response[str]:
    """The lobby. With `only`, its lists of tables alone: a lobby that has no stream asks for them every
    five seconds, which at this price is a seventy-fifth of what a guest may ask for."""
    house.lobby.ask(guest.id)
    view = await lobby_view(house, guest.id)
    if only:
        return await page(request, drawing.lists(view))
    games = all_games()
    broken = sorted({one.name for one in broken_games()} - games.keys())
    return await page(request, drawing.lobby(view, guest, list(games.values()), shared_url, broken))


@get("/robots.txt", include_in_schema=False, media_type=MediaType.TEXT, opt=READING.costs(0.25))
async def robots(request: Asked) -> Response[str]:
    """What search engines may look at: the lobby and the rulebooks. The rest is about people and their games."""
    return await same(request, ROBOTS, MediaType.TEXT)


@get("/t/{table_id:str}", media_type=MediaType.HTML, responses=refusals(400, 404, 409), opt=READING.costs(5))
async def table_page(
    request: Asked, table_id: TableId, house: TheHouse, guest: TheGuest, shared_url: TheUrl
) -> Response[str]:
    """A table."""
    table, eyes = await house.look(table_id, guest.id)
    waits = table.status == "waiting" and all(seat.guest_id != guest.id for seat in table.seats)
    token = await house.store.token_for(guest.id, table_id) if waits else ""
    return await page(request, _table(table, eyes, guest, shared_url, token))


@get("/t/{table_id:str}/join/{token:str}", media_type=MediaType.HTML, responses=JOIN, opt=READING.costs(5))
async def join(
    request: Asked, table_id: TableId, token: FromPath[str], house: TheHouse, guest: TheGuest, shared_url: TheUrl
) -> Response[str]:
    """The table with an offer to sit. Requesting a page changes nothing, as programs that
    preview links do so."""
    table, eyes = await house.look(table_id, guest.id)
    if any(seat.guest_id == guest.id for seat in table.seats):  # the host, who tries the link, or the friend again
        return Redirect(f"/t/{table_id}")
    _must_lead(table, token, eyes.regard)
    answer = await page(request, _table(table, eyes, guest, shared_url, token))
    answer.headers["Referrer-Policy"] = "no-referrer"  # what it loads would tell the link to a proxy's log
    return answer


def _must_lead(table: Table, token: str, regard: Regard) -> None:
    """Raise BadLink unless a seat is kept for who has this token. (It is for nobody whom the host has blocked.)"""
    if table.row.host in regard.shut or not any(
        seat.kind == "link" and token and seat.token == token for seat in table.seats
    ):
        raise BadLink("This link to a seat was already used, or taken back. Ask for a new one, or watch the game.")


@get("/t/{table_id:str}/qr", media_type=SVG, responses=refusals(400, 404, 409), opt=READING.costs(3))
async def table_code(table_id: TableId, house: TheHouse, shared_url: TheUrl) -> bytes:
    """The table's address as a QR code."""
    async with house.hold(table_id):
        pass
    return await _code(f"{shared_url}/t/{table_id}")


@get("/t/{table_id:str}/join/{token:str}/qr", media_type=SVG, responses=refusals(400, 404, 409), opt=READING.costs(3))
async def seat_code(
    request: Asked, table_id: TableId, token: FromPath[str], house: TheHouse, shared_url: TheUrl
) -> bytes:
    """A seat's own link as a QR code, while it leads to the seat."""
    regard = await house.regards.of(guest_id(request) or "")
    async with house.hold(table_id) as table:
        _must_lead(table, token, regard)
    return await _code(f"{shared_url}/t/{table_id}/join/{token}")


async def _code(address: str) -> bytes:
    return (await asyncio.to_thread(qr.code, address)).encode()


def _table(table: Table, eyes: Eyes, guest: Guest, shared_url: str, token: str = "") -> tuple[Part, ...]:
    view = table_view(table, eyes, shared_url)
    frame = frame_at(table, eyes.viewer, view.version) if table.match else None
    ending = drawing.ending(table, eyes.viewer)
    log = log_to(table, eyes.viewer, view.version)
    mine = frame is not None and frame.scene.to_move is not None and frame.scene.to_move == view.my_seat
    mine = mine and not table.is_asked(eyes.viewer)  # FT-26: as in `updates`
    return drawing.table(view, guest, table.game, frame, log, token, ending, mine=mine)


@get("/t/{table_id:str}/replay", media_type=MediaType.HTML, responses=refusals(400, 404, 409), opt=READING.costs(4))
async def replay(
    request: Asked,
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
    step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
) -> Response[str]:
    """A finished game, step by step."""
    table, eyes = await house.look(table_id, guest.id)
    number = step_number(table, eyes.viewer, step)
    frame, log = frame_at(table, eyes.viewer, number), log_to(table, eyes.viewer, number)
    return await page(request, drawing.replay(table_view(table, eyes, shared_url), guest, table.game, frame, log))


@get("/t/{table_id:str}/record", media_type=MediaType.TEXT, responses=refusals(400, 404, 409), opt=READING.costs(3))
async def record(request: Asked, table_id: TableId, house: TheHouse) -> Response[str]:
    """The record as text."""
    text, game, over = await record_text(house, table_id)
    answer = await open_data(request, text.encode(), MediaType.TEXT)  # what not everybody may see is in none
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}-{table_id}.txt"'
    if over:
        answer.headers["Cache-Control"] = f"private, {SAME}"
    return answer


@get("/rules/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(3))
async def rules(request: Asked, game: FromPath[str]) -> Response[str]:
    """The rulebook, clause by clause: the same page for everybody."""
    return await same(request, await asyncio.to_thread(_book, find(game)), MediaType.HTML)


@get("/rules/{game:str}/sheet", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(3))
async def sheet(request: Asked, game: FromPath[str], ruleset: FromQuery[str] = "") -> Response[str]:
    """The summary of a ruleset, on one page to print: the same for everybody."""
    found = find(game)
    if ruleset and ruleset not in found.rulesets:
        raise UnknownName(f"{found.name} has no ruleset {ruleset!r}.", allowed=found.rulesets)
    made = await asyncio.to_thread(_sheet, found, ruleset or found.rulesets[0])
    return await same(request, made, MediaType.HTML)


@get("/offline", include_in_schema=False, media_type=MediaType.HTML, opt=READING.costs(0.25))
async def offline(request: Asked) -> Response[str]:
    """The page that browsers keep and show when no page can be had: the same for everybody."""
    return await same(request, whole(drawing.offline()).encode(), MediaType.HTML)


@cache
def _book(game: Game) -> bytes:
    return whole(drawing.rules(game)).encode()


@cache
def _sheet(game: Game, ruleset: str) -> bytes:
    return whole(drawing.sheet(game, ruleset)).encode()


@get("/static/{version:str}/{name:str}", include_in_schema=False, opt=READING.costs(0.25) | {BANNED: True})
async def static(request: Asked, version: FromPath[str], name: FromPath[str]) -> Response[Any]:
    """A file that pages load, at an address with the hash of what is in it.

    A page that was opened before an upgrade asks for a hash that is gone. It is sent on to the file
    as it is now, under a name that has no hash (scripts find each other there too), which every
    process of the house has: were it sent to the new hash, two processes of different versions
    could send it to and fro.
    """
    file = files.find(name)
    if file is None:
        raise NotFound(f"There is no page at {request.scope['path']}.")
    if version == file.version:
        return await same(request, file.data, file.kind, FOREVER)
    if version == files.NOW:
        return await same(request, file.data, file.kind)
    return Redirect(f"/static/{files.NOW}/{name}")


HANDLERS: list[Any] = [
    lobby,
    table_page,
    table_code,
    join,
    seat_code,
    replay,
    record,
    rules,
    sheet,
    static,
    offline,
    robots,
    *people.PAGES,
    *telling.PAGES,
]
