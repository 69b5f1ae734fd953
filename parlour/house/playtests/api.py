"""The addresses of playtests: for designers to make and read them, for players to join, agree, note and answer."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType, RequestEncodingType
from litestar.handlers import HTTPRouteHandler
from litestar.params import Body as FromBody
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect

from parlour.core.errors import UnknownName
from parlour.games import all_games, find
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.names import default_name
from parlour.house.analysis.jobs import WAY, Analysis, Analyst
from parlour.house.errors import BadInput, BadLink, NotFound
from parlour.house.house import House
from parlour.house.http.answering import page as page_answer
from parlour.house.http.hosts import same_site
from parlour.house.http.rates import POSITION, READING, TABLES, THINKING, Price
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TableId, TheGuest, TheHouse, TheUrl, address_of, pay
from parlour.house.playtests import deeds, export, pages, rows
from parlour.house.playtests.jobs import Progress, Trials
from parlour.house.playtests.pages import Playtested
from parlour.house.playtests.questions import FREE
from parlour.house.site import drawing
from parlour.house.table.live.table import Table
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done, Made
from parlour.house.workers.queue import insist

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
Id = FromPath[str]


class Link(msgspec.Struct, frozen=True):
    """A new playtest: its id, the address of its page, and the link for players."""

    id: str
    url: str
    link: str


@post("/playtests", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(3))
async def make(data: JSONBody[deeds.PlaytestBody], house: TheHouse, guest: TheGuest, shared_url: TheUrl) -> Link:
    """Make a playtest of a game: with one edition, or two whose tables take turns. `changes` has the values that
    differ from the named `edition`, by path. The answer has the link for players."""
    made = await deeds.make(house, guest, data)
    return Link(made.id, f"{shared_url}/playtests/{made.id}", f"{shared_url}/try/{made.token}")


@post("/playtests/join", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(3))
async def join(data: JSONBody[deeds.JoinBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Sit down at a table of a playtest, by the token of its link: one that waits for players, or a new one. With
    `agree`, notes may be taken of you from now on."""
    table = await deeds.join(house, guest, data)
    return Made(table, f"{own_url}/t/{table}")


@post("/playtests/{playtest:str}/consent", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def consent(playtest: Id, data: JSONBody[deeds.ConsentBody], house: TheHouse, guest: TheGuest) -> Done:
    """Agree that notes may be taken of you at the tables of a playtest, or withdraw that: then all notes of you are
    deleted."""
    await deeds.consent(house, playtest, guest, data)
    return Done()


@post("/playtests/{playtest:str}/open", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def set_open(playtest: Id, data: JSONBody[deeds.OpenBody], house: TheHouse, guest: TheGuest) -> Done:
    """Set whether the link of your playtest opens further tables."""
    await deeds.set_open(house, playtest, guest, data)
    return Done()


@post("/playtests/{playtest:str}/delete", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def delete(
    playtest: Id,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Delete your playtest with all its notes. Its tables stay as ordinary ones."""
    await deeds.delete(house, playtest, guest)
    return Done()


@post("/tables/{table_id:str}/note", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(0.2))
async def note(table_id: TableId, data: JSONBody[deeds.NoteBody], house: TheHouse, guest: TheGuest) -> Done:
    """Note that your page refused what a clause forbids, or that you opened a clause. `done` is false if nothing
    was noted: you did not agree, or there are too many notes already."""
    return Done(await deeds.note(house, table_id, guest, data))


@post("/tables/{table_id:str}/answers", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def answers(table_id: TableId, data: JSONBody[deeds.AnswersBody], house: TheHouse, guest: TheGuest) -> Done:
    """Answer the questions after a game of a playtest, or answer them anew. `done` is false if you did not agree to
    notes."""
    return Done(await deeds.answer(house, table_id, guest, data))


@post("/playtests/{playtest:str}/bots", status_code=200, responses=refusals(*SENT, 404), opt=THINKING.costs(3))
async def let_bots_play(
    request: Asked,
    playtest: Id,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    trials: NamedDependency[Trials],
) -> Progress:
    """Let bots play the editions of your playtest, unless they have or do. The answer is that of the GET."""
    return await trials.begin(await deeds.owned(house, playtest, guest), address_of(request))


@get("/playtests/{playtest:str}/bots", responses=refusals(400, 404), opt=READING.costs(1))
async def bots_progress(playtest: Id, house: TheHouse, guest: TheGuest, trials: NamedDependency[Trials]) -> Progress:
    """Return how many games bots have played in your playtest: "waiting", "working", or "none" before the first request
    for them. Ask again until `status` is "done". Then the page of the playtest has the result."""
    return await trials.progress(await deeds.owned(house, playtest, guest))


@post("/playtests/{playtest:str}/expert", status_code=200, responses=refusals(*SENT, 404), opt=THINKING.costs(3))
async def analyse_next(
    request: Asked,
    playtest: Id,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    analyst: NamedDependency[Analyst],
) -> Progress:
    """Begin the analysis of a finished game of your playtest that has none, the first one. The answer is that of the
    GET."""
    done, total, table = await _next_game(house, await deeds.owned(house, playtest, guest))
    if table is None:
        return Progress("done", done, total)
    found = await analyst.begin(table, address_of(request))
    return Progress("working", done, total, 0 if isinstance(found, Analysis) else found.ahead)


@get("/playtests/{playtest:str}/expert", responses=refusals(400, 404), opt=READING.costs(2))
async def expert_progress(
    playtest: Id, house: TheHouse, guest: TheGuest, analyst: NamedDependency[Analyst]
) -> Progress:
    """Return how many finished games of your playtest are analysed, of those in which a player agreed to notes: "none"
    if the next is not being analysed. Ask again until `status` is "done". Then the page of the playtest has what they
    say."""
    done, total, table = await _next_game(house, await deeds.owned(house, playtest, guest))
    if table is None:
        return Progress("done", done, total)
    found = await analyst.analysis(table)
    if isinstance(found, Analysis):
        return Progress("working", done, total)
    return Progress(found.status, done, total, found.ahead)


async def _next_game(house: House, playtest: rows.Playtest) -> tuple[int, int, Table | None]:
    """Return how many finished games of a playtest are analysed, of how many, and the first that is not."""
    games = await house.store.look(partial(rows.judged, playtest=playtest.id, way=WAY))
    done, total = sum(has for _, has in games), len(games)
    missing = next((table for table, has in games if not has), None)
    return done, total, None if missing is None else await house.table(missing)


# Pages ---------------------------------------------------------------------------------------------
@get("/playtests", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(4))
async def playtests(request: Asked, house: TheHouse, guest: TheGuest) -> Response[bytes]:
    """Show your playtests, those to whose notes you agreed, and the games of which a new one can be made."""
    mine = await house.store.look(partial(rows.of_designer, guest=guest.id))
    agreed = await house.store.look(partial(rows.taking_part, guest=guest.id))
    shown = drawing.page(
        "playtests", "Playtests", guest, list(all_games().values()), script="playtests",
        mine=pages.listed(mine), choices=pages.choices(), agreed=[(one, pages.what(one)) for one, _ in agreed],
        sheet="people.css playtests.css",
    )  # fmt: skip
    return await page_answer(request, shown)


@post("/playtests", media_type=MediaType.HTML, guards=[same_site], include_in_schema=False, opt=TABLES.costs(3))
async def make_by_form(
    data: Annotated[dict[str, str], FromBody(media_type=RequestEncodingType.URL_ENCODED)],
    house: TheHouse, guest: TheGuest,
) -> Redirect:  # fmt: skip
    """Make a playtest as the form of a page of numbers does in a browser without scripts: `playtest` is the body of
    `POST /api/playtests` without the name. It leads to the page of the playtest."""
    try:
        wish = msgspec.json.decode(data.get("playtest", ""), type=dict[str, object])
        body = msgspec.convert(wish | {"name": data.get("name", "")}, deeds.PlaytestBody)
    except msgspec.DecodeError:  # what was typed is wrong, so there was nothing to send
        raise BadInput("This playtest can't be made. Go back, and check the numbers first.") from None
    made = await deeds.make(house, guest, body)
    return Redirect(f"/playtests/{made.id}", status_code=303)


@get("/playtests/{playtest:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(4))
async def playtest(
    request: Asked, playtest: Id, house: TheHouse, guest: TheGuest, shared_url: TheUrl, trials: NamedDependency[Trials]
) -> Response[bytes]:
    """Show what is known of your playtest. Each of its tables costs as much as a position."""
    known = await _known(request, house, guest, playtest)
    row, what = known.playtest, pages.what(known.playtest)
    try:
        arms = await asyncio.to_thread(pages.arms, find(row.game), known)
        trial = await trials.found(row)
    except UnknownName:
        raise NotFound(f"This house doesn't have the game {row.game} any more.") from None
    shown = drawing.page(
        "playtest", f"Playtest: {row.name}", guest, [find(row.game)], one=row, what=what, known=known, arms=arms,
        link=f"{shared_url}/try/{row.token}", script="playtests", sheet="people.css playtests.css",
        rules=pages.rules_at(row), free=FREE, most=rows.MOST_TABLES, trial=trial,
        waiting=await _waiting(house, row), parquet=export.has_parquet(),
    )  # fmt: skip
    return await page_answer(request, shown)


@get("/playtests/{playtest:str}/data", media_type="application/zip", responses=refusals(400, 404), opt=READING.costs(4))
async def data(
    request: Asked, playtest: Id, house: TheHouse, guest: TheGuest, trials: NamedDependency[Trials],
    parquet: FromQuery[bool] = False,
) -> Response[bytes]:  # fmt: skip
    """Return what is known of your playtest as CSV files in a ZIP, without names; with `parquet`, as Parquet files, if
    the house can write these. The price is as for its page."""
    if parquet and not export.has_parquet():
        raise NotFound(export.NO_PARQUET)
    known = await _known(request, house, guest, playtest)
    what = pages.what(known.playtest)
    found = await asyncio.to_thread(export.sheets, known, await trials.found(known.playtest))
    if parquet:
        packed = await insist(trials.workers, "a playtest (Parquet)", export.packed_parquet, found, what)
    else:
        packed = await asyncio.to_thread(export.packed, found, what)
    name = f"playtest-{known.playtest.id}{'-parquet' if parquet else ''}.zip"
    return Response(
        packed, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@get("/try/{token:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(4))
async def invited(request: Asked, token: FromPath[str], house: TheHouse, guest: TheGuest) -> Response[bytes]:
    """Show a playtest to someone who has its link: what is noted, who sees it, and how to stop."""
    try:
        found = await house.store.look(partial(rows.playtest, token=token))
    except NotFound:
        raise BadLink("This link isn't valid here, or its playtest was deleted.") from None
    agreed = await house.store.look(partial(rows.number_of, playtest=found.id, guest=guest.id))
    whose = (await house.guests.who(found.guest)).name or default_name(found.guest)
    games = [game] if (game := all_games().get(found.game)) else []
    shown = drawing.page(
        "try", f"Playtest: {found.name}", guest, games, one=found, what=pages.what(found), whose=whose,
        agreed=bool(agreed), rules_at=pages.rules_at(found), script="playtests", sheet="people.css playtests.css",
    )  # fmt: skip
    answer = await page_answer(request, shown)
    answer.headers["Referrer-Policy"] = "no-referrer"  # its requests would reveal the link to a proxy's log
    return answer


async def _waiting(house: House, playtest: rows.Playtest) -> int:
    """Return how many finished games of a playtest have no analysis yet."""
    games = await house.store.look(partial(rows.judged, playtest=playtest.id, way=WAY))
    return sum(not has for _, has in games)


async def _known(request: Asked, house: House, guest: Guest, playtest: str) -> Playtested:
    """Return all that is known of a guest's own playtest, which is paid for by the table. Errors: NotFound, TooFast."""
    found = await deeds.owned(house, playtest, guest)
    _, tables = await house.store.look(partial(rows.tables, playtest=found.id))
    pay(request, Price(READING, POSITION * len(tables)), guest.id)
    return await pages.read(house, guest, found)


API: list[HTTPRouteHandler] = [
    make,
    join,
    consent,
    set_open,
    delete,
    note,
    answers,
    let_bots_play,
    bots_progress,
    analyse_next,
    expert_progress,
]
PAGES: list[HTTPRouteHandler] = [playtests, make_by_form, playtest, data, invited]
