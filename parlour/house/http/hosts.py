"""The house's names: those under which it answers, and the address in its links.

A stranger's page, under a name that they point to this machine, would look to the browser like a page of this house
(DNS rebinding), and could do everything that its guest can. So a house without a proxy answers only to its own names: a
numeric address, a name that is not for sale (without a dot, `localhost`, `pi.local`), this computer's name, that of
`--base-url`, and those of `--names`. Behind a proxy, the proxy decides which names reach the house.
"""

from __future__ import annotations

import logging
import re
import socket
import time
from functools import cache, lru_cache
from ipaddress import ip_address
from urllib.parse import parse_qsl, quote, urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler

from parlour.house.errors import BadInput, OtherName, OtherSite
from parlour.house.http.network import EVERYWHERE, for_others
from parlour.house.settings import Settings

log = logging.getLogger(__name__)
HOST = re.compile(r"(?:[\w.~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{0,5}))?", re.ASCII)
NOBODYS = ("local", "localhost", "lan", "home", "home.arpa", "internal", "test")  # names below these cannot be bought
WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
HOUSE = "/house"  # below which strangers find nothing
NO_NUL = "The request contains the character NUL (U+0000), which isn't allowed in text."
SELDOM = 60.0  # seconds between two lines of the log about pages of other sites

AnyConnection = ASGIConnection[HTTPRouteHandler, object, object, State]


def settings_of(request: AnyConnection) -> Settings:
    """Return the house's settings."""
    settings: Settings = request.app.state.house.settings
    return settings


def base_url(request: AnyConnection) -> str:
    """Return the house's address as people use it, without a slash at the end. Errors: those of `host_of`."""
    chosen = settings_of(request).base_url
    return chosen.rstrip("/") if chosen else f"{request.scope['scheme']}://{host_of(request)}"


def host_of(request: AnyConnection) -> str:
    """Return the host and port that a request names; without one, the address that it reached. Raises BadInput if the
    Host header contains something else."""
    host = request.headers.get("host", "")
    found = HOST.fullmatch(host)
    if found is not None and int(found[1] or 0) <= 65535:
        return host
    if host:
        raise BadInput("The Host header isn't valid: it must be a name or number, with a port up to 65535.")
    name, port = request.scope.get("server") or ("localhost", None)
    name = f"[{name}]" if ":" in name else name
    return f"{name}:{port}" if port else name


async def well_formed(request: AnyConnection, handler: BaseRouteHandler) -> None:
    """Guard: the address and the Host header must be text that can be stored and looked up, and the host one of the
    house's names. PostgreSQL can't store NUL, so it is refused everywhere (in a body: `Asked.json`)."""
    query = request.scope["query_string"]
    if "\0" in request.scope["path"] or b"%00" in query:
        raise BadInput(NO_NUL)
    if query:
        _read_strictly(query.decode("latin-1"), _whole_numbers(handler))
    host, settings = host_of(request), settings_of(request)
    if not settings.proxies and not is_own(host, settings.base_url, tuple(settings.names)):
        name = _name(host)
        raise OtherName(
            f"This house isn't set up for the name {name}. Its numeric address always works. To add the name, start "
            f"the house with --names {name}."
        )


@cache
def _whole_numbers(handler: BaseRouteHandler) -> frozenset[str]:
    """Return the whole numbers that a handler and its dependencies read from the query."""
    signatures = [handler.parsed_fn_signature]
    signatures += [one.parsed_fn_signature for one in handler.resolve_dependencies().values()]
    taken = [item for one in signatures for item in one.parameters.items()]
    return frozenset(name for name, field in taken if field.annotation in (int, int | None))


def _read_strictly(query: str, whole: frozenset[str]) -> None:
    """Refuse what would be misread: one of two values, or `1.0` for 1."""
    seen = set()
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name in seen:
            raise BadInput(f"The address contains {name[:40]!r} twice. Include it once.")
        seen.add(name)
        if name in whole and not WHOLE.fullmatch(value):
            raise BadInput(f"{name} must be a whole number in plain digits, such as 12.")


@lru_cache(maxsize=1024)
def is_own(host: str, base: str, names: tuple[str, ...]) -> bool:
    """Return whether a house with this base URL and these extra names answers under `host`."""
    name = _name(host)
    try:
        ip_address(name)
    except ValueError:
        pass
    else:
        return True
    own = {_name(one) for one in (netloc(base) or "", socket.gethostname(), *names) if one}
    return name in own or "." not in name or any(name.endswith(f".{one}") for one in NOBODYS)


def _name(host: str) -> str:
    """Return the name or number in a host, with or without a port, for comparison."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")


def netloc(url: str) -> str | None:
    """Return the host and port in an address, None if it is not valid."""
    try:
        return urlsplit(url).netloc
    except ValueError:  # such as `http://[`
        return None


def share_url(request: AnyConnection) -> str:
    """Return the address for links to share: not `localhost` if the server can be reached from outside."""
    settings = settings_of(request)
    own = base_url(request)
    return for_others(own) if settings.host in EVERYWHERE and not settings.base_url else own


async def same_site(request: AnyConnection, _: BaseRouteHandler) -> None:
    """Guard: pages of other sites can't act for a guest (in addition to the cookie, which they can't send)."""
    origin = request.headers.get("origin")
    ours = {request.headers.get("host", ""), netloc(base_url(request))}
    if origin is not None and netloc(origin) not in ours:
        _say_now_and_then(origin, request.headers.get("host", ""))
        raise OtherSite("This request came from a page of another site.")


_said = {"": -SELDOM}  # when that line was last logged


def _say_now_and_then(origin: str, host: str) -> None:
    """Log it for the operator: it may be a page of their own, behind a proxy that doesn't pass on its name."""
    now = time.monotonic()
    if now - _said[""] >= SELDOM:
        _said[""] = now
        log.warning(
            "Refused a request from a page at %s to this house as %s. If that page is this house's, its proxy doesn't "
"pass on the Host header (nginx: proxy_set_header Host $http_host). Fix that, or start the house with "
"--base-url.",
            quote(origin[:200], safe=":/[]"), quote(host[:200], safe=":[]"),
        )  # fmt: skip
