"""The pages, and what is downloaded."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from parlour.games import all_games, broken_games, find
from parlour.table.errors import BadLink
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.live.eyes import Eyes
from parlour.table.live.room import Room
from parlour.table.live.showing import frame_at, log_to
from parlour.table.pages import drawing
from parlour.table.pages.views import lobby_view, table_view
from parlour.table.web.answers import record_text, step_number
from parlour.table.web.refusals import refusals

JOIN = {302: ResponseSpec(None, description="It is this guest's seat: to the table."), **refusals(400, 404, 409)}


@get("/", media_type=MediaType.HTML, responses=refusals())
async def lobby(house: NamedDependency[House], guest: NamedDependency[Guest]) -> str:
    """The lobby."""
    view = await lobby_view(house, guest)
    games = all_games()
    broken = sorted({one.name for one in broken_games()} - games.keys())
    return drawing.lobby(view, list(games.values()), broken)


@get("/t/{table:str}", media_type=MediaType.HTML, responses=refusals(400, 404, 409))
async def table(
    table: FromPath[str],
    house: NamedDependency[House],
    guest: NamedDependency[Guest],
    shared_url: NamedDependency[str],
) -> str:
    """A table."""
    room, eyes = await house.look(table, guest.id)
    return _table_page(room, eyes, guest, shared_url)


@get("/t/{table:str}/join/{token:str}", media_type=MediaType.HTML, responses=JOIN)
async def join(
    table: FromPath[str],
    token: FromPath[str],
    house: NamedDependency[House],
    guest: NamedDependency[Guest],
    shared_url: NamedDependency[str],
) -> Response[str]:
    """The table with an offer to sit: asking for a page changes nothing, as programs that preview links do so."""
    room, eyes = await house.look(table, guest.id)
    seat = next((seat for seat in room.seats if token and seat.token == token), None)
    if seat is not None and seat.guest_id == guest.id:
        return Redirect(f"/t/{table}")
    if seat is None or seat.kind != "link":
        raise BadLink("This link to a seat was used already, or taken back. Ask for a new one, or watch the game.")
    return Response(_table_page(room, eyes, guest, shared_url, token), media_type=MediaType.HTML)


def _table_page(room: Room, eyes: Eyes, guest: Guest, shared_url: str, token: str = "") -> str:
    view = table_view(room, eyes, shared_url)
    frame = frame_at(room, eyes.viewer, view.version) if room.match else None
    return drawing.table(view, guest, room.game, frame, log_to(room, eyes.viewer, view.version), token)


@get("/t/{table:str}/replay", media_type=MediaType.HTML, responses=refusals(400, 404, 409))
async def replay(
    table: FromPath[str],
    house: NamedDependency[House],
    guest: NamedDependency[Guest],
    shared_url: NamedDependency[str],
    step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
) -> str:
    """A finished game, step by step."""
    room, eyes = await house.look(table, guest.id)
    number = step_number(room, eyes.viewer, step)
    frame, log = frame_at(room, eyes.viewer, number), log_to(room, eyes.viewer, number)
    return drawing.replay(table_view(room, eyes, shared_url), guest, room.game, frame, log)


@get("/t/{table:str}/record", media_type=MediaType.TEXT, responses=refusals(400, 404, 409))
async def record(table: FromPath[str], house: NamedDependency[House]) -> Response[str]:
    """The record as text."""
    text, game = await record_text(house, table)
    headers = {"Content-Disposition": f'attachment; filename="{game}-{table}.txt"'}
    return Response(text, media_type=MediaType.TEXT, headers=headers)


@get("/rules/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404))
async def rules(game: FromPath[str], guest: NamedDependency[Guest]) -> str:
    """The rulebook, clause by clause."""
    return drawing.rules(find(game), guest)


HANDLERS: list[Any] = [lobby, table, join, replay, record, rules]
