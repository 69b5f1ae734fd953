"""The addresses for accounts: create one, sign in and out, list games, export or delete data."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from parlour.core.errors import UnknownName
from parlour.games import find
from parlour.house.accounts import deeds, leaving, pages
from parlour.house.accounts import rows as stored
from parlour.house.accounts.export import Exports
from parlour.house.accounts.guests import Guest, Pass
from parlour.house.accounts.names import likeness
from parlour.house.clubs import pages as club_pages
from parlour.house.clubs.calendars import deeds as calendar_deeds
from parlour.house.errors import NotFound
from parlour.house.house import House
from parlour.house.http.answering import page as page_answer
from parlour.house.http.rates import LETTERS, PASSWORDS, READING, TABLES, THINKING, Price
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import (
    ANYBODY,
    BANNED,
    Asked,
    TheGuest,
    TheHouse,
    TheSession,
    TheUrl,
    device_of,
    is_now,
    pay,
    pay_for_a_try,
)
from parlour.house.notify.pages import notifications_of
from parlour.house.profiles import pages as profile_pages
from parlour.house.ratings import pages as rating_pages
from parlour.house.ratings.graphs import accuracies_of
from parlour.house.site import qr
from parlour.house.table.play import holidays
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
Which = Annotated[str, QueryParameter(max_length=140)]
Number = Annotated[int, QueryParameter(ge=1, le=100_000)]


class NewLink(msgspec.Struct, frozen=True):
    """A link for another device, as an address and as a QR code (SVG), and the `minutes` for which it works."""

    url: str
    qr: str
    minutes: int


@post("/me/claim", status_code=200, responses=refusals(*SENT, 409), opt=PASSWORDS.costs(2))
async def claim(request: Asked, data: JSONBody[deeds.ClaimBody], house: TheHouse, guest: TheGuest) -> Guest:
    """Claim a name with a password: no other guest can take a name that looks like it, and you can sign in with
    it on other devices. You keep what you had as a guest; the cookie changes."""
    return await is_now(request, house, await deeds.claim(house, guest, data, device_of(request).browser))


@post("/me/sign-in", status_code=200, responses=refusals(*SENT), opt=READING.costs(1) | {ANYBODY: True})
async def sign_in(
    request: Asked, data: JSONBody[deeds.SignInBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Guest:
    """Sign in; the cookie changes. With `bring` (the default) the games of this browser's guest become yours. A
    wrong name and a wrong password get the same answer in the same time."""
    await pay_for_a_try(request, guest, data.name)
    return await is_now(request, house, await deeds.sign_in(house, guest, session, data, device_of(request).browser))


@post("/me/preferences", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def prefer(data: JSONBody[deeds.PreferenceBody], house: TheHouse, guest: TheGuest) -> Done:
    """Set a preference: how your pages look, sound and move, and what they ask you to confirm."""
    await house.guests.prefer(guest.id, data.name, data.value)
    return Done()


@post("/me/holiday", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def holiday(data: JSONBody[holidays.HolidayBody], house: TheHouse, guest: TheGuest) -> Done:
    """Take a holiday, during which your clocks in games by post stop: at most 28 days in any 365. `since` and
    `until` are seconds since 1970 (UTC). Without `until` the holiday ends."""
    await holidays.take(house, guest, data)
    return Done()


@post("/me/sign-out", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def sign_out(
    request: Asked,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    session: TheSession,
) -> Guest:
    """Sign out in this browser, which becomes a guest again: the earlier one, unless you brought their games along."""
    return await is_now(request, house, await deeds.sign_out(house, guest, session))


@post("/me/password", status_code=200, responses=refusals(*SENT, 409), opt=PASSWORDS.costs(2))
async def change_password(
    request: Asked, data: JSONBody[deeds.PasswordBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Guest:
    """Set a new or a first password. All other sessions end, and the cookie of this one changes. Without a
    password, send the `answer` of a passkey."""
    return await is_now(request, house, await deeds.change_password(house, guest, session, data, device_of(request)))


@post("/me/sessions/end", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def end_sessions(
    data: JSONBody[deeds.EndSessionBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Done:
    """End one of your other sessions, or without an `id` all of them. Their open pages are signed out at once."""
    await deeds.end_sessions(house, guest, session, data)
    return Done()


@post("/me/device", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def device(
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
) -> NewLink:
    """Return a link that signs in another device once. It replaces any earlier link."""
    made = await deeds.device_link(house, guest)
    address = f"{shared_url}/link#{made.token}"
    return NewLink(address, await asyncio.to_thread(qr.drawn, address), deeds.MINUTES)


@post("/me/link/look", status_code=200, responses=refusals(*SENT, 404), opt=PASSWORDS.costs(0.5) | {ANYBODY: True})
async def look_at_link(data: JSONBody[deeds.TokenBody], house: TheHouse, guest: TheGuest) -> deeds.LinkTarget:  # noqa: ARG001
    """Return the name that a link would sign in, and its kind (device or reset). The link stays valid."""
    return await deeds.look_at_link(house, data)


@post("/me/link", status_code=200, responses=refusals(*SENT, 404), opt=PASSWORDS.costs(1) | {ANYBODY: True})
async def use_link(
    request: Asked, data: JSONBody[deeds.LinkBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Guest:
    """Sign in with a link, which works once. `password` is the new password if the link is for a reset."""
    return await is_now(request, house, await deeds.use_link(house, guest, session, data, device_of(request).browser))


@post("/me/lost", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(2) | {ANYBODY: True})
async def lost(request: Asked, data: JSONBody[deeds.LostBody], house: TheHouse, guest: TheGuest) -> Done:  # noqa: ARG001
    """Request a password reset. If the name has a confirmed email address, we send a reset link there. Any
    other name gets the same answer in the same time."""
    pay(request, Price(LETTERS, 3), f"lost {likeness(data.name)}")
    await deeds.say_lost(house, data)
    return Done()


@post("/me/delete", status_code=200, responses=refusals(*SENT, 409), opt=PASSWORDS.costs(2) | {BANNED: True})
async def delete(request: Asked, data: JSONBody[leaving.DeleteBody], house: TheHouse, guest: TheGuest) -> Guest:
    """Delete your account and your messages. Finished games keep the name \"Somebody\", and a bot continues in the
    others. Confirm with your password, with the `answer` of a passkey if you have no password, or as a guest
    with the `word` delete. You keep the same guest id, without a name or games, so deleting an account ends
    neither a ban nor a report."""
    await leaving.delete(house, guest, data, device_of(request).site)
    return await is_now(request, house, Pass(guest.id), gone=guest.id)


@get("/me", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(8))
async def me(
    request: Asked,
    house: TheHouse,
    guest: TheGuest,
    session: TheSession,
    shared_url: TheUrl,
    which: Which = "",
    result: Which = "",
    page: Number = 1,
) -> Response[bytes]:
    """Show the page You: your name, your sessions and your games. `which` is a game or GAME:RULESET; `result`
    is how the game ended."""
    played = await _played(house, guest.id, which, result, page)
    parts = await profile_pages.choices(house, guest.id)
    keys = await pages.keys_of(house, guest, session, device_of(request).site)
    notifications, holiday = await notifications_of(house, guest), await pages.holiday_of(house, guest)
    marks, calendar = await pages.marks_of(house, guest), await calendar_deeds.address_of(house, guest, shared_url)
    return await page_answer(request, pages.me(guest, played, parts, keys, notifications, holiday, marks, calendar))


@get("/me/export", media_type="application/zip", responses=refusals(400), opt=THINKING.costs(6) | {BANNED: True})
async def export(request: Asked, house: TheHouse, guest: TheGuest, exports: NamedDependency[Exports]) -> Stream:
    """Download all your data as a ZIP: finished games as records, the rest as JSON."""
    del request
    return Stream(
        exports.begin(house, guest),
        media_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="parlour-mine.zip"'},
    )


@get("/link", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(3))
async def link(request: Asked, guest: TheGuest) -> Response[bytes]:
    """Show where a sign-in link leads. The token follows the #, so no log contains it."""
    return await page_answer(request, pages.link(guest))


@get("/p/{name:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(8))
async def player(
    request: Asked,
    name: FromPath[str],
    house: TheHouse,
    guest: TheGuest,
    which: Which = "",
    result: Which = "",
    page: Number = 1,
) -> Response[bytes]:
    """Show the player who has claimed a name: their finished listed games, what you can invite them to, and
    your results against them in all your games."""
    found = await house.store.look(partial(stored.account, likeness=likeness(name)))
    if found is None:
        raise NotFound("No account here has this name.")
    played = await _played(house, found.id, which, result, page, public=True)
    ours = await pages.between(house, guest, found)
    return await page_answer(request, pages.player(guest, found, played, ours))


async def _played(
    house: House, guest: str, which: str, result: str, page: int, *, public: bool = False
) -> pages.Played:
    """Return what a page shows of a person, to themselves or (`public`) to everyone. StoreFailed."""
    return pages.Played(
        await profile_pages.profile_of(house, guest, public=public), await rating_pages.ratings_of(house, guest),
        await accuracies_of(house, guest, public=public),
        await pages.games_of(house, guest, which, result, page, public=public),
        await club_pages.cards_of(house, guest, public=public),
    )  # fmt: skip


@get("/best/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(6))
async def best(
    request: Asked, game: FromPath[str], house: TheHouse, guest: TheGuest, ruleset: Which = "", page: Number = 1
) -> Response[bytes]:
    """Show the best players of a ruleset by rating (the first ruleset by default): people with a claimed name,
    and bots."""
    found = find(game)
    if ruleset and ruleset not in found.rulesets:
        raise UnknownName(f"{found.name} has no ruleset {ruleset!r}.", allowed=found.rulesets)
    drawn = await rating_pages.best(house, guest, found, ruleset or found.rulesets[0], page)
    return await page_answer(request, drawn)


API: list[HTTPRouteHandler] = [
    claim, prefer, holiday, sign_in, sign_out, change_password, end_sessions, device, look_at_link, use_link, lost,
    delete,
]  # fmt: skip
PAGES: list[HTTPRouteHandler] = [me, export, link, player, best]
