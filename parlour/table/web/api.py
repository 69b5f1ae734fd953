"""The addresses under /api: JSON in, JSON out. `GET /schema` describes them for programs, docs/architecture.md for
people."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType
from litestar.params import FromQuery, HeaderParameter, JSONBody, QueryParameter

from parlour.table.house.guests import Guest
from parlour.table.live.eyes import Eyes
from parlour.table.live.table import Table
from parlour.table.pages import graph
from parlour.table.play import (
    agreeing,
    hinting,
    inviting,
    learning,
    moving,
    onward,
    passing,
    seating,
    talk,
    terms,
    undoing,
)
from parlour.table.staff.analysing import Analyst
from parlour.table.web import lobbying, manners, passkeys, people, telling
from parlour.table.web.answering import accepts, apart, open_data
from parlour.table.web.answers import (
    Done,
    Made,
    Moved,
    ReplayStep,
    Said,
    Seated,
    TableState,
    in_parts,
    replay_step,
    steps_asked,
    table_state,
)
from parlour.table.web.compression import takes_gzip
from parlour.table.web.hosts import same_site
from parlour.table.web.places import Place
from parlour.table.web.rates import GIVEN, MOVES, PAST, POSITION, READING, TABLES, TALK, THINKING, Price
from parlour.table.web.refusals import refusals
from parlour.table.web.requests import (
    PULSE_LENGTH,
    Asked,
    TableId,
    TheGuest,
    TheHouse,
    TheUrl,
    address_of,
    pay,
    pulse_of,
)
from parlour.table.web.stream import Following, events, stream_heads
from parlour.table.web.updates import MOST_FRAMES, Page

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
TABLE = (404, 409)  # there may be no such table, or it was played with other rules


class NameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name to use."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


@get("/me", responses=refusals(403), opt=READING.costs(1))
async def me(guest: TheGuest) -> Guest:
    """Return who I am. A visitor without a cookie becomes a new guest and gets one."""
    return guest


@post("/me", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def rename(data: JSONBody[NameBody], house: TheHouse, guest: TheGuest) -> Guest:
    """Change my name. Waiting tables and games in progress show it at once."""
    renamed = await house.guests.rename(guest.id, data.name)
    await house.met_again(guest.id)
    for table_id in await house.store.named_at(guest.id):
        await house.learn(table_id)
    return renamed


@post("/tables", responses=refusals(*SENT, 404, 409), opt=TABLES.costs(3))
async def create(data: JSONBody[seating.TableBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Create a table. The game starts at once if no seat is left for another person."""
    table_id = await seating.create(house, guest, data)
    return Made(table_id, f"{own_url}/t/{table_id}")


@post("/lessons", responses=refusals(*SENT, 409), opt=TABLES.costs(3))
async def learn(data: JSONBody[learning.LessonBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Create a table that begins with a game's lesson. After the lesson, bots continue the game with the learner."""
    table_id = await learning.learn(house, guest, data)
    return Made(table_id, f"{own_url}/t/{table_id}")


@get("/tables/{table_id:str}", responses=refusals(400, 403, *TABLE), opt=READING.costs(3))
async def read(
    request: Asked, table_id: TableId, house: TheHouse, guest: TheGuest, shared_url: TheUrl
) -> Response[TableState]:
    """Return the table as this guest sees it: its seats and settings, the scene, and the legal moves on their turn."""
    table, eyes = await house.look(table_id, guest.id)
    return await apart(request, in_parts(table_state(table, eyes, shared_url)), MediaType.JSON)


async def page_of(
    request: Asked,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
    since: FromQuery[int | None] = None,
    eyes: FromQuery[int | None] = None,
    have: FromQuery[str | None] = None,
    hidden: FromQuery[int | None] = None,
    pulse: FromQuery[str | None] = None,
) -> Page:
    """Read what a page says about itself when it asks for a stream."""
    last = last or ""
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1 if since is None else since
    scene, _, section = (have or "").partition(".")
    packed = takes_gzip(accepts(request))
    said = pulse_of(request, pulse)
    return Page(seen, eyes, scene, section, changes=have is not None, packed=packed, hidden=hidden or 0, pulse=said)


def missed_by(page: Page, version: int) -> int:
    """Return how many positions a page is sent first, at a table of this version."""
    missed = version - page.version
    return missed if page.version >= 0 and 1 <= missed <= MOST_FRAMES else 1


@get(
    "/tables/{table_id:str}/events",
    media_type="text/event-stream",
    responses=refusals(400, 403, *TABLE, 429),
    dependencies={"page": Provide(page_of)},
    opt=READING.costs(4),
)
async def follow(
    request: Asked,
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
    page: NamedDependency[Page],
    place: NamedDependency[Place],
) -> Following:
    """Stream the table's updates as server-sent events. The data of each event is an `Update`. `since`, or
    `Last-Event-ID`, is the last version seen, or -1; `eyes` is the seat it was seen from, -2 for an observer. With
    `have` only changes are sent; it contains the marks of the sender's drawings of the scene and of the rest, separated
    by a dot, or is empty. `hidden` is the number of seconds for which the page has been out of sight; what arrives then
    is also sent as a notification. `pulse` is a name that the sender makes up for its heartbeat. `event: pulse` asks
    for a heartbeat at an interval in seconds; from then on, a stream without a heartbeat for six seconds ends."""
    table, eyes = await house.look(table_id, guest.id)
    if (missed := missed_by(page, table.version_for(eyes.viewer))) > 1:
        pay(request, Price(READING, POSITION * (missed - 1)), guest.id)
    stream = events(house, table, guest.id, page, shared_url)
    return Following(place.seat(stream), stream_heads(packed=page.packed))


@get("/tables/{table_id:str}/here", status_code=204, responses=refusals(400), opt=READING.costs(0.5))
async def here(table_id: TableId, house: TheHouse, pulse: FromQuery[str]) -> None:
    """Send the heartbeat of an open page (see the stream). The answer is always empty."""
    if len(pulse) <= PULSE_LENGTH >= len(table_id):
        house.pulses.take(pulse, table_id)


@post("/tables/{table_id:str}/moves", status_code=200, responses=refusals(*SENT, *TABLE, 422), opt=MOVES.costs())
async def move(table_id: TableId, data: JSONBody[moving.MoveBody], house: TheHouse, guest: TheGuest) -> Moved:
    """Make a move, or answer a secret question. Sending a move again returns the same answer."""
    return Moved(await moving.move(house, table_id, guest.id, data))


@post("/tables/{table_id:str}/undo", status_code=200, responses=refusals(*SENT, *TABLE), opt=MOVES.costs())
async def undo(table_id: TableId, data: JSONBody[undoing.UndoBody], house: TheHouse, guest: TheGuest) -> Moved:
    """Take back your own last decision."""
    return Moved(await undoing.undo(house, table_id, guest.id, data))


@post("/tables/{table_id:str}/hint", status_code=200, responses=refusals(*SENT, *TABLE), opt=THINKING.costs(1))
async def hint(table_id: TableId, data: JSONBody[hinting.HintBody], house: TheHouse, guest: TheGuest) -> hinting.Hint:
    """Return the best decisions for the player whose turn it is."""
    return await hinting.hint(house, table_id, guest.id, data)


@post("/tables/{table_id:str}/sit", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def sit(table_id: TableId, data: JSONBody[seating.SitBody], house: TheHouse, guest: TheGuest) -> Seated:
    """Take a seat; in a game, take your own seat back from the bot."""
    return Seated(await seating.sit(house, table_id, guest, data))


@post("/tables/{table_id:str}/leave", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def leave(
    table_id: TableId,
    data: JSONBody[seating.Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Leave your seat. In a game, a bot plays on in it."""
    await seating.leave(house, table_id, guest)
    return Done()


@post("/tables/{table_id:str}/lift", status_code=200, responses=refusals(*SENT, *TABLE), opt=MOVES.costs())
async def lift(table_id: TableId, data: JSONBody[passing.LiftBody], house: TheHouse, guest: TheGuest) -> Done:
    """Lift the curtain of a seat whose player now has the device."""
    await passing.lift(house, table_id, guest.id, data)
    return Done()


@post("/tables/{table_id:str}/seats", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_seat(table_id: TableId, data: JSONBody[seating.SeatBody], house: TheHouse, guest: TheGuest) -> Done:
    """Choose who can take a seat (host only, before the start)."""
    await seating.set_seat(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/pace", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_pace(table_id: TableId, data: JSONBody[terms.PaceBody], house: TheHouse, guest: TheGuest) -> Done:
    """Choose how fast bots move (host only)."""
    await terms.set_pace(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/rated", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_rated(table_id: TableId, data: JSONBody[terms.RatedBody], house: TheHouse, guest: TheGuest) -> Done:
    """Choose whether the game is rated (host only, before anyone else joins)."""
    await terms.choose(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/tempo", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_tempo(table_id: TableId, data: JSONBody[terms.TempoBody], house: TheHouse, guest: TheGuest) -> Done:
    """Choose the clocks (host only, before anyone else joins)."""
    await terms.set_tempo(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/start", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def start(table_id: TableId, data: JSONBody[seating.StartBody], house: TheHouse, guest: TheGuest) -> Done:
    """Start the game (host only)."""
    await seating.start(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/absent", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def absent(table_id: TableId, data: JSONBody[agreeing.AbsentBody], house: TheHouse, guest: TheGuest) -> Done:
    """Let a bot play for a player who is away on their turn."""
    await agreeing.play_for(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/end", status_code=200, responses=refusals(*SENT, *TABLE), opt=TALK.costs())
async def end(table_id: TableId, data: JSONBody[agreeing.EndBody], house: TheHouse, guest: TheGuest) -> Done:
    """Vote on ending the game without a result. It ends when everyone present agrees."""
    await agreeing.end(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/rematch", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(3))
async def rematch(
    table_id: TableId,
    data: JSONBody[seating.Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    own_url: TheUrl,
) -> Made:
    """Create the table that follows a finished one, with the same settings, and invite its players. An invited player
    takes their seat there instead."""
    made = await inviting.rematch(house, table_id, guest)
    return Made(made, f"{own_url}/t/{made}")


@post("/tables/{table_id:str}/play-on", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(3))
async def play_on(
    request: Asked,
    table_id: TableId,
    data: JSONBody[onward.PlayOnBody],
    house: TheHouse,
    guest: TheGuest,
    own_url: TheUrl,
) -> Made:
    """Create a table that continues a finished game from one of its positions, against bots."""
    table, eyes = await house.look(table_id, guest.id)
    pay(request, Price(TABLES, GIVEN * onward.place_of(table, eyes, data.step)), guest.id)
    made = await onward.play_on(house, table, eyes, guest, data)
    return Made(made, f"{own_url}/t/{made}")


@post("/tables/{table_id:str}/chat", status_code=200, responses=refusals(*SENT, *TABLE), opt=TALK.costs())
async def chat(
    table_id: TableId,
    data: JSONBody[talk.ChatBody],
    house: TheHouse,
    guest: TheGuest,
) -> Said:
    """Send a message at the table."""
    return Said(await talk.say(house, table_id, guest, data))


@get("/tables/{table_id:str}/replay", responses=refusals(400, 403, *TABLE, 429), opt=READING.costs(PAST))
async def replay(
    request: Asked,
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
    until: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
) -> Response[ReplayStep]:
    """Return a position of a finished game: the last, or that of `step`. With `until`, return the positions up to that
    step too, at most twelve in all."""
    table, eyes = await house.look(table_id, guest.id)
    first, last = steps_asked(table, eyes.viewer, step, until)
    if last > first:
        pay(request, Price(READING, PAST * (last - first)), guest.id)
    told = await asyncio.to_thread(replay_step, table, eyes.viewer, first, last)  # of data that no longer changes
    return await open_data(request, msgspec.json.encode(told), MediaType.JSON)


@get("/tables/{table_id:str}/analysis", responses=refusals(400, 403, *TABLE), opt=READING.costs(3))
async def analysis(
    request: Asked,
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    analyst: NamedDependency[Analyst],
    since: Annotated[int, QueryParameter(ge=0, le=2**31)] = 0,
) -> Response[graph.Report]:
    """Return the analysis of a finished game, or its state: "waiting", "working", or "none" if it was not started. Ask
    again until `status` is "done". Until then `html` is the unfinished graph, unless the sender has already seen that
    many decisions (`since`)."""
    table, eyes = await house.look(table_id, guest.id)
    found = await analyst.told(table)  # the game is finished, so nobody's view changes meanwhile
    return await _report(request, table, eyes, found, since)


@post("/tables/{table_id:str}/analysis", status_code=200, responses=refusals(*SENT, *TABLE), opt=THINKING.costs(3))
async def analyse(
    request: Asked,
    table_id: TableId,
    data: JSONBody[seating.Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    analyst: NamedDependency[Analyst],
) -> Response[graph.Report]:
    """Start the analysis of a finished game, unless it exists or is in progress. The answer is that of the GET."""
    table, eyes = await house.look(table_id, guest.id)
    return await _report(request, table, eyes, await analyst.begin(table, address_of(request)))


async def _report(request: Asked, table: Table, eyes: Eyes, found: Any, since: int = 0) -> Response[graph.Report]:
    report = await asyncio.to_thread(graph.report, table, eyes.viewer, found, since)  # long for a long game
    return await open_data(request, msgspec.json.encode(report), MediaType.JSON)


HANDLERS: list[Any] = [
    me, rename, create, learn, read, follow, here, move, undo, hint, sit, lift, leave, set_seat, set_pace, set_rated,
    set_tempo, start, rematch, absent, end, play_on, chat, replay, analysis, analyse, *lobbying.HANDLERS, *people.API,
    *telling.API, *manners.HANDLERS, *passkeys.HANDLERS,
]  # fmt: skip
router = Router("/api", route_handlers=HANDLERS, guards=[same_site], tags=["api"])
