"""The pages of tournaments, and the stream of each to its open pages: the parts that have changed, drawn whole. A part
that is the same for many is drawn and compressed once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from functools import partial

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery

from parlour.house.admin.rows import Notice
from parlour.house.clubs import rows as club_rows
from parlour.house.errors import BadInput, StoreFailed
from parlour.house.house import House
from parlour.house.http.answering import accepts, page
from parlour.house.http.compression import segment, takes_gzip
from parlour.house.http.places import Place
from parlour.house.http.rates import READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse, TheUrl
from parlour.house.site import qr
from parlour.house.table.web.stream import BEAT, BEGIN, HEARTBEAT, PACKED, Following, noticed, stream_heads
from parlour.house.tournaments import lists, pages
from parlour.house.tournaments.own import Person, named
from parlour.house.tournaments.pages import Shown
from parlour.house.tournaments.watching import Watch

SVG = "image/svg+xml"
AGAIN = 2.0  # seconds until the database is asked again that has not answered
LATELY = 6  # tournaments that are over, whose winners a list names
HEAD, TAIL = b'event: parts\ndata: {"html":"', b'","entry":%d,"go":"%b"}\n\n'
Id = FromPath[str]


class Parts(msgspec.Struct, frozen=True):
    """A message of a tournament's stream: the parts that changed, each drawn whole; the number of your entry (-1:
    none), by which the page marks what is yours; and in `go` the address of a table where your game has just begun."""

    html: str
    entry: int
    go: str = ""


async def tournament_events(
    house: House, watch: Watch, person: Person, tournament: str, hidden: int = 0, table: str = "", *, packed: bool
) -> AsyncGenerator[bytes, None]:
    """Stream a tournament to one open page, which has been `hidden` for this many seconds. The first message contains
    all parts. `table`: where the page already knows that the person's game is."""
    guest, clock = person.guest.id, asyncio.get_running_loop().time
    with watch.listening(tournament, guest, hidden) as (audience, listener):
        yield PACKED[BEGIN] if packed else BEGIN
        sent: dict[str, str] = {}
        beat, notice = 0.0, Notice()
        while not house.closing:
            listener.news.clear()
            try:
                found = await watch.shown(tournament)
            except StoreFailed:
                asyncio.get_running_loop().call_later(AGAIN, listener.news.set)
            else:
                organises = pages.organises(found, guest)
                kept = audience.look(listener, organises)
                own, mine = pages.own_part(found, person)
                parts = {"mine": mine, "state": found.state, "body": found.organised if organises else found.body}
                changed = {name: part for name, part in parts.items() if sent.get(name) != part}
                go = f"/t/{own.table}" if own.table and own.table != table else ""
                sent, table = parts, own.table
                if changed or go:
                    version = found.known.tournament.changes
                    yield b"".join(
                        [
                            _sent(HEAD, packed),
                            *(
                                _drawn(part, packed)
                                if name == "mine"
                                else kept.get((name, version, packed), partial(_drawn, part, packed), len)
                                for name, part in changed.items()
                            ),
                            _sent(TAIL % (own.entry, go.encode()), packed),
                        ]
                    )
                    beat = clock() + HEARTBEAT * random.uniform(0.75, 1)
            if house.bans.notice != notice:
                notice = house.bans.notice
                yield noticed(notice, packed=packed)
            while not await listener.wait(beat):
                yield PACKED[BEAT] if packed else BEAT
                beat = clock() + HEARTBEAT * random.uniform(0.75, 1)


def _drawn(part: str, packed: bool, /) -> bytes:
    """Return a part as it is sent: the inside of a JSON string."""
    return _sent(msgspec.json.encode(part)[1:-1], packed)


def _sent(data: bytes, packed: bool) -> bytes:
    return segment(data) if packed else data


def person_of(guest: TheGuest, link: FromQuery[str] = "") -> Person:
    """Return who asks, with the token of the link by which they came."""
    return Person(guest, link)


async def in_club(house: House, person: Person, found: Shown) -> Person:
    """Return a person, with whether they are in the club whose tournament this is. Raises StoreFailed."""
    club = found.known.tournament.club_id
    if club is None:
        return person
    return person._replace(
        member=await house.store.look(partial(club_rows.role, club=club, guest=person.guest.id)) != ""
    )


WHO = {"person": Provide(person_of, sync_to_thread=False)}


@get(
    "/tournaments/{tournament:str}/events", media_type="text/event-stream", responses=refusals(400, 403, 404, 429),
    opt=READING.costs(5), dependencies=WHO,
)  # fmt: skip
async def follow(
    request: Asked, tournament: Id, house: TheHouse, place: NamedDependency[Place], watch: NamedDependency[Watch],
    person: NamedDependency[Person], hidden: FromQuery[int | None] = None, table: FromQuery[str] = "",
) -> Following:  # fmt: skip
    """Stream server-sent events with the page of a tournament: all parts at first, then each that changes, drawn whole.
    The data of each event is a `Parts`. `hidden` is for how many seconds the page has been out of sight, `link` the
    token of the link by which you came, `table` the table of your game that the page knows of."""
    person = await in_club(house, person, await watch.shown(tournament))  # a refusal is an answer, not a stream
    packed = takes_gzip(accepts(request))
    stream = tournament_events(house, watch, person, tournament, hidden or 0, table, packed=packed)
    return Following(place.seat(stream), stream_heads(packed=packed))


# Pages ---------------------------------------------------------------------------------------------
@get("/tournaments", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(5))
async def tournaments(
    request: Asked, house: TheHouse, guest: TheGuest, watch: NamedDependency[Watch], number: FromQuery[int] = 0
) -> Response[bytes]:
    """Show the tournaments: those in play, to come, and over. `number`: the page of those that are over, from 0."""
    if not 0 <= number <= 10_000:
        raise BadInput("Pages are numbered from 0 to 10,000.")
    found = await house.store.look(partial(lists.lists, guest=guest.id, page=number))
    winners = {}
    for one in found.over[:LATELY]:
        winners[one.tournament.id] = named((await watch.shown(one.tournament.id)).view.winners)
    return await page(request, pages.all_of(guest, found, winners, number))


@get("/tournaments/new", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(4))
async def new(request: Asked, guest: TheGuest, game: FromQuery[str] = "") -> Response[bytes]:
    """Show the form for a new tournament, of this game by default."""
    return await page(request, pages.form(guest, game))


@get(
    "/tournaments/{tournament:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(5),
    dependencies=WHO,
)  # fmt: skip
async def tournament(
    request: Asked,
    tournament: Id,
    house: TheHouse,
    watch: NamedDependency[Watch],
    person: NamedDependency[Person],
    shared_url: TheUrl,
) -> Response[bytes]:
    """Show a tournament: who takes part, the rounds, and how everyone stands. `link` is the token of its link, which
    some need to be joined."""
    found = await watch.shown(tournament)
    person, club = await in_club(house, person, found), found.known.tournament.club_id
    calendar = f"/clubs/{club}/calendar.ics" if club else "/calendar.ics"
    answer = await page(request, pages.tournament(found, person, shared_url, calendar))
    if person.token:
        answer.headers["Referrer-Policy"] = "no-referrer"  # its requests would reveal the link to a proxy's log
    return answer


@get(
    "/tournaments/{tournament:str}/qr", media_type=SVG, responses=refusals(400, 404), opt=READING.costs(3),
    dependencies=WHO,
)  # fmt: skip
async def code(
    tournament: Id, watch: NamedDependency[Watch], person: NamedDependency[Person], shared_url: TheUrl
) -> bytes:
    """Return the address of a tournament as a QR code (SVG), with its link if you gave the right one."""
    found = await watch.shown(tournament)
    address = pages.link_of(found, person, shared_url)
    return (await asyncio.to_thread(qr.code, address)).encode()


API: list[HTTPRouteHandler] = [follow]
PAGES: list[HTTPRouteHandler] = [tournaments, new, tournament, code]
