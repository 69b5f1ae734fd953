"""The pages, and what is downloaded."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.enums import MediaType
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from parlour.games import all_games, broken_games, find
from parlour.table.errors import BadLink
from parlour.table.house.guests import Guest
from parlour.table.live.eyes import Eyes
from parlour.table.live.showing import frame_at, log_to
from parlour.table.live.table import Table
from parlour.table.pages import drawing
from parlour.table.pages.views import lobby_view, table_view
from parlour.table.web.answers import record_text, step_number
from parlour.table.web.refusals import refusals
from parlour.table.web.requests import TableId, TheGuest, TheHouse, TheUrl

JOIN = {302: ResponseSpec(None, description="It is this guest's seat: to the table."), **refusals(400, 404, 409)}


@get("/", media_type=MediaType.HTML, responses=refusals())
async def lobby(house: TheHouse, guest: TheGuest) -> str:
    """The lobby."""
    view = await lobby_view(house, guest)
    games = all_games()
    broken = sorted({one.name for one in broken_games()} - games.keys())
    return drawing.lobby(view, list(games.values()), broken)


@get("/t/{table_id:str}", media_type=MediaType.HTML, responses=refusals(400, 404, 409))
async def table_page(table_id: TableId, house: TheHouse, guest: TheGuest, shared_url: TheUrl) -> str:
    """A table."""
    table, eyes = await house.look(table_id, guest.id)
    return _page(table, eyes, guest, shared_url)


@get("/t/{table_id:str}/join/{token:str}", media_type=MediaType.HTML, responses=JOIN)
async def join(
    table_id: TableId, token: FromPath[str], house: TheHouse, guest: TheGuest, shared_url: TheUrl
) -> Response[str]:
    """The table with an offer to sit. Requesting a page changes nothing, as programs that
    preview links do so."""
    table, eyes = await house.look(table_id, guest.id)
    seat = next((seat for seat in table.seats if token and seat.token == token), None)
    if seat is not None and seat.guest_id == guest.id:
        return Redirect(f"/t/{table_id}")
    if seat is None or seat.kind != "link":
        raise BadLink("This link to a seat was used already, or taken back. Ask for a new one, or watch the game.")
    return Response(_page(table, eyes, guest, shared_url, token), media_type=MediaType.HTML)


def _page(table: Table, eyes: Eyes, guest: Guest, shared_url: str, token: str = "") -> str:
    view = table_view(table, eyes, shared_url)
    frame = frame_at(table, eyes.viewer, view.version) if table.match else None
    return drawing.table(view, guest, table.game, frame, log_to(table, eyes.viewer, view.version), token)


@get("/t/{table_id:str}/replay", media_type=MediaType.HTML, responses=refusals(400, 404, 409))
async def replay(
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
    step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
) -> str:
    """A finished game, step by step."""
    table, eyes = await house.look(table_id, guest.id)
    number = step_number(table, eyes.viewer, step)
    frame, log = frame_at(table, eyes.viewer, number), log_to(table, eyes.viewer, number)
    return drawing.replay(table_view(table, eyes, shared_url), guest, table.game, frame, log)


@get("/t/{table_id:str}/record", media_type=MediaType.TEXT, responses=refusals(400, 404, 409))
async def record(table_id: TableId, house: TheHouse) -> Response[str]:
    """The record as text."""
    text, game = await record_text(house, table_id)
    headers = {"Content-Disposition": f'attachment; filename="{game}-{table_id}.txt"'}
    return Response(text, media_type=MediaType.TEXT, headers=headers)


@get("/rules/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404))
async def rules(game: FromPath[str], guest: TheGuest) -> str:
    """The rulebook, clause by clause."""
    return drawing.rules(find(game), guest)


HANDLERS: list[Any] = [lobby, table_page, join, replay, record, rules]
