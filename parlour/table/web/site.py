"""The pages, and what is downloaded."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.enums import MediaType
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from parlour.games import all_games, broken_games, find
from parlour.table.errors import BadLink, NotOver
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.live.eyes import Eyes
from parlour.table.live.journal import record_of, standing
from parlour.table.live.room import Room
from parlour.table.live.showing import frame_at, log_to
from parlour.table.pages import drawing
from parlour.table.pages.views import lobby_view, table_view
from parlour.table.web.api import step_number
from parlour.table.web.requests import Asked, guest_of, house_of, share_url


@get("/", media_type=MediaType.HTML)
async def lobby(request: Asked) -> str:
    view = await lobby_view(house_of(request), await guest_of(request))
    games = all_games()
    broken = sorted({one.name for one in broken_games()} - games.keys())
    return drawing.lobby(view, list(games.values()), broken)


@get("/t/{table:str}", media_type=MediaType.HTML)
async def table(request: Asked, table: FromPath[str]) -> str:
    guest = await guest_of(request)
    room, eyes = await house_of(request).look(table, guest.id)
    return _table_page(request, room, eyes, guest, "")


@get("/t/{table:str}/join/{token:str}", media_type=MediaType.HTML)
async def join(request: Asked, table: FromPath[str], token: FromPath[str]) -> Response[str] | Redirect:
    """The table with an offer to sit: asking for a page changes nothing, as programs that preview links do so."""
    guest = await guest_of(request)
    room, eyes = await house_of(request).look(table, guest.id)
    seat = next((seat for seat in room.seats if token and seat.token == token), None)
    if seat is not None and seat.guest_id == guest.id:
        return Redirect(f"/t/{table}")
    if seat is None or seat.kind != "link":
        raise BadLink("This link to a seat was used already, or taken back. Ask for a new one, or watch the game.")
    return Response(_table_page(request, room, eyes, guest, token), media_type=MediaType.HTML)


def _table_page(request: Asked, room: Room, eyes: Eyes, guest: Guest, token: str) -> str:
    view = table_view(room, eyes, share_url(request))
    frame = frame_at(room, eyes.viewer, view.version) if room.match else None
    return drawing.table(view, guest, room.game, frame, log_to(room, eyes.viewer, view.version), token)


@get("/t/{table:str}/replay", media_type=MediaType.HTML)
async def replay(
    request: Asked, table: FromPath[str], step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None
) -> str:
    guest = await guest_of(request)
    room, eyes = await house_of(request).look(table, guest.id)
    number = step_number(room, eyes.viewer, step)
    frame, log = frame_at(room, eyes.viewer, number), log_to(room, eyes.viewer, number)
    return drawing.replay(table_view(room, eyes, share_url(request)), guest, room.game, frame, log)


@get("/t/{table:str}/record", media_type=MediaType.TEXT)
async def record(request: Asked, table: FromPath[str]) -> Response[str]:
    text, game = await record_text(house_of(request), table)
    headers = {"Content-Disposition": f'attachment; filename="{game}-{table}.txt"'}
    return Response(text, media_type=MediaType.TEXT, headers=headers)


async def record_text(house: House, table: str) -> tuple[str, str]:
    """The record of a table and the name of its game. Before the end it lacks the seed, and there is none of a game
    with hidden information (NotOver). A finished game that was played with other rules can still be had."""
    if table not in house.rooms:
        kept = await house.store.load(table)
        if kept.table.status == "over":
            steps = [(step.actor, step.action, step.text) for step in standing(kept.steps)]
            return record_of(kept.table, steps, reveal=True).to_text(), kept.table.game
    async with house.hold(table) as room:
        pass
    if not room.over and room.hidden_information:
        raise NotOver("The record holds what not everybody may see yet; it can be had when the game is over.")
    return room.record(reveal=room.over).to_text(), room.row.game


@get("/rules/{game:str}", media_type=MediaType.HTML)
async def rules(request: Asked, game: FromPath[str]) -> str:
    return drawing.rules(find(game), await guest_of(request))


HANDLERS: list[Any] = [lobby, table, join, replay, record, rules]
