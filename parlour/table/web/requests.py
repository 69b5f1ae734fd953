"""Requests: who sent them, what they contain, and what is added to every answer.

Litestar hands each handler what it names: the house, the guest, the body (`PROVIDED`, `Asked`).
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders
from litestar.di import NamedDependency, Provide
from litestar.exceptions import InternalServerException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath
from litestar.types import Message, Scope

from parlour.table.errors import BadInput, NotJson, OtherSite
from parlour.table.house.guests import COOKIE, COOKIE_AGE, Guest
from parlour.table.house.house import House
from parlour.table.play.talk import Talk
from parlour.table.staff.analysing import Analyst
from parlour.table.web.network import EVERYWHERE, for_others

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Asked(Request[Any, Any, Any]):
    """A request whose body is read as exactly what the handler takes.

    Litestar alone would read JSON first and then fit it loosely (the text "12" for the number 12)
    and would call a body that is missing an error; here nothing at all is `{}`, and what is wrong
    is one sentence.
    """

    async def body(self) -> bytes:
        """What was sent; nothing at all is `{}`. Raises BadInput when the sender hung up in the
        middle."""
        try:
            return await super().body() or b"{}"
        except InternalServerException:  # Litestar's word for it; no fault of ours, and nothing to log
            raise BadInput("What was sent broke off.") from None

    async def json(self) -> Any:
        """What was sent, as the handler's `data`. Errors: NotJson, BadInput (what was wrong,
        where)."""
        data = await super().body()
        if data and self.content_type[0] != "application/json":
            raise NotJson("Send JSON, with the header Content-Type: application/json.", allowed=["application/json"])
        field = self.route_handler.parsed_data_field
        assert field is not None
        try:
            return _decoder(field.annotation).decode(data or b"{}")
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            allowed = [one.encode_name for one in msgspec.structs.fields(field.annotation)]
            raise BadInput(f"What was sent cannot be used: {error}.", allowed=allowed) from None


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def house_of(request: ASGIConnection[Any, Any, Any, Any]) -> House:
    """The house that this process serves."""
    house: House = request.app.state.house
    return house


def talk_of(request: Asked) -> Talk:
    """How fast each guest of the house talks."""
    talk: Talk = request.app.state.talk
    return talk


def analyst_of(request: Asked) -> Analyst:
    """Whoever analyses finished games in the house."""
    analyst: Analyst = request.app.state.analyst
    return analyst


async def guest_of(request: Asked) -> Guest:
    """The guest who sent this. A visitor without a cookie of ours is new, and gets one with the
    answer."""
    guests = house_of(request).guests
    guest = guests.read(request.cookies.get(COOKIE))
    if guest is None or request.url.path == "/":  # the lobby prolongs the cookie
        guest = guest or guests.new()
        secure = base_url(request).startswith("https:")
        value = guests.sign(guest)
        cookie = Cookie(COOKIE, value=value, max_age=COOKIE_AGE, httponly=True, samesite="lax", secure=secure)
        request.scope["state"]["parlour_cookie"] = cookie.to_header(header="")
    return await guests.guest(guest)


def base_url(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address of the house as people use it, without a slash at the end. Raises BadInput when
    the request names no host that could be one."""
    chosen = house_of(request).settings.base_url
    if not chosen and netloc(str(request.url)) is None:
        raise BadInput("The header Host does not hold an address.")
    return chosen.rstrip("/") if chosen else f"{request.url.scheme}://{request.url.netloc}"


def netloc(url: str) -> str | None:
    """The host and port in an address, None if it is no address."""
    try:
        return urlsplit(url).netloc
    except ValueError:  # such as `http://[`
        return None


def share_url(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The same for links that are given to others: not `localhost` if the server can be reached
    from outside."""
    settings = house_of(request).settings
    own = base_url(request)
    return for_others(own) if settings.host in EVERYWHERE and not settings.base_url else own


# What handlers name.
TableId = FromPath[str]
TheHouse = NamedDependency[House]
TheGuest = NamedDependency[Guest]
TheUrl = NamedDependency[str]
PROVIDED = {
    "house": Provide(house_of, sync_to_thread=False),
    "talker": Provide(talk_of, sync_to_thread=False),
    "analyst": Provide(analyst_of, sync_to_thread=False),
    "guest": Provide(guest_of),
    "own_url": Provide(base_url, sync_to_thread=False),
    "shared_url": Provide(share_url, sync_to_thread=False),
}


async def same_site(request: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard: pages of other sites cannot act for a guest (besides the cookie, which they
    cannot send)."""
    origin = request.headers.get("origin")
    ours = {request.headers.get("host", ""), netloc(base_url(request))}
    if origin is not None and netloc(origin) not in ours:
        raise OtherSite("This came from a page of another site.")


async def note_start(request: Request[Any, Any, Any]) -> None:
    """Note when work on a request began."""
    request.scope["state"]["parlour_began"] = time.perf_counter()


async def add_headers(message: Message, scope: Scope) -> None:
    """Add to every answer: security headers, the guest's cookie, and how long it took."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    state: dict[str, Any] = scope.get("state") or {}
    if cookie := state.get("parlour_cookie"):
        headers.add("Set-Cookie", cookie)
    if began := state.get("parlour_began"):
        headers["Server-Timing"] = f"app;dur={(time.perf_counter() - began) * 1000:.1f}"
