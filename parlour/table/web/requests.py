"""Requests: who sent them, what they contain, and what is added to every answer.

Litestar hands each handler what it names: the house, the guest, the body (`PROVIDED`, `Asked`).
"""

from __future__ import annotations

import re
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
from parlour.table.house.guests import COOKIE, COOKIE_AGE, SECURE_COOKIE, Guest
from parlour.table.house.house import House
from parlour.table.staff.analysing import Analyst
from parlour.table.web.network import EVERYWHERE, for_others, neighbourhood
from parlour.table.web.places import Place, Places
from parlour.table.web.rates import NEWCOMER, USUAL, Price, Rates

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "private, no-store",  # whatever says nothing else may be one guest's
}
HOST = re.compile(r"(?:[\w.~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{0,5}))?", re.ASCII)
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # the one way to write it in JSON
NO_NUL = "What was sent holds the character NUL (U+0000), which no text here can hold."

TheGuest = NamedDependency[Guest]
AnyConnection = ASGIConnection[Any, Any, Any, Any]


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
        if _NUL.search(data):
            raise BadInput(NO_NUL)
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


def house_of(request: AnyConnection) -> House:
    """The house that this process serves."""
    house: House = request.app.state.house
    return house


def analyst_of(request: Asked) -> Analyst:
    """Whoever analyses finished games in the house."""
    analyst: Analyst = request.app.state.analyst
    return analyst


def address_of(request: AnyConnection) -> str:
    """The address that a request came from: the one place that says so. If it came through a
    trusted proxy, uvicorn has put there whom the proxy named (`Settings.proxies`)."""
    client = request.scope.get("client")
    return neighbourhood(client[0]) if client else ""


def guest_id(request: AnyConnection) -> str | None:
    """The id in the guest's cookie, None without one of ours."""
    state = request.scope["state"]
    if "parlour_guest" not in state:
        read, cookies = house_of(request).guests.read, request.cookies
        state["parlour_guest"] = read(cookies.get(_cookie_name(request))) or read(cookies.get(COOKIE))
    found: str | None = state["parlour_guest"]
    return found


def _cookie_name(request: AnyConnection) -> str:
    return SECURE_COOKIE if is_secure(request) else COOKIE


def pay(request: AnyConnection, price: Price, guest: str | None = None) -> None:
    """Take a price from the address that a request came from, and from a guest. Raises TooFast."""
    rates: Rates | None = request.app.state.rates
    if rates is not None:
        rates.charge(price, guest, address_of(request))


async def guest_of(request: Asked) -> Guest:
    """The guest who sent this. A visitor without a cookie of ours is new, and gets one with the
    answer; one that was signed with an old key, or has the name for http under https, is
    replaced. Raises TooFast when too many come from one address."""
    guests = house_of(request).guests
    guest = guest_id(request)
    if guest is None:
        pay(request, NEWCOMER)
    name, plain = _cookie_name(request), request.cookies.get(COOKIE)
    if guest is None or request.scope["path"] == "/" or not guests.is_current(request.cookies.get(name, "")):
        # the lobby prolongs the cookie
        guest = guest or guests.new()
        value = guests.sign(guest)
        secure = name == SECURE_COOKIE
        cookies = [Cookie(name, value=value, max_age=COOKIE_AGE, httponly=True, samesite="lax", secure=secure)]
        if secure and plain is not None:
            cookies.append(Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="lax", secure=True))
        request.scope["state"]["parlour_cookies"] = [cookie.to_header(header="") for cookie in cookies]
    return await guests.guest(guest)


def is_secure(request: AnyConnection) -> bool:
    """Whether people reach the house by https."""
    chosen = house_of(request).settings.base_url
    return chosen.startswith("https:") if chosen else request.scope["scheme"] == "https"


def place_of(request: Asked, guest: TheGuest) -> Place:
    """A place for one more stream. Raises TooFast when there is none."""
    places: Places = request.app.state.places
    place = Place(places, guest.id, address_of(request), base_url(request))
    places.admit(place.guest, place.address, place.name)
    return place


def base_url(request: AnyConnection) -> str:
    """The address of the house as people use it, without a slash at the end. Errors: those of
    `host_of`."""
    chosen = house_of(request).settings.base_url
    return chosen.rstrip("/") if chosen else f"{request.scope['scheme']}://{host_of(request)}"


def host_of(request: AnyConnection) -> str:
    """The host and port that a request names; who names none means the address they reached.
    Raises BadInput when the header Host holds something else."""
    host = request.headers.get("host", "")
    found = HOST.fullmatch(host)
    if found is not None and int(found[1] or 0) <= 65535:
        return host
    if host:
        raise BadInput("The header Host does not hold an address: a name or number, and a port up to 65535.")
    name, port = request.scope.get("server") or ("localhost", None)
    name = f"[{name}]" if ":" in name else name
    return f"{name}:{port}" if port else name


async def well_formed(request: AnyConnection, _: BaseRouteHandler) -> None:
    """A guard: what is in the address and the header Host is text that can be kept and looked up.
    PostgreSQL keeps no NUL, so none is let in anywhere (that in a body: `Asked.json`)."""
    if "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise BadInput(NO_NUL)
    host_of(request)


def netloc(url: str) -> str | None:
    """The host and port in an address, None if it is no address."""
    try:
        return urlsplit(url).netloc
    except ValueError:  # such as `http://[`
        return None


def share_url(request: AnyConnection) -> str:
    """The same for links that are given to others: not `localhost` if the server can be reached
    from outside."""
    settings = house_of(request).settings
    own = base_url(request)
    return for_others(own) if settings.host in EVERYWHERE and not settings.base_url else own


# What handlers name.
TableId = FromPath[str]
TheHouse = NamedDependency[House]
TheUrl = NamedDependency[str]
PROVIDED = {
    "house": Provide(house_of, sync_to_thread=False),
    "place": Provide(place_of, sync_to_thread=False),
    "analyst": Provide(analyst_of, sync_to_thread=False),
    "guest": Provide(guest_of),
    "own_url": Provide(base_url, sync_to_thread=False),
    "shared_url": Provide(share_url, sync_to_thread=False),
}


async def charge(request: AnyConnection, handler: BaseRouteHandler) -> None:
    """A guard: nothing is done for a request before it is paid for. Raises TooFast."""
    guest = guest_id(request) if house_of(request).opened else None  # a house that opens tells only its health
    pay(request, handler.opt.get("price", USUAL), guest)


async def same_site(request: AnyConnection, _: BaseRouteHandler) -> None:
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
    for cookie in state.get("parlour_cookies", ()):
        headers.add("Set-Cookie", cookie)
    if began := state.get("parlour_began"):
        headers["Server-Timing"] = f"app;dur={(time.perf_counter() - began) * 1000:.1f}"
