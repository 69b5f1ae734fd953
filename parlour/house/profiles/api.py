"""The addresses of pictures and moments."""

from __future__ import annotations

import asyncio

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromQuery, JSONBody

from parlour.house.http.answering import open_data
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TableId, TheGuest, TheHouse
from parlour.house.profiles import deeds
from parlour.house.profiles.pages import moment
from parlour.house.table.web.answers import Done

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
SVG = "image/svg+xml"
DRAWING = 6  # the price of a moment's picture: about what its page costs


@post("/me/picture", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def choose(data: JSONBody[deeds.PictureBody], house: TheHouse, guest: TheGuest) -> Done:
    """Choose your picture: a figure and a pattern, and the colours of the ground and of both. A wrong word gets the
    possible ones."""
    await deeds.choose(house, guest, data)
    return Done()


@post("/me/moments/pin", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def pin(data: JSONBody[deeds.PinBody], house: TheHouse, guest: TheGuest) -> Done:
    """Pin a `step` of the replay of a finished game in which you had a seat. At most six are pinned at a time.
    Everyone sees them on your page, if the game was listed."""
    await deeds.pin(house, guest, data)
    return Done()


@post("/me/moments/unpin", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def unpin(data: JSONBody[deeds.UnpinBody], house: TheHouse, guest: TheGuest) -> Done:
    """Remove a pinned moment, by its `table` and `place`. If it is not pinned, nothing happens."""
    await deeds.unpin(house, guest, data)
    return Done()


@get(
    "/t/{table_id:str}/moment", media_type=SVG, responses=refusals(400, 404, 409), opt=READING.costs(DRAWING),
)  # fmt: skip
async def picture(
    request: Asked, table_id: TableId, entry: FromQuery[int], house: TheHouse, guest: TheGuest
) -> Response[bytes]:
    """Show the board of a finished game as a picture (SVG), as everyone saw it. `entry` is the number of entries that
    its journal had then."""
    table, _ = await house.look(table_id, guest.id)
    drawn = await asyncio.to_thread(moment, table, entry)  # of data that no longer changes
    return await open_data(request, drawn, SVG)


API: list[HTTPRouteHandler] = [choose, pin, unpin]
PAGES: list[HTTPRouteHandler] = [picture]
