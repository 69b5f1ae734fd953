"""The addresses below /house, for moderators. For everyone else there is nothing.

A moderator opens a one-time link (`parlour house key`), and then has a cookie for two hours, sent only to these
addresses and only by this house's pages. Its value is random: without the database it can't be forged, and it stops
working when the session ends. Or they sign in to a moderator's account.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated
from urllib.parse import quote

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType, ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.types import ASGIApp, Receive, Scope, Send

from parlour.house.accounts import rows as people_rows
from parlour.house.admin import deeds as acts
from parlour.house.admin import pages, rows
from parlour.house.admin.deeds import Moderator
from parlour.house.admin.rows import SESSION
from parlour.house.errors import NotFound
from parlour.house.http.answering import page as page_answer
from parlour.house.http.hosts import AnyConnection, same_site
from parlour.house.http.rates import READING
from parlour.house.http.requests import BANNED, Asked, TheHouse, TheUrl, house_of, is_secure, pass_of
from parlour.house.table.play.seating import Body

COOKIE = "parlour_keeper"  # as browsers have it; renaming it would sign everyone out
PATH = "/house"
PRICE = READING.costs(4)  # each is a look into the database, even for strangers with a cookie or a key of their making
Find = Annotated[str, QueryParameter(max_length=64)]
Number = Annotated[int, QueryParameter(ge=1, le=100_000)]
TheModerator = NamedDependency[Moderator]


class Done(msgspec.Struct, frozen=True):
    """The request was carried out. `url`: where to go next; `link`: a new link, shown only now."""

    url: str = ""
    link: str = ""


def nothing(request: AnyConnection) -> NotFound:
    """Return what everyone else gets: the answer of an address with nothing."""
    return NotFound(f"There is no page at {request.scope['path']}.")


def _name(request: AnyConnection) -> str:
    return f"__Secure-{COOKIE}" if is_secure(request) else COOKIE


async def moderators_only(request: AnyConnection, _: BaseRouteHandler) -> None:
    """Guard: only a moderator finds something here. Raises NotFound."""
    token, store = request.cookies.get(_name(request), ""), house_of(request).store
    good = partial(rows.is_valid, token=token, kind="session", now=time.time())
    by_key = bool(token) and await store.look(good)
    moderator = rows.hashed(token) if by_key else await _by_account(request)
    if moderator is None:
        raise nothing(request)
    request.scope["state"]["parlour_moderator"] = Moderator(moderator)


async def _by_account(request: AnyConnection) -> str | None:
    """Return the guest who sent a request, if they are signed in to a moderator's account and not banned."""
    one, house = pass_of(request), house_of(request)
    if one is None or not one.session or house.bans.ban_of(one.guest, "") is not None:
        return None
    if not await house.guests.admits(one):
        return None
    moderates = await house.store.look(partial(people_rows.is_moderator, guest=one.guest))
    return one.guest if moderates else None


async def keys_only(request: AnyConnection, _: BaseRouteHandler) -> None:
    """Guard: only a valid key finds something here. Raises NotFound."""
    key = str(request.path_params.get("token", ""))
    if not await house_of(request).store.look(partial(rows.is_valid, token=key, kind="key", now=time.time())):
        raise nothing(request)


def moderator_of(request: Asked) -> Moderator:
    """Return the moderator whom the guard found."""
    found: Moderator = request.scope["state"]["parlour_moderator"]
    return found


def _give(request: AnyConnection, value: str, age: int) -> None:
    secure = is_secure(request)
    cookie = Cookie(
        _name(request), value=value, max_age=age, path=PATH, httponly=True, samesite="strict", secure=secure
    )
    request.scope["state"]["parlour_cookies"] = [cookie.to_header(header="")]


def without_options(app: ASGIApp) -> ASGIApp:
    """Return `app` without OPTIONS below /house, as for missing addresses: Litestar answers OPTIONS for every other
    address, and would reveal these to strangers."""

    async def step(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and scope["method"] == "OPTIONS" and scope["path"].startswith(PATH):
            scope["method"] = "TRACE"
        await app(scope, receive, send)

    return step


# In and out ----------------------------------------------------------------------------------------
@get("/enter/{token:str}", media_type=MediaType.HTML, guards=[keys_only])
async def door(request: Asked, token: FromPath[str]) -> Response[bytes]:
    """Return the page of a key. Requesting it does not use up the key, because programs that preview links do that."""
    answer = await page_answer(request, pages.door(token))
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@post("/enter/{token:str}", status_code=200, guards=[keys_only, same_site])
async def enter(
    request: Asked,
    token: FromPath[str],
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
) -> Done:
    """Use up a key and start a moderator's session."""
    session = await house.store.do(partial(rows.enter, key=token, now=time.time()))
    if session is None:
        raise nothing(request)
    _give(request, session, int(SESSION))
    return Done(PATH)


@post("/leave", status_code=200)
async def leave(
    request: Asked,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    moderator: TheModerator,
) -> Done:
    """End the moderator's session."""
    await acts.leave(house, moderator)
    _give(request, "", 0)
    return Done("/")


# Pages ---------------------------------------------------------------------------------------------
@get("/", media_type=MediaType.HTML)
async def overview(request: Asked, house: TheHouse) -> Response[bytes]:
    """Return the state of the machine, and the notice to everyone."""
    return await page_answer(request, await pages.overview(house))


@get("/people", media_type=MediaType.HTML)
async def people(request: Asked, house: TheHouse, find: Find = "", page: Number = 1) -> Response[bytes]:
    """Return the people, by name."""
    return await page_answer(request, await pages.people(house, find, page))


@get("/people/{whom:str}", media_type=MediaType.HTML)
async def person(request: Asked, house: TheHouse, whom: FromPath[str]) -> Response[bytes]:
    """Return one person."""
    return await page_answer(request, await pages.person(house, whom))


@get("/tables", media_type=MediaType.HTML)
async def tables(request: Asked, house: TheHouse, status: Find = "playing", page: Number = 1) -> Response[bytes]:
    """Return the tables, by status."""
    return await page_answer(request, await pages.tables(house, status, page))


@get("/tables/{table:str}", media_type=MediaType.HTML)
async def table(
    request: Asked,
    house: TheHouse,
    moderator: TheModerator,
    table: FromPath[str],
    look: FromQuery[int | None] = None,
    seat: FromQuery[int] = 0,
) -> Response[bytes]:
    """Return a table as an observer sees it; or as a seat does, with the number of a logged reason."""
    return await page_answer(request, await pages.table(house, moderator, table, look, seat))


@get("/tournaments", media_type=MediaType.HTML)
async def tournaments(request: Asked, house: TheHouse, status: Find = "running", page: Number = 1) -> Response[bytes]:
    """Return the tournaments, by status."""
    return await page_answer(request, await pages.tournaments(house, status, page))


@get("/clubs", media_type=MediaType.HTML)
async def clubs(request: Asked, house: TheHouse, find: Find = "", page: Number = 1) -> Response[bytes]:
    """Return the clubs, by name."""
    return await page_answer(request, await pages.clubs(house, find, page))


@get("/reports", media_type=MediaType.HTML)
async def reports(request: Asked, house: TheHouse, which: Find = "open", page: Number = 1) -> Response[bytes]:
    """Return reports, open or closed, with the messages."""
    return await page_answer(request, await pages.reports(house, done=which == "done", page=page))


@get("/bans", media_type=MediaType.HTML)
async def bans(request: Asked, house: TheHouse, page: Number = 1) -> Response[bytes]:
    """Return the bans."""
    return await page_answer(request, await pages.bans(house, page))


@get("/log", media_type=MediaType.HTML)
async def log(request: Asked, house: TheHouse, page: Number = 1) -> Response[bytes]:
    """Return the moderators' log."""
    return await page_answer(request, await pages.log(house, page))


# Acts ----------------------------------------------------------------------------------------------
@post("/ban", status_code=200)
async def ban(data: JSONBody[acts.BanBody], house: TheHouse, moderator: TheModerator) -> Done:
    """Ban a guest, or a network."""
    await acts.ban(house, moderator, data)
    return Done()


@post("/lift", status_code=200)
async def lift(data: JSONBody[acts.LiftBody], house: TheHouse, moderator: TheModerator) -> Done:
    """End a ban."""
    await acts.lift(house, moderator, data)
    return Done()


@post("/report", status_code=200)
async def report(data: JSONBody[acts.ReportBody], house: TheHouse, moderator: TheModerator) -> Done:
    """Close or reopen a report."""
    await acts.finish(house, moderator, data)
    return Done()


@post("/notice", status_code=200)
async def notice(data: JSONBody[acts.NoticeBody], house: TheHouse, moderator: TheModerator) -> Done:
    """Publish or withdraw the notice to everyone."""
    await acts.publish(house, moderator, data)
    return Done()


@post("/look", status_code=200)
async def look(data: JSONBody[acts.LookBody], house: TheHouse, moderator: TheModerator) -> Done:
    """Log the reason, then show a table's hidden information."""
    number = await acts.look(house, moderator, data)
    return Done(f"{PATH}/tables/{quote(data.table, safe='')}?look={number}")


@post("/reset", status_code=200)
async def reset(data: JSONBody[acts.ResetBody], house: TheHouse, moderator: TheModerator, shared_url: TheUrl) -> Done:
    """Create a password reset link, after logging how the moderator knows that it is them."""
    return Done(link=f"{shared_url}/link#{await acts.reset(house, moderator, data)}")


@post("/cancel", status_code=200)
async def cancel(data: JSONBody[acts.CancelBody], house: TheHouse, moderator: TheModerator) -> Done:
    """Cancel a tournament."""
    await acts.cancel(house, moderator, data)
    return Done()


@post("/rename", status_code=200)
async def rename(data: JSONBody[acts.RenameBody], house: TheHouse, moderator: TheModerator) -> Done:
    """Rename a club."""
    await acts.rename(house, moderator, data)
    return Done()


@post("/dissolve", status_code=200)
async def dissolve(data: JSONBody[acts.DissolveBody], house: TheHouse, moderator: TheModerator) -> Done:
    """Delete a club."""
    await acts.dissolve(house, moderator, data)
    return Done()


_KEEPERS = Router(
    "/",
    route_handlers=[
        overview, people, person, tables, table, tournaments, clubs, reports, bans, log, leave, ban, lift, report,
        notice, look, reset, cancel, rename, dissolve,
    ],
    guards=[moderators_only, same_site],
    dependencies={"moderator": Provide(moderator_of, sync_to_thread=False)},
)  # fmt: skip
router = Router(PATH, route_handlers=[door, enter, _KEEPERS], include_in_schema=False, opt=PRICE | {BANNED: True})
