"""The pages, and the files to download."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from typing import Annotated, Literal

from litestar import Response, get
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect

from parlour.core.errors import UnknownName
from parlour.core.game import Game
from parlour.games import all_games, broken_games, find
from parlour.house.accounts import api as account_api
from parlour.house.accounts.guests import Guest
from parlour.house.analysis import pages as analysis_pages
from parlour.house.clubs import api as club_api
from parlour.house.clubs.calendars import api as calendar_api
from parlour.house.editions import api as edition_api
from parlour.house.errors import BadLink, NotFound
from parlour.house.house import House
from parlour.house.http.answering import FOREVER, SAME, open_data, page, same
from parlour.house.http.page import Part, whole
from parlour.house.http.rates import READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import BANNED, Asked, TableId, TheGuest, TheHouse, TheUrl, guest_id
from parlour.house.invitations import rows as invitation_rows
from parlour.house.lobby.pages import lobby_view
from parlour.house.notify import api as notify_api
from parlour.house.playtests import api as playtest_api
from parlour.house.playtests import rows as playtest_rows
from parlour.house.profiles import api as profile_api
from parlour.house.puzzles import api as puzzle_api
from parlour.house.puzzles import pages as puzzle_pages
from parlour.house.site import drawing, files, qr
from parlour.house.site.drawing import Offer
from parlour.house.social.rows import Regard
from parlour.house.table.live.deciding import is_asked
from parlour.house.table.live.eyes import Eyes
from parlour.house.table.live.showing import frame_at, log_to
from parlour.house.table.live.table import Table
from parlour.house.table.pages import endings
from parlour.house.table.pages.views import table_view
from parlour.house.table.web.answers import record_text, step_number
from parlour.house.today import api as today_api
from parlour.house.today import pages as today_pages
from parlour.house.tournaments import api as tournament_api
from parlour.house.tournaments import boards as tournament_boards
from parlour.house.tournaments import lists as tournament_lists
from parlour.house.tournaments import pages as tournament_pages
from parlour.house.tournaments import stream as tournament_stream

SVG = "image/svg+xml"
ROBOTS = b"""User-agent: *
Allow: /$
Allow: /rules/
Allow: /help$
Allow: /about$
Allow: /contact$
Allow: /privacy$
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
) -> Response[bytes]:
    """Show the lobby. With `only`, return its table lists alone: a lobby without a stream asks for them every
    five seconds, which costs a seventy-fifth of a guest's allowance."""
    house.lobby.ask(guest.id)
    view = await lobby_view(house, guest.id)
    if only:
        return await page(request, drawing.lists(view))
    games = all_games()
    broken = sorted({one.name for one in broken_games()} - games.keys())
    today = await today_pages.card(house, guest.id), await puzzle_pages.daily_card(house, guest.id)
    cups = tournament_pages.line(await house.store.look(partial(tournament_lists.glance, guest=guest.id)))
    drawn = drawing.lobby(
        view, guest, list(games.values()), shared_url, broken, today=today, cups=cups, leads=cups.cup is not None
    )
    return await page(request, drawn)


@get("/robots.txt", include_in_schema=False, media_type=MediaType.TEXT, opt=READING.costs(0.25))
async def robots(request: Asked) -> Response[bytes]:
    """Return what search engines may index: the lobby, the rulebooks, the pages about the
    house. The rest is about people and their games."""
    return await same(request, ROBOTS, MediaType.TEXT)


@get("/t/{table_id:str}", media_type=MediaType.HTML, responses=refusals(400, 404, 409), opt=READING.costs(5))
async def table_page(
    request: Asked, table_id: TableId, house: TheHouse, guest: TheGuest, shared_url: TheUrl
) -> Response[bytes]:
    """Show a table."""
    table, eyes = await house.look(table_id, guest.id)
    waits = table.status == "waiting" and all(seat.guest_id != guest.id for seat in table.seats)
    kept = partial(invitation_rows.token_for, guest=guest.id, table_id=table_id)
    token = await house.store.ask(kept) if waits else ""
    return await page(request, await _table(house, table, eyes, guest, shared_url, token))


@get("/t/{table_id:str}/join/{token:str}", media_type=MediaType.HTML, responses=JOIN, opt=READING.costs(5))
async def join(
    request: Asked, table_id: TableId, token: FromPath[str], house: TheHouse, guest: TheGuest, shared_url: TheUrl
) -> Response[bytes]:
    """Show the table with an offer to sit. Requesting the page changes nothing, because programs that preview
    links request it too."""
    table, eyes = await house.look(table_id, guest.id)
    if any(seat.guest_id == guest.id for seat in table.seats):  # the host, who tries the link, or the friend again
        return Redirect(f"/t/{table_id}")
    _must_lead(table, token, eyes.regard)
    answer = await page(request, await _table(house, table, eyes, guest, shared_url, token))
    answer.headers["Referrer-Policy"] = "no-referrer"  # its requests would reveal the link to a proxy's log
    return answer


def _must_lead(table: Table, token: str, regard: Regard) -> None:
    """Raise BadLink unless a seat is reserved for this token. (It is not for guests whom the host has blocked.)"""
    if table.row.host in regard.shut or not any(
        seat.kind == "link" and token and seat.token == token for seat in table.seats
    ):
        raise BadLink("This link to a seat was already used, or taken back. Ask for a new one, or watch the game.")


@get("/t/{table_id:str}/qr", media_type=SVG, responses=refusals(400, 404, 409), opt=READING.costs(3))
async def table_code(table_id: TableId, house: TheHouse, shared_url: TheUrl) -> bytes:
    """Return the table's address as a QR code (SVG), to scan from a screen."""
    async with house.hold(table_id):
        pass
    return await _code(f"{shared_url}/t/{table_id}")


@get("/t/{table_id:str}/join/{token:str}/qr", media_type=SVG, responses=refusals(400, 404, 409), opt=READING.costs(3))
async def seat_code(
    request: Asked, table_id: TableId, token: FromPath[str], house: TheHouse, shared_url: TheUrl
) -> bytes:
    """Return a seat's own link as a QR code (SVG), while the link still leads to the seat."""
    regard = await house.regards.of(guest_id(request) or "")
    async with house.hold(table_id) as table:
        _must_lead(table, token, regard)
    return await _code(f"{shared_url}/t/{table_id}/join/{token}")


async def _code(address: str) -> bytes:
    return (await asyncio.to_thread(qr.code, address)).encode()


async def _table(house: House, table: Table, eyes: Eyes, guest: Guest, shared_url: str, token: str) -> tuple[Part, ...]:
    """Draw a table's page. A table of a playtest also asks for consent, which costs a look into the database."""
    stand = partial(playtest_rows.stand, playtest=table.row.playtest, table=table.id, guest=guest.id)
    playtest = await house.store.look(stand) if table.row.playtest else None
    cup = partial(tournament_boards.tournament_at, table_id=table.id)
    found = await house.store.look(cup) if table.row.tournament else None
    offer = Offer(token, playtest, tournament_pages.line_at(*found) if found else None)
    view = table_view(table, eyes, shared_url)
    frame = frame_at(table, eyes.viewer, view.version) if table.match else None
    ending = endings.ending(table, eyes.viewer)
    log = log_to(table, eyes.viewer, view.version)
    mine = frame is not None and frame.scene.to_move is not None and frame.scene.to_move == view.my_seat
    mine = mine and not is_asked(table, eyes.viewer)  # a secret question, as in `updates`
    return drawing.table(view, guest, table.game, frame, log, offer, ending, mine=mine)


@get("/t/{table_id:str}/replay", media_type=MediaType.HTML, responses=refusals(400, 404, 409), opt=READING.costs(4))
async def replay(
    request: Asked,
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
    step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
    entry: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
) -> Response[bytes]:
    """Show a finished game, step by step. A `step` is counted as you saw the game; an `entry`, which is the same for
    everyone, counts the entries of its journal."""
    table, eyes = await house.look(table_id, guest.id)
    if entry is not None:
        step = table.known.version_at(eyes.viewer, entry)
    number = step_number(table, eyes.viewer, step)
    frame, log = frame_at(table, eyes.viewer, number), log_to(table, eyes.viewer, number)
    view, graph = table_view(table, eyes, shared_url), analysis_pages.draw(table, eyes.viewer, (), whole=False)
    return await page(request, drawing.replay(view, guest, table.game, frame, log, graph))


@get("/t/{table_id:str}/record", media_type=MediaType.TEXT, responses=refusals(400, 404, 409), opt=READING.costs(3))
async def record(request: Asked, table_id: TableId, house: TheHouse) -> Response[bytes]:
    """Return the record as text."""
    text, game, over = await record_text(house, table_id)
    answer = await open_data(request, text.encode(), MediaType.TEXT)  # it contains nothing that not everyone may see
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}-{table_id}.txt"'
    if over:
        answer.headers["Cache-Control"] = f"private, {SAME}"
    return answer


@get("/rules/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(3))
async def rules(request: Asked, game: FromPath[str]) -> Response[bytes]:
    """Show the rulebook clause by clause, the same page for everyone. `#AB-6` leads to a clause; `ruleset`
    opens one ruleset."""
    return await same(request, await asyncio.to_thread(_book, find(game)), MediaType.HTML)


@get("/rules/{game:str}/sheet", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(3))
async def sheet(request: Asked, game: FromPath[str], ruleset: FromQuery[str] = "") -> Response[bytes]:
    """Show the summary of a ruleset on one page to print, the same for everyone."""
    found = find(game)
    if ruleset and ruleset not in found.rulesets:
        raise UnknownName(f"{found.name} has no ruleset {ruleset!r}.", allowed=found.rulesets)
    made = await asyncio.to_thread(_sheet, found, ruleset or found.rulesets[0])
    return await same(request, made, MediaType.HTML)


@get("/help", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(1))
async def help_page(request: Asked, house: TheHouse) -> Response[bytes]:
    """Show how to play, to invite, and what to do if something breaks: the same for everyone."""
    return await _words(request, house, "help")


@get("/about", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(1))
async def about(request: Asked, house: TheHouse) -> Response[bytes]:
    """Show what Parlour is, and which games this house has: the same for everyone."""
    return await _words(request, house, "about")


@get("/contact", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(1))
async def contact(request: Asked, house: TheHouse) -> Response[bytes]:
    """Show where the keepers of the house can be reached: the same for everyone."""
    return await _words(request, house, "contact")


@get("/privacy", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(1))
async def privacy(request: Asked, house: TheHouse) -> Response[bytes]:
    """Show what is stored, for how long, and how to export and delete it: the same for everyone."""
    return await _words(request, house, "privacy")


async def _words(request: Asked, house: House, name: str) -> Response[bytes]:
    facts = drawing.HouseFacts(house.settings.contact, house.post is not None, house.settings.keep)
    drawn = drawing.words(name, facts, tuple(all_games().values()))
    return await same(request, whole(drawn).encode(), MediaType.HTML)


@get("/offline", include_in_schema=False, media_type=MediaType.HTML, opt=READING.costs(0.25))
async def offline(request: Asked) -> Response[bytes]:
    """Return the page that browsers store and show without a connection: the same for everyone."""
    return await same(request, whole(drawing.offline()).encode(), MediaType.HTML)


@cache
def _book(game: Game) -> bytes:
    return whole(drawing.rules(game)).encode()


@cache
def _sheet(game: Game, ruleset: str) -> bytes:
    return whole(drawing.sheet(game, ruleset)).encode()


@get("/static/{version:str}/{name:str}", include_in_schema=False, opt=READING.costs(0.25) | {BANNED: True})
async def static(request: Asked, version: FromPath[str], name: FromPath[str]) -> Response[bytes] | Redirect:
    """Return a file that pages load, at an address with the hash of its content.

    A page opened before an upgrade asks for an old hash. It is redirected to the current file under a name without a
    hash (at which scripts also find each other), because every process of the house has that. Redirects to the new hash
    could loop between two processes of different versions.
    """
    file = files.find(name)
    if file is None:
        raise NotFound(f"There is no page at {request.scope['path']}.")
    if version == file.version:
        return await same(request, file.data, file.kind, FOREVER)
    if version == files.NOW:
        return await same(request, file.data, file.kind)
    return Redirect(f"/static/{files.NOW}/{name}")


HANDLERS: list[HTTPRouteHandler] = [
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
    help_page,
    about,
    contact,
    privacy,
    robots,
    *account_api.PAGES,
    *notify_api.PAGES,
    *edition_api.PAGES,
    *playtest_api.PAGES,
    *today_api.PAGES,
    *puzzle_api.PAGES,
    *tournament_api.PAGES,
    *tournament_stream.PAGES,
    *profile_api.PAGES,
    *club_api.PAGES,
    *calendar_api.PAGES,
]
