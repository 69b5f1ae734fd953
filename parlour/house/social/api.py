"""The addresses to mute, block and report others, and to read the house's notice."""

from __future__ import annotations

import msgspec
from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from parlour.house.http.rates import READING, REPORTS, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse
from parlour.house.social import deeds
from parlour.house.social.deeds import Marked

SENT = (400, 403, 404, 409, 413, 415)  # what may be wrong with what is sent


class Reported(msgspec.Struct, frozen=True):
    """The number of a report. The same report sent again has the same number."""

    id: int


class NoticeToAll(msgspec.Struct, frozen=True):
    """The moderators' notice to everyone; an empty text means no notice. A new notice has a new `id`."""

    id: int
    text: str


@post("/me/mute", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def mute(data: JSONBody[deeds.MarkBody], house: TheHouse, guest: TheGuest) -> Marked:
    """Hide a player's messages from you, on all your devices; with `off`, show them again. The player is not
    notified. Name them by `table` and `seat`, by `table` and chat `line`, by claimed `name`, or by `id` from
    the list on the page You."""
    return await deeds.mute(house, guest, data)


@post("/me/block", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def block(data: JSONBody[deeds.MarkBody], house: TheHouse, guest: TheGuest) -> Marked:
    """Keep a player away from your tables, invitations and pairings, and hide their messages; with `off`, undo
    that. The player is not notified. Nothing else changes at a table where both of you already sit. Name them
    as for mute."""
    return await deeds.block(house, guest, data)


@post("/me/report", status_code=200, responses=refusals(*SENT), opt=REPORTS.costs(1))
async def report(data: JSONBody[deeds.ReportBody], house: TheHouse, guest: TheGuest) -> Reported:
    """Report a player or a chat line to the moderators. The messages around it are stored with the report. Name
    the player as for mute."""
    return Reported(await deeds.report(house, guest, data))


@get("/notice", responses=refusals(400), opt=READING.costs(0.5))
async def notice(request: Asked, house: TheHouse) -> NoticeToAll:
    """Return the notice that the house shows to everyone. Pages with a stream get it as `event: notice`."""
    del request
    return NoticeToAll(*house.bans.notice)


HANDLERS: list[HTTPRouteHandler] = [mute, block, report, notice]
