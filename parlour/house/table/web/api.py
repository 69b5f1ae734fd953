"""Answer the addresses under /api: JSON in, JSON out. `GET /schema` describes them for programs, docs/addresses.md for
people."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromQuery, HeaderParameter, JSONBody, QueryParameter

from parlour.house.accounts import api as account_api
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.passkeys import api as passkey_api
from parlour.house.accounts.tokens import api as token_api
from parlour.house.analysis import deeds as analysis_deeds
from parlour.house.analysis import pages as analysis_pages
from parlour.house.analysis.jobs import Analysis, Analyst, Progress
from parlour.house.clubs import api as club_api
from parlour.house.clubs.calendars import api as calendar_api
from parlour.house.http.answering import accepts, apart, open_data
from parlour.house.http.bearer import PLAYS, READS, TAKES_TOKENS
from parlour.house.http.compression import takes_gzip
from parlour.house.http.hosts import same_site
from parlour.house.http.places import Place
from parlour.house.http.rates import GIVEN, MOVES, PAST, POSITION, READING, TABLES, TALK, THINKING, Price
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import (
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
from parlour.house.invitations import api as invitation_api
from parlour.house.lobby import api as lobby_api
from parlour.house.notify import api as notify_api
from parlour.house.playtests import api as playtest_api
from parlour.house.profiles import api as profile_api
from parlour.house.puzzles import api as puzzle_api
from parlour.house.ratings import api as rating_api
from parlour.house.social import api as social_api
from parlour.house.table.live.eyes import Eyes
from parlour.house.table.live.table import Table
from parlour.house.table.play import agreeing, learning, moving, onward, passing, seating, talk, terms, undoing
from parlour.house.table.web import games, programs
from parlour.house.table.web.answers import (
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
from parlour.house.table.web.stream import Following, events, stream_heads
from parlour.house.table.web.updates import MOST_FRAMES, Page
from parlour.house.today import api as today_api
from parlour.house.tournaments import api as tournament_api
from parlour.house.tournaments import stream as tournament_stream

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
PROGRAM_SENT = (400, *TAKES_TOKENS, 413, 415)  # the same, where programs may send it
SEATS = TABLES.costs(1) | PLAYS  # for `opt` of what programs do about seats
ACTS, SAYS = MOVES.costs() | PLAYS, TALK.costs() | PLAYS  # of moves, and of what is said
TABLE = (404, 409)  # there may be no such table, or it was played with other rules


class NameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name to use."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


@get("/me", responses=refusals(*TAKES_TOKENS), opt=READING.costs(1) | READS)
async def me(guest: TheGuest) -> Guest:
    """Return who you are. A visitor without a cookie becomes a new guest and gets one."""
    return guest


@post("/me", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def rename(data: JSONBody[NameBody], house: TheHouse, guest: TheGuest) -> Guest:
    """Take another name, which waiting tables and games in progress use at once. A name that someone has
    claimed is refused with `name-taken`."""
    renamed = await house.guests.rename(guest.id, data.name)
    await house.met_again(guest.id)
    for table_id in await house.store.named_at(guest.id):
        await house.learn(table_id)
    return renamed


@post("/tables", responses=refusals(*PROGRAM_SENT, 404, 409), opt=TABLES.costs(3) | PLAYS)
async def create(data: JSONBody[seating.TableBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Make a table; without `seats`, for you and bots. The game starts at once if it waits for no one, unless
    `wait` is set. A player with a claimed name can `invite` another to a seat of kind link: at most 3 such
    tables wait for one person, and 10 invitations in all. `absent` is the time in seconds after which a bot may
    replace an absent player. Values of options are texts, or `true`, `false` and numbers for options that allow
    them. `changes` gives values of the edition other ones, by path; such a game can't be rated. A program's own
    table must have `programs`, and no seats of kind here. With `programs` and `rated`, only programs and bots
    play, and they are rated apart from people."""
    table_id = await seating.create(house, guest, data)
    return Made(table_id, f"{own_url}/t/{table_id}")


@post("/lessons", responses=refusals(*SENT, 409), opt=TABLES.costs(3))
async def learn(data: JSONBody[learning.LessonBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Make a table at which the lesson of a ruleset begins. When the lesson is over, you continue against bots."""
    table_id = await learning.learn(house, guest, data)
    return Made(table_id, f"{own_url}/t/{table_id}")


@get("/tables/{table_id:str}", responses=refusals(400, 403, *TABLE), opt=READING.costs(3))
async def read(
    request: Asked, table_id: TableId, house: TheHouse, guest: TheGuest, shared_url: TheUrl
) -> Response[TableState]:
    """Return the table as you see it: its seats and settings, the scene (null while the table waits), and your
    legal moves as text when it is your turn."""
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
    """Stream server-sent events with what is new at the table. `since`, or `Last-Event-ID`, is the last version
    you saw, -1 for none; `eyes` is the seat you saw it from, -2 for a spectator. The data of each event is an
    `Update`. With `have`, you get changes only: it holds your marks of the scene and of the rest, with a point
    between them, or nothing. `hidden` is for how many seconds the page has been out of sight; such news is sent
    as a notification too. `pulse` is a name that you make up: `event: pulse` asks you to report under it every
    few seconds. From then on, a stream without a report for six seconds ends."""
    table, eyes = await house.look(table_id, guest.id)
    if (missed := missed_by(page, table.known.version(eyes.viewer))) > 1:
        pay(request, Price(READING, POSITION * (missed - 1)), guest.id)
    stream = events(house, table, guest.id, page, shared_url)
    return Following(place.seat(stream), stream_heads(packed=page.packed))


@get("/tables/{table_id:str}/here", status_code=204, responses=refusals(400), opt=READING.costs(0.5))
async def here(table_id: TableId, house: TheHouse, pulse: FromQuery[str]) -> None:
    """Report that a page is still open (see the stream). The house looks nothing up and answers nothing."""
    if len(pulse) <= PULSE_LENGTH >= len(table_id):
        house.pulses.take(pulse, table_id)


@post(
    "/tables/{table_id:str}/moves",
    status_code=200,
    responses=refusals(*PROGRAM_SENT, *TABLE, 422),
    opt=ACTS,
)
async def move(table_id: TableId, data: JSONBody[moving.MoveBody], house: TheHouse, guest: TheGuest) -> Moved:
    """Make a move, or answer a secret question. Sending the same move again gets the same answer. The answer is
    the version that the move led to; after a secret question the version stays the same. `thought` is how long
    you had seen the position, in seconds."""
    return Moved(await moving.move(house, table_id, guest.id, data, program=guest.program))


@post("/tables/{table_id:str}/undo", status_code=200, responses=refusals(*PROGRAM_SENT, *TABLE), opt=ACTS)
async def undo(table_id: TableId, data: JSONBody[undoing.UndoBody], house: TheHouse, guest: TheGuest) -> Moved:
    """Take back your own last decision, if `scene.undo`, or `undo` of a program's position, says that you can."""
    return Moved(await undoing.undo(house, table_id, guest.id, data, program=guest.program))


@post("/tables/{table_id:str}/hint", status_code=200, responses=refusals(*SENT, *TABLE), opt=THINKING.costs(1))
async def hint(
    table_id: TableId, data: JSONBody[analysis_deeds.HintBody], house: TheHouse, guest: TheGuest
) -> analysis_deeds.Hint:
    """Return the best decisions to the player whose turn it is, if the table allows hints."""
    return await analysis_deeds.hint(house, table_id, guest.id, data)


@post("/tables/{table_id:str}/sit", status_code=200, responses=refusals(*PROGRAM_SENT, *TABLE), opt=SEATS)
async def sit(table_id: TableId, data: JSONBody[seating.SitBody], house: TheHouse, guest: TheGuest) -> Seated:
    """Take a seat. If you already sit, change your words for the dice; in a game, take your own seat back from
    the bot. A program sits only at tables that allow programs, and its seat is marked."""
    return Seated(await seating.sit(house, table_id, guest, data))


@post("/tables/{table_id:str}/leave", status_code=200, responses=refusals(*PROGRAM_SENT, *TABLE), opt=SEATS)
async def leave(
    table_id: TableId,
    data: JSONBody[seating.Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Leave your seat. In a game, a bot continues in it. When the host leaves, the table passes to another
    player or closes."""
    await seating.leave(house, table_id, guest)
    return Done()


@post("/tables/{table_id:str}/lift", status_code=200, responses=refusals(*SENT, *TABLE), opt=MOVES.costs())
async def lift(table_id: TableId, data: JSONBody[passing.LiftBody], house: TheHouse, guest: TheGuest) -> Done:
    """Lift the curtain of a seat: its player has the device now."""
    await passing.lift(house, table_id, guest.id, data)
    return Done()


@post("/tables/{table_id:str}/seats", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_seat(table_id: TableId, data: JSONBody[seating.SeatBody], house: TheHouse, guest: TheGuest) -> Done:
    """Set who may take a seat (host only, before the start)."""
    await seating.set_seat(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/pace", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_pace(table_id: TableId, data: JSONBody[terms.PaceBody], house: TheHouse, guest: TheGuest) -> Done:
    """Set how fast bots move: slow, normal, fast, instant or a number of seconds (host only). With `once`, the only
    person at a table with bots makes them move at once until that person has to decide."""
    await terms.set_pace(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/rated", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_rated(table_id: TableId, data: JSONBody[terms.RatedBody], house: TheHouse, guest: TheGuest) -> Done:
    """Set whether the game counts for ratings (host only, while no other person sits there)."""
    await terms.choose(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/tempo", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def set_tempo(table_id: TableId, data: JSONBody[terms.TempoBody], house: TheHouse, guest: TheGuest) -> Done:
    """Set the clocks, or null for none (host only, while no other person sits there)."""
    await terms.set_tempo(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/programs", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(1))
async def allow_programs(
    table_id: TableId, data: JSONBody[terms.ProgramsBody], house: TheHouse, guest: TheGuest
) -> Done:
    """Set whether programs may sit down (host only, while no other person sits there). Where programs play, a
    rated game is one of programs and bots only."""
    await terms.allow_programs(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/start", status_code=200, responses=refusals(*PROGRAM_SENT, *TABLE), opt=SEATS)
async def start(table_id: TableId, data: JSONBody[seating.StartBody], house: TheHouse, guest: TheGuest) -> Done:
    """Start the game (host only). With `bots`, bots fill the free seats."""
    await seating.start(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/absent", status_code=200, responses=refusals(*PROGRAM_SENT, *TABLE), opt=SEATS)
async def absent(table_id: TableId, data: JSONBody[agreeing.AbsentBody], house: TheHouse, guest: TheGuest) -> Done:
    """Let a bot continue for a player who is away on their turn, at a table without clocks. The table says how
    long they must be away: a minute, unless the host chose otherwise. They can take the seat back."""
    await agreeing.play_for(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/end", status_code=200, responses=refusals(*PROGRAM_SENT, *TABLE), opt=SAYS)
async def end(table_id: TableId, data: JSONBody[agreeing.EndBody], house: TheHouse, guest: TheGuest) -> Done:
    """Vote to end the game without a result. `agree: false` withdraws your vote, or refuses, which ends the
    vote. The game ends when everyone at the table who is not away agrees; a rated game needs everyone who began
    it."""
    await agreeing.end(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/play-on", status_code=200, responses=refusals(*SENT, *TABLE), opt=TABLES.costs(3))
async def play_on(
    request: Asked,
    table_id: TableId,
    data: JSONBody[onward.PlayOnBody],
    house: TheHouse,
    guest: TheGuest,
    own_url: TheUrl,
) -> Made:
    """Make a new table that continues a finished game from a `step` of its replay, against bots of the level
    `bot`. You keep your seat; without one, you take the seat that decides next, unless `seat` is set."""
    table, eyes = await house.look(table_id, guest.id)
    pay(request, Price(TABLES, GIVEN * onward.place_of(table, eyes, data.step)), guest.id)
    made = await onward.play_on(house, table, eyes, guest, data)
    return Made(made, f"{own_url}/t/{made}")


@post("/tables/{table_id:str}/chat", status_code=200, responses=refusals(*PROGRAM_SENT, *TABLE), opt=SAYS)
async def chat(
    table_id: TableId,
    data: JSONBody[talk.ChatBody],
    house: TheHouse,
    guest: TheGuest,
) -> Said:
    """Send a chat message at the table. A program can chat only where it plays, and its name says that it is a
    program."""
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
    """Return a position of a finished game: the last one, unless `step` is set. `log` is complete up to there.
    With `until`, `ahead` has the positions up to there, at most twelve, each with only its own lines."""
    table, eyes = await house.look(table_id, guest.id)
    first, last = steps_asked(table, eyes.viewer, step, until)
    if last > first:
        pay(request, Price(READING, PAST * (last - first)), guest.id)
    steps = await asyncio.to_thread(replay_step, table, eyes.viewer, first, last)  # of data that no longer changes
    return await open_data(request, msgspec.json.encode(steps), MediaType.JSON)


@get("/tables/{table_id:str}/analysis", responses=refusals(400, 403, *TABLE), opt=READING.costs(3))
async def analysis(
    request: Asked,
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    analyst: NamedDependency[Analyst],
    since: Annotated[int, QueryParameter(ge=0, le=2**31)] = 0,
) -> Response[analysis_pages.Report]:
    """Return the analysis of a finished game, or its progress: "waiting", "working", or "none" before the first
    request for it. Ask again until `status` is "done". Meanwhile `html` is the graph so far, unless it has no
    more decisions than `since`."""
    table, eyes = await house.look(table_id, guest.id)
    found = await analyst.analysis(table)  # the game is finished, so no view changes meanwhile
    return await _report(request, table, eyes, found, since)


@post("/tables/{table_id:str}/analysis", status_code=200, responses=refusals(*SENT, *TABLE), opt=THINKING.costs(3))
async def analyse(
    request: Asked,
    table_id: TableId,
    data: JSONBody[seating.Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    analyst: NamedDependency[Analyst],
) -> Response[analysis_pages.Report]:
    """Begin the analysis of a finished game, unless it exists or is in progress. The answer is that of the GET."""
    table, eyes = await house.look(table_id, guest.id)
    return await _report(request, table, eyes, await analyst.begin(table, address_of(request)))


async def _report(
    request: Asked, table: Table, eyes: Eyes, found: Analysis | Progress, since: int = 0
) -> Response[analysis_pages.Report]:
    report = await asyncio.to_thread(analysis_pages.report, table, eyes.viewer, found, since)  # long for a long game
    return await open_data(request, msgspec.json.encode(report), MediaType.JSON)


HANDLERS: list[HTTPRouteHandler] = [
    me, rename, create, learn, read, follow, here, move, undo, hint, sit, lift, leave, set_seat, set_pace, set_rated,
    set_tempo, allow_programs, start, absent, end, play_on, chat, replay, analysis, analyse, *lobby_api.HANDLERS,
    *invitation_api.HANDLERS, *account_api.API, *notify_api.API, *social_api.HANDLERS, *passkey_api.HANDLERS,
    *token_api.HANDLERS, *programs.HANDLERS, *games.HANDLERS, *rating_api.HANDLERS,
    *playtest_api.API, *today_api.API, *puzzle_api.API, *profile_api.API, *club_api.API, *calendar_api.API,
    *tournament_api.API, *tournament_stream.API,
]  # fmt: skip
router = Router("/api", route_handlers=HANDLERS, guards=[same_site], tags=["api"])
