"""Requests: who sent them, what they contain, and what is added to every answer.

Litestar gives each handler what it names: the house, the guest, the body (`PROVIDED`, `Asked`).
"""

from __future__ import annotations

import json
import re
import time
from functools import cache, partial
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import Cookie, MutableScopeHeaders, State
from litestar.di import NamedDependency, Provide
from litestar.exceptions import InternalServerException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath
from litestar.types import Message, Scope
from msgspec.structs import replace

from parlour.house.accounts import browsers
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.export import Exports
from parlour.house.accounts.guests import COOKIE, COOKIE_AGE, KNOWN_COOKIE, SECURE_COOKIE, SECURE_KNOWN, Guest, Pass
from parlour.house.accounts.names import likeness
from parlour.house.accounts.pages import moment
from parlour.house.accounts.passkeys.challenges import site_of
from parlour.house.accounts.proving import Device
from parlour.house.admin.rows import Ban
from parlour.house.analysis.jobs import Analyst
from parlour.house.errors import BadInput, Banned, NotJson, SignedOut
from parlour.house.house import House
from parlour.house.http import bearer
from parlour.house.http.hosts import NO_NUL, AnyConnection, base_url, share_url
from parlour.house.http.network import neighbourhood
from parlour.house.http.places import Place, Places
from parlour.house.http.rates import KNOWN, NEWCOMER, PASSWORDS, TRIES, USUAL, Price, Rates
from parlour.house.playtests.jobs import Trials
from parlour.house.tournaments.watching import Watch

SITE = 48  # bits: the owner of an IPv6 network often has all addresses with this prefix, and counts as one
PULSE_LENGTH = 40  # characters of the name of a page
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",  # by default an answer may be for one guest only
}
PAGE = {  # what a browser obeys in a page, in a picture that is opened as one, and in the service worker
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
DATA = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}  # for all that is not a page
PAGES = ("text/html", "image/svg+xml")
BANNED = "banned"  # for `opt` of a handler: banned people may use it too
ANYBODY = "anyone"  # for `opt` of a handler: signed-out people need no notice of that
ENDED = "You've been signed out: this session was ended, or your account was deleted."
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # the one way to write it in JSON

TheGuest = NamedDependency[Guest]


class Asked(Request[object, object, State]):
    """A request whose body is read as exactly what the handler takes.

    Litestar alone would read JSON first, then convert it loosely (the text "12" to the number 12), and would refuse a
    missing body; here an empty body is `{}`, and a refusal is one sentence.
    """

    async def body(self) -> bytes:
        """Return the body; an empty one is `{}`. Raises BadInput if the sender hung up in the middle."""
        try:
            return await super().body() or b"{}"
        except InternalServerException:  # Litestar's name for it; no failure of ours, and nothing to log
            raise BadInput("The request was incomplete.") from None

    async def json(self) -> object:
        """Return the body as the handler's `data`. Errors: NotJson, BadInput (what was wrong, where)."""
        data = await super().body()
        if data and self.content_type[0] != "application/json":
            raise NotJson(
                "Please send JSON with the header Content-Type: application/json.", allowed=["application/json"]
            )
        if _NUL.search(data):
            raise BadInput(NO_NUL)
        field = self.route_handler.parsed_data_field
        assert field is not None
        try:
            found = _decoder(field.annotation).decode(data or b"{}")
            json.loads(data or b"{}", object_pairs_hook=_once)  # msgspec takes the last of two
            return found
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            allowed = [one.encode_name for one in msgspec.structs.fields(field.annotation)]
            raise BadInput(f"The request isn't valid: {error}.", allowed=allowed) from None


def _once(pairs: list[tuple[str, object]]) -> None:
    """Refuse a JSON object with a duplicate key: readers differ in which value they take."""
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise BadInput(f"The request contains {name[:40]!r} twice. Include it once.")
        seen.add(name)


@cache
def _decoder(kind: type[object]) -> msgspec.json.Decoder[object]:
    return msgspec.json.Decoder(kind)


def house_of(request: AnyConnection) -> House:
    """Return the house that this process serves."""
    house: House = request.app.state.house
    return house


def analyst_of(request: Asked) -> Analyst:
    """Return the house's analyst of finished games."""
    analyst: Analyst = request.app.state.analyst
    return analyst


def watch_of(request: Asked) -> Watch:
    """Return the open pages of tournaments."""
    watch: Watch = request.app.state.watch
    return watch


def trials_of(request: Asked) -> Trials:
    """Return what lets bots play the house's playtests."""
    trials: Trials = request.app.state.trials
    return trials


def exports_of(request: Asked) -> Exports:
    """Return the exports in progress."""
    exports: Exports = request.app.state.exports
    return exports


def address_of(request: AnyConnection) -> str:
    """Return the address that a request came from; nothing else decides this. If it came through a trusted proxy,
    uvicorn has put there the address that the proxy named (`Settings.proxies`)."""
    client = request.scope.get("client")
    return neighbourhood(client[0]) if client else ""


def client_of(request: AnyConnection) -> str:
    """Return the address itself, "" without one."""
    client = request.scope.get("client")
    return client[0] if client else ""


def came_by_proxy(request: AnyConnection) -> bool:
    """Return whether something between the sender and this house answers for senders who have vanished."""
    headers = request.headers
    named = any(name in headers for name in ("x-forwarded-for", "forwarded", "via"))
    return named or bool(house_of(request).settings.proxies)


def pulse_of(request: AnyConnection, pulse: str | None) -> str:
    """Return the name of an open page's heartbeat, "" if it needs or has none."""
    return pulse if pulse and len(pulse) <= PULSE_LENGTH and came_by_proxy(request) else ""


def pass_of(request: AnyConnection) -> Pass | None:
    """Return the content of the guest's cookie, or of the token that a program sends instead; None without one of
    ours."""
    state = request.scope["state"]
    if "parlour_pass" not in state and (token := bearer.token_of(request)) is not None:
        state["parlour_pass"] = bearer.read(token)
    elif "parlour_pass" not in state:
        read, cookies = house_of(request).guests.read, request.cookies
        state["parlour_pass"] = read(cookies.get(_cookie_name(request))) or read(cookies.get(COOKIE))
    found: Pass | None = state["parlour_pass"]
    return found


def guest_id(request: AnyConnection) -> str | None:
    """Return the id in the guest's cookie, None without a valid one, as far as is known without a query."""
    one = pass_of(request)
    return None if one is None or house_of(request).guests.refuses(one) else one.guest


def _cookie_name(request: AnyConnection) -> str:
    return SECURE_COOKIE if is_secure(request) else COOKIE


def pay(request: AnyConnection, price: Price, guest: str | None = None, together: str | None = None) -> None:
    """Take a price from a guest, and from the request's address or from what else counts `together`. Raises TooFast."""
    rates: Rates | None = request.app.state.rates
    if rates is not None:
        rates.charge(price, guest, address_of(request) if together is None else together)


async def pay_for_a_try(request: Asked, guest: Guest, name: str) -> None:
    """Take the price of one sign-in attempt. A browser in which the account's owner has signed in before pays
    separately, so that strangers can't lock the owner out. Raises TooFast."""
    alike, house = likeness(name), house_of(request)
    known = house.guests.before.read(request.cookies.get(_known_name(request)))
    if known and (owner := await house.store.look(partial(account_rows.owner, likeness=alike))) in known:
        pay(request, Price(KNOWN), known[owner], f"name {alike}")
        return
    pay(request, Price(PASSWORDS), guest.id)
    pay(request, Price(TRIES), f"{neighbourhood(client_of(request), SITE)} {alike}", f"name {alike}")


async def guest_of(request: Asked) -> Guest:
    """Return the guest who sent this. A visitor without a cookie of ours is new and gets one with the answer; a cookie
    signed with an old key, or named for http under https, is replaced. Raises TooFast if too many new guests come from
    one address, SignedOut if the session has ended and something is to be done, or an open page wants to continue."""
    guests = house_of(request).guests
    one = pass_of(request)
    if bearer.token_of(request) is not None:
        assert one is not None  # `charge` let it pass
        _note(request, one)
        return replace(await guests.guest(one.guest), program=True)
    ended = one is not None and not await guests.admits(one)
    handler = request.route_handler
    if ended and handler.media_type == "text/event-stream":  # of a page that shows what a new guest does not have
        raise SignedOut(f"{ENDED} Reload the page to continue as a new guest, or sign in under You.")
    if one is None or ended:
        pay(request, NEWCOMER)
        give_cookie(request, Pass(guests.new()))
    elif request.scope["path"] == "/" or not guests.is_current(request.cookies.get(_cookie_name(request), "")):
        give_cookie(request, one)  # the lobby prolongs it, and what is kept as long as it
        house_of(request).soon(guests.prolong(one.guest, time.time()))
    if ended and request.method == "POST" and not handler.opt.get(ANYBODY):
        raise SignedOut(f"{ENDED} You're now a new guest. You can sign in again under You.")
    found = pass_of(request)
    assert found is not None
    _note(request, found)
    return await guests.guest(found.guest)


def _note(request: Asked, one: Pass) -> None:
    """Note that a guest is here, and that their session or token is in use."""
    house = house_of(request)
    house.origins.note(one.guest, address_of(request))
    if one.session and house.streams.is_news(one.session):
        house.soon(house.streams.note(one.session))  # a read does not wait for a write


def _known_name(request: AnyConnection) -> str:
    return SECURE_KNOWN if is_secure(request) else KNOWN_COOKIE


def give_cookie(request: AnyConnection, one: Pass, gone: str = "") -> None:
    """Send a cookie with the answer, which identifies this guest from this request on. With a session goes a second
    cookie that outlasts it: its owner has signed in in this browser before. `gone` is a deleted account to forget."""
    name, secure = _cookie_name(request), is_secure(request)
    value = house_of(request).guests.sign(*one)
    cookies = [Cookie(name, value=value, max_age=COOKIE_AGE, httponly=True, samesite="lax", secure=secure)]
    if secure and request.cookies.get(COOKIE) is not None:
        cookies.append(Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="lax", secure=True))
    if one.session or gone:
        before = house_of(request).guests.before
        known = before.with_one(request.cookies.get(_known_name(request)), one.guest if one.session else "", gone)
        age = COOKIE_AGE if known else 0
        cookies.append(
            Cookie(_known_name(request), value=known, max_age=age, httponly=True, samesite="lax", secure=secure)
        )
    request.scope["state"]["parlour_cookies"] = [cookie.to_header(header="") for cookie in cookies]
    request.scope["state"]["parlour_pass"] = one


async def is_now(request: Asked, house: House, one: Pass, gone: str = "") -> Guest:
    """Give the sender another cookie; return who they are with it."""
    give_cookie(request, one, gone)
    return await house.guests.guest(one.guest)


def device_of(request: Asked) -> Device:
    """Return the sender's device."""
    return Device(browsers.words(request.headers.get("user-agent", "")[:1000]), site_of(base_url(request)))


def session_of(request: Asked, guest: TheGuest) -> str:  # noqa: ARG001 - whose session it is, is known then
    """Return the session in which this was sent, "" for a guest without an account."""
    one = pass_of(request)
    return "" if one is None else one.session


def is_secure(request: AnyConnection) -> bool:
    """Return whether people reach the house by https."""
    chosen = house_of(request).settings.base_url
    return chosen.startswith("https:") if chosen else request.scope["scheme"] == "https"


def place_of(request: Asked, guest: TheGuest) -> Place:
    """Return a place for another stream. Raises TooFast if all are taken."""
    places: Places = request.app.state.places
    streams, one = house_of(request).streams, pass_of(request) or Pass(guest.id)
    host = client_of(request)
    place = Place(
        places, guest.id, address_of(request), base_url(request), lambda stream: streams.keep(stream, one, host)
    )
    places.admit(place.guest, place.address, place.name)
    return place


# What handlers name.
TableId = FromPath[str]
TheHouse = NamedDependency[House]
TheUrl = NamedDependency[str]
TheSession = NamedDependency[str]
PROVIDED = {
    "house": Provide(house_of, sync_to_thread=False),
    "session": Provide(session_of, sync_to_thread=False),
    "place": Provide(place_of, sync_to_thread=False),
    "analyst": Provide(analyst_of, sync_to_thread=False),
    "trials": Provide(trials_of, sync_to_thread=False),
    "watch": Provide(watch_of, sync_to_thread=False),
    "exports": Provide(exports_of, sync_to_thread=False),
    "guest": Provide(guest_of),
    "own_url": Provide(base_url, sync_to_thread=False),
    "shared_url": Provide(share_url, sync_to_thread=False),
}


async def charge(request: AnyConnection, handler: BaseRouteHandler) -> None:
    """Guard: no request is served before it is paid for, and none of a banned guest. Raises TooFast, Banned,
    and for programs BadToken and WrongScope."""
    house = house_of(request)
    if bearer.token_of(request) is not None:
        one = pass_of(request)
        if one is None or not house.guests.knows_token(one):
            pay(request, USUAL)  # by the address alone: strangers may try tokens, and each is looked up
        await bearer.must_allow(house.guests, one, handler, request.scope["path"])
    pay(request, handler.opt.get("price", USUAL), guest_id(request))
    if handler.opt.get(BANNED):
        return
    one = pass_of(request)  # an ended session still identifies the browser's owner
    ban = house.bans.ban_of(one and one.guest, client_of(request))
    if ban is not None:
        raise Banned(ban_words(ban, house.settings.contact))


def ban_words(ban: Ban, contact: str = "") -> str:
    """Return the message to banned people: for how long, why, and whom they can ask."""
    who = "You are" if ban.guest else "Your network is"
    until = "for good" if ban.until is None else f"until {moment(ban.until)}"
    why = f" {ban.words}" if ban.words else ""
    ask = f" If you think this is a mistake, write to {contact}." if contact else ""
    return f"{who} banned from this house {until}.{why}{ask}"


async def note_start(request: Request[object, object, State]) -> None:
    """Note when work on a request began."""
    request.scope["state"]["parlour_began"] = time.perf_counter()


async def add_headers(message: Message, scope: Scope) -> None:
    """Add to every answer: security headers, the guest's cookie, and how long it took."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    page = headers.get("Content-Type", "").startswith(PAGES) or scope["path"] == "/sw.js"
    # What says that a stored page is still good has no type, and its headers replace the page's: it says no policy.
    policy = {} if message["status"] == 304 else PAGE if page else DATA
    for name, value in (HEADERS | policy).items():
        headers.setdefault(name, value)
    state: dict[str, Any] = scope.get("state") or {}
    for cookie in state.get("parlour_cookies", ()):
        headers.add("Set-Cookie", cookie)
    if began := state.get("parlour_began"):
        headers["Server-Timing"] = f"app;dur={(time.perf_counter() - began) * 1000:.1f}"
