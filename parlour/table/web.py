"""Between HTTP and the house: who asks, what was sent, and refusals in one shape."""

from __future__ import annotations

import logging
import time
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders
from litestar.enums import MediaType
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.types import Message, Scope

from parlour.core.errors import BrokenGame, ParlourError
from parlour.table import pages
from parlour.table.errors import (
    BadInput,
    NotFound,
    NotJson,
    OtherSite,
    TableError,
    TooLarge,
    Unexpected,
    WrongMethod,
    body_of,
    status_of,
)
from parlour.table.guests import COOKIE, COOKIE_AGE
from parlour.table.house import House
from parlour.table.model import Guest
from parlour.table.network import EVERYWHERE, for_others

log = logging.getLogger(__name__)
MAX_BODY = 64 * 1024  # bytes
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

Asked = Request[Any, Any, Any]
T = TypeVar("T")


def house_of(request: ASGIConnection[Any, Any, Any, Any]) -> House:
    """The house that this process serves."""
    house: House = request.app.state.house
    return house


async def guest_of(request: Asked) -> Guest:
    """Who asks. One who brings no cookie of ours is new, and gets one with the answer."""
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
    """The address of the house as people use it, without a slash at the end."""
    chosen = house_of(request).settings.base_url
    return chosen.rstrip("/") if chosen else f"{request.url.scheme}://{request.url.netloc}"


def share_url(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The same for links that are given to others: not `localhost`, where the server can be reached from outside."""
    settings = house_of(request).settings
    own = base_url(request)
    return for_others(own) if settings.host in EVERYWHERE and not settings.base_url else own


async def sent(request: Asked, kind: type[T]) -> T:
    """The JSON that was sent, as `kind`; nothing at all is `{}`. Errors: NotJson, BadInput (what was wrong, where)."""
    data = await request.body()
    if data and request.content_type[0] != "application/json":
        raise NotJson("Send JSON, with the header Content-Type: application/json.", allowed=["application/json"])
    try:
        return msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        fields = msgspec.structs.fields(kind) if issubclass(kind, msgspec.Struct) else ()
        allowed = [field.encode_name for field in fields]
        raise BadInput(f"What was sent cannot be used: {error}.", allowed=allowed) from None


async def same_site(request: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard: pages of other sites cannot act for a guest (beside the cookie, which they cannot send)."""
    origin = request.headers.get("origin")
    ours = {request.headers.get("host", ""), urlsplit(base_url(request)).netloc}
    if origin is not None and urlsplit(origin).netloc not in ours:
        raise OtherSite("This came from a page of another site.")


async def note_start(request: Asked) -> None:
    """Note when work on a request began."""
    request.scope["state"]["parlour_began"] = time.perf_counter()


async def add_headers(message: Message, scope: Scope) -> None:
    """What goes out with every answer: security headers, the guest's cookie, and how long it took."""
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


# Refusals ----------------------------------------------------------------------------------------
def refused(request: Asked, error: ParlourError) -> Response[Any]:
    """A refusal: a page for a browser that asked for one, else JSON."""
    if isinstance(error, BrokenGame):  # where it lies and what is wrong with it is for whoever runs the house
        log.warning("%s", error)
        error = BrokenGame("This game does not load. The log of the house and `parlour games` say why.")
    status = status_of(error, request.method)
    if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        return Response(pages.error(status, error), status_code=status, media_type=MediaType.HTML)
    return Response({"error": body_of(error)}, status_code=status, media_type=MediaType.JSON)


def http_refused(request: Asked, error: HTTPException) -> Response[Any]:
    """Litestar's own refusals in our shape."""
    status = error.status_code
    if status == 404:
        return refused(request, NotFound(f"There is nothing at {request.url.path}."))
    if status == 405:
        methods = sorted(filter(None, (error.headers or {}).get("allow", "").split(", ")))
        answer = refused(request, WrongMethod(f"{request.method} is not possible here.", allowed=methods))
        answer.headers["Allow"] = ", ".join(methods)
        return answer
    if status == 413:
        return refused(request, TooLarge(f"That is too large: at most {MAX_BODY // 1024} KB are read."))
    if status < 500:
        problem: TableError = BadInput(f"That cannot be used: {_what_was_wrong(error)}.")
        problem.status = status
        return refused(request, problem)
    return failed(request, error)


def _what_was_wrong(error: HTTPException) -> str:
    """The parameters that Litestar could not read, by name; else its own words."""
    wrong = error.extra if isinstance(error.extra, list) else []
    found = [f"{one['key']}: {one['message']}" for one in wrong if {"key", "message"} <= one.keys()]
    return ("; ".join(found) or error.detail).rstrip(".")


def failed(request: Asked, error: Exception) -> Response[Any]:
    """A fault of ours: told plainly, with the details in the log only."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return refused(request, Unexpected("Something went wrong on our side. Nothing that was done is lost."))
