"""The addresses of calendars. Calendar programs send no cookie, so none of these makes a new guest."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import msgspec
from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from parlour.house.clubs import rows as club_rows
from parlour.house.clubs.calendars import deeds, pages, rows
from parlour.house.clubs.calendars.rows import Event
from parlour.house.errors import BadLink
from parlour.house.http.answering import tagged
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse, TheUrl
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
ICAL = "text/calendar"
FEED = 6  # the price of a calendar: about what a page costs


class CalendarMade(msgspec.Struct, frozen=True):
    """The secret address of your calendar."""

    address: str


@get("/calendar.ics", media_type=ICAL, responses=refusals(400), opt=READING.costs(FEED))
async def of_house(request: Asked, house: TheHouse, shared_url: TheUrl) -> Response[bytes]:
    """Return a calendar (iCalendar) of the announced tournaments of the house, to subscribe to."""
    events = await house.store.look(partial(rows.of_house, now=time.time()))
    return await _answer(request, "Tournaments at Parlour", events, shared_url)


@get("/clubs/{club:str}/calendar.ics", media_type=ICAL, responses=refusals(400, 404), opt=READING.costs(FEED))
async def of_club(request: Asked, club: FromPath[str], house: TheHouse, shared_url: TheUrl) -> Response[bytes]:
    """Return a calendar (iCalendar) of a club's tournaments and seasons, to subscribe to."""
    row = await house.store.look(partial(club_rows.club, club=club))
    events = await house.store.look(partial(rows.of_club, club=club, now=time.time()))
    return await _answer(request, row.name, events, shared_url)


@get("/calendar/{token:str}", media_type=ICAL, responses=refusals(400, 404), opt=READING.costs(FEED))
async def of_guest(request: Asked, token: FromPath[str], house: TheHouse, shared_url: TheUrl) -> Response[bytes]:
    """Return the calendar (iCalendar) of the person who made this address, of their tournaments and seasons."""
    guest = await house.store.look(partial(rows.guest_of, token=token))
    if guest is None:
        raise BadLink("This calendar address isn't valid here, or its owner has replaced it.")
    events = await house.store.look(partial(rows.of_guest, guest=guest, now=time.time()))
    return await _answer(request, "Your games at Parlour", events, shared_url)


async def _answer(request: Asked, name: str, events: list[Event], home: str) -> Response[bytes]:
    return await tagged(request, await asyncio.to_thread(pages.drawn, name, events, home), ICAL)


@post("/me/calendar", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def begin(
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
) -> CalendarMade:
    """Make a secret address of your own calendar, to which you can subscribe. An earlier one stops working. You need an
    account."""
    return CalendarMade(await deeds.begin(house, guest, shared_url))


@post("/me/calendar/end", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def end(
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Take the address of your calendar away. Without one, nothing happens."""
    await deeds.end(house, guest)
    return Done()


API: list[HTTPRouteHandler] = [begin, end]
PAGES: list[HTTPRouteHandler] = [of_house, of_club, of_guest]
