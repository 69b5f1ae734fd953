"""The addresses to set up, change and turn off notifications."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from parlour.house.http.answering import page, same
from parlour.house.http.rates import PASSWORDS, READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse, TheSession, device_of
from parlour.house.notify import channels, deeds, pages
from parlour.house.site import files
from parlour.house.table.web.answers import Done

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent


class Placed(msgspec.Struct, frozen=True):
    """The result of setting up notifications. `secret` signs the notifications of a webhook; it is "" for other
    kinds."""

    secret: str = ""


@post("/me/told", status_code=200, responses=refusals(*SENT, 404, 409), opt=PASSWORDS.costs(1))
async def add(
    request: Asked, data: JSONBody[deeds.PlaceBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Placed:
    """Add a notification channel and choose its notices: this browser (Web Push), an email address or a
    webhook; or set the email address that resets your password (`recovery`). An email address must be confirmed
    first, and an account must prove who you are. With `instead`, a browser's new subscription replaces that
    one. The answer holds the `secret` of a webhook, shown only once, with which its owner can check what the
    house sent (docs/notation.md)."""
    return Placed(await deeds.add(house, guest, session, data, device_of(request)))


@post("/me/told/choose", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def choose(data: JSONBody[deeds.ChooseBody], house: TheHouse, guest: TheGuest) -> Done:
    """Choose the notices for one of the channels on the page You."""
    await deeds.choose(house, guest, data)
    return Done()


@post("/me/told/end", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def end(data: JSONBody[deeds.PlaceOfMine], house: TheHouse, guest: TheGuest) -> Done:
    """Turn off notifications on one channel. A confirmed recovery address stays."""
    await deeds.end(house, guest, data.id)
    return Done()


@post("/me/told/recovery/end", status_code=200, responses=refusals(*SENT, 409), opt=PASSWORDS.costs(1))
async def end_recovery(request: Asked, data: JSONBody[deeds.RecoveryBody], house: TheHouse, guest: TheGuest) -> Done:
    """Remove your recovery address: no email resets your password after that. Notifications stay as they are."""
    await deeds.end_recovery(house, guest, data, device_of(request))
    return Done()


@post("/me/told/quiet", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def set_quiet(data: JSONBody[deeds.QuietBody], house: TheHouse, guest: TheGuest) -> Done:
    """Set your quiet hours, during which notices wait ("22:00" and "07:00"; off where both are ""), and the
    time zone of times in notices."""
    await deeds.set_quiet(house, guest, data)
    return Done()


@post("/told/confirm", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def confirm(data: JSONBody[deeds.WordBody], house: TheHouse, guest: TheGuest) -> Done:  # noqa: ARG001
    """Confirm your email address, and the notices you asked for."""
    await deeds.confirm(house, data.token)
    return Done()


@get("/told/{token:str}", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(3))
async def told(
    request: Asked,
    token: FromPath[str],
    house: TheHouse,
    guest: TheGuest,
    yes: Annotated[Literal["1"] | None, QueryParameter()] = None,
) -> Response[bytes]:
    """Show where an email's links lead: with `yes`, to confirm the address; otherwise, to unsubscribe.
    Requesting the page does neither, because programs that scan email follow links; the page's script
    unsubscribes."""
    found = await house.store.look(partial(channels.by_token, token=token))
    answer = await page(request, pages.told(guest, token, found, yes=yes is not None))
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@post("/told/{token:str}", include_in_schema=False, status_code=200, responses=refusals(400, 413), opt=READING.costs(3))
async def no_more(token: FromPath[str], house: TheHouse) -> Done:
    """Unsubscribe: from a notification itself, or from a mail program's button (RFC 8058). Anyone with the token can do
    so; the request's body is not read."""
    await deeds.end_by(house, token)
    return Done()


@get("/sw.js", include_in_schema=False, media_type="text/javascript", opt=READING.costs(0.25))
async def worker(request: Asked) -> Response[bytes]:
    """Return the service worker's script, which runs while no page is open or reachable. It is at the root so that its
    scope includes all pages."""
    found = files.worker()
    return await same(request, found.data, found.kind)


API: list[HTTPRouteHandler] = [add, choose, end, end_recovery, set_quiet, confirm]
PAGES: list[HTTPRouteHandler] = [told, no_more, worker]
