"""Programs that act for an account: what their token allows, checked before a request is served.

A token works only where a handler names the scope that it needs (`SCOPE`): a new address is closed to programs until
someone opens it.
"""

from __future__ import annotations

from litestar.handlers import BaseRouteHandler

from parlour.house.accounts.guests import COOKIE, SECURE_COOKIE, Guests, Pass
from parlour.house.accounts.tokens import reading
from parlour.house.accounts.tokens.reading import PLAY, READ
from parlour.house.errors import BadToken, NotFound, WrongScope
from parlour.house.http.hosts import HOUSE, AnyConnection

SCOPE = "scope"  # for `opt` of a handler
READS, PLAYS = {SCOPE: READ}, {SCOPE: PLAY}
TAKES_TOKENS = (401, 403)  # how a handler that programs may use refuses besides
BAD = "This token isn't valid. It may have been revoked, or be incomplete. Its owner can make another under You (/me)."
CLOSED = "Programs can't do this with a token. GET /schema lists the addresses that take one."


def token_of(request: AnyConnection) -> str | None:
    """Return what a request sends as a token, None if it sends none. A proxy may add a token of its own to what
    browsers and Prometheus send. It is ignored, unless a program without a cookie sends it to the API."""
    header = request.headers.get("authorization")
    found = None if header is None else reading.sent_in(header)
    if found is None or found.startswith(reading.PREFIX):
        return found
    known = COOKIE in request.cookies or SECURE_COOKIE in request.cookies
    return found if request.scope["path"].startswith("/api/") and not known else None


def read(token: str) -> Pass | None:
    """Return whose token it is, if it is written as one; it may not be valid."""
    return reading.read(token)


async def must_allow(guests: Guests, one: Pass | None, handler: BaseRouteHandler, path: str) -> None:
    """Check that a token is valid and allows what a handler does. Raises BadToken, WrongScope; NotFound where only
    moderators find anything."""
    if path.startswith(HOUSE):
        raise NotFound(f"There is no page at {path}.")
    scopes = await guests.scopes(one) if one is not None else None
    if scopes is None:
        raise BadToken(BAD)
    scope = handler.opt.get(SCOPE)
    if scope is None:
        raise WrongScope(CLOSED)
    if scope not in scopes:
        raise WrongScope(
            f"This token doesn't have the scope {scope}. Its owner can make another under You (/me).", allowed=[scope]
        )
