"""The addresses at which people mute, block and report others, and at which a page asks for the notice to all."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from parlour.table.play import manners
from parlour.table.play.manners import Marked
from parlour.table.web.rates import READING, REPORTS, TABLES
from parlour.table.web.refusals import refusals
from parlour.table.web.requests import Asked, TheGuest, TheHouse

SENT = (400, 403, 404, 409, 413, 415)  # what may be wrong with what is sent


class Reported(msgspec.Struct, frozen=True):
    """The number of a report, which is the same for the same report once more."""

    id: int


class NoticeToAll(msgspec.Struct, frozen=True):
    """What the house-keeper tells everybody; no text for nothing. `id` is another for another notice."""

    id: int
    text: str


@post("/me/mute", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def mute(data: JSONBody[manners.MarkBody], house: TheHouse, guest: TheGuest) -> Marked:
    """What somebody says is not shown to me, on any device; with `off`, it is again. They are not told."""
    return await manners.mute(house, guest, data)


@post("/me/block", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def block(data: JSONBody[manners.MarkBody], house: TheHouse, guest: TheGuest) -> Marked:
    """Somebody cannot sit at my tables, invite me, or be paired with me, and what they say is not shown to me; with
    `off`, all is as before. They are not told. At a table where both sit already nothing else changes."""
    return await manners.block(house, guest, data)


@post("/me/report", status_code=200, responses=refusals(*SENT), opt=REPORTS.costs(1))
async def report(data: JSONBody[manners.ReportBody], house: TheHouse, guest: TheGuest) -> Reported:
    """Report somebody, or a line of chat, to whoever keeps the house. What was said around it is kept with it."""
    return Reported(await manners.report(house, guest, data))


@get("/notice", responses=refusals(400), opt=READING.costs(0.5))
async def notice(request: Asked, house: TheHouse) -> NoticeToAll:
    """What the house-keeper tells everybody. Pages that have a stream are told by it."""
    del request
    return NoticeToAll(*house.order.notice)


HANDLERS: list[Any] = [mute, block, report, notice]
