"""The addresses to mute, block and report others, and to read the house's notice."""

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
    """The number of a report. The same report sent again has the same number."""

    id: int


class NoticeToAll(msgspec.Struct, frozen=True):
    """The moderators' notice to everyone; an empty text means no notice. A new notice has a new `id`."""

    id: int
    text: str


@post("/me/mute", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def mute(data: JSONBody[manners.MarkBody], house: TheHouse, guest: TheGuest) -> Marked:
    """Mute somebody: their messages are hidden from me on every device. With `off`, show them again. The other person
    isn't notified."""
    return await manners.mute(house, guest, data)


@post("/me/block", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def block(data: JSONBody[manners.MarkBody], house: TheHouse, guest: TheGuest) -> Marked:
    """Block somebody: they can't join my tables, invite me or be paired with me, and their messages are hidden from me.
    With `off`, undo all of that. The other person isn't notified. A table where both already sit stays otherwise the
    same."""
    return await manners.block(house, guest, data)


@post("/me/report", status_code=200, responses=refusals(*SENT), opt=REPORTS.costs(1))
async def report(data: JSONBody[manners.ReportBody], house: TheHouse, guest: TheGuest) -> Reported:
    """Report somebody, or a chat message, to the moderators, with the messages around it."""
    return Reported(await manners.report(house, guest, data))


@get("/notice", responses=refusals(400), opt=READING.costs(0.5))
async def notice(request: Asked, house: TheHouse) -> NoticeToAll:
    """Return the moderators' notice to everyone. Pages with a stream are notified of a new one."""
    del request
    return NoticeToAll(*house.order.notice)


HANDLERS: list[Any] = [mute, block, report, notice]
