"""The addresses at which people say where and of what they want to be told, and end it."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody, QueryParameter

from parlour.table.pages import files
from parlour.table.pages import people as pages
from parlour.table.play import telling
from parlour.table.storage import channels
from parlour.table.web.answering import page, same
from parlour.table.web.answers import Done
from parlour.table.web.rates import PASSWORDS, READING, TABLES
from parlour.table.web.refusals import refusals
from parlour.table.web.requests import Asked, TheGuest, TheHouse, TheSession, device_of

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent


class Placed(msgspec.Struct, frozen=True):
    """A place was set up. `secret`: what a webhook's notices are signed with, "" for other places."""

    secret: str = ""


@post("/me/told", status_code=200, responses=refusals(*SENT, 404, 409), opt=PASSWORDS.costs(1))
async def add(
    request: Asked, data: JSONBody[telling.PlaceBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Placed:
    """Say where to send me notices, and which: this browser (Web Push), an email address, a webhook; or which email
    address resets my password (`recovery`). An email address is confirmed first, and someone who has claimed a name
    proves who they are. With the `secret` of
    a webhook its owner can tell what the house has sent (docs/notation.md). It is told this once."""
    return Placed(await telling.add(house, guest, session, data, device_of(request)))


@post("/me/told/choose", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def choose(data: JSONBody[telling.ChooseBody], house: TheHouse, guest: TheGuest) -> Done:
    """Say of what I want to be told in one of these places."""
    await telling.choose(house, guest, data)
    return Done()


@post("/me/told/end", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def end(data: JSONBody[telling.PlaceOfMine], house: TheHouse, guest: TheGuest) -> Done:
    """Be told nothing more in one of these places."""
    await telling.end(house, guest, data.id)
    return Done()


@post("/me/told/recovery/end", status_code=200, responses=refusals(*SENT, 409), opt=PASSWORDS.costs(1))
async def end_recovery(request: Asked, data: JSONBody[telling.RecoveryBody], house: TheHouse, guest: TheGuest) -> Done:
    """End my recovery address: no email resets my password any more. Notifications stay as they are."""
    await telling.end_recovery(house, guest, data, device_of(request))
    return Done()


@post("/me/told/quiet", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def set_quiet(data: JSONBody[telling.QuietBody], house: TheHouse, guest: TheGuest) -> Done:
    """Choose my quiet hours, in which notices wait, and the time zone of the times that they name."""
    await telling.set_quiet(house, guest, data)
    return Done()


@post("/told/confirm", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def confirm(data: JSONBody[telling.WordBody], house: TheHouse, guest: TheGuest) -> Done:  # noqa: ARG001
    """Confirm that this email address is mine, and what was asked for it."""
    await telling.confirm(house, data.token)
    return Done()


@get("/told/{token:str}", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(3))
async def told(
    request: Asked,
    token: FromPath[str],
    house: TheHouse,
    guest: TheGuest,
    yes: Annotated[Literal["1"] | None, QueryParameter()] = None,
) -> Response[str]:
    """Where a letter leads: with `yes`, to say that one is to be told there, else that one wants no more. Asking for
    the page does neither, as programs that look through letters do so; the page's script ends what is to be ended."""
    found = await house.store.look(partial(channels.by_token, token=token))
    answer = await page(request, pages.told(guest, token, found, yes=yes is not None))
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@post("/told/{token:str}", include_in_schema=False, status_code=200, responses=refusals(400, 413), opt=READING.costs(3))
async def no_more(token: FromPath[str], house: TheHouse) -> Done:
    """No more notices there: from a notice itself, or from a mail program's own button (RFC 8058). Whoever has the
    token may say so; nothing that is sent is read."""
    await telling.end_by(house, token)
    return Done()


@get("/sw.js", include_in_schema=False, media_type="text/javascript", opt=READING.costs(0.25))
async def worker(request: Asked) -> Response[Any]:
    """The script that stands by when no page is open or can be had: at the root, so that all pages are in its reach."""
    found = files.worker()
    return await same(request, found.data, found.kind)


API: list[Any] = [add, choose, end, end_recovery, set_quiet, confirm]
PAGES: list[Any] = [told, no_more, worker]
