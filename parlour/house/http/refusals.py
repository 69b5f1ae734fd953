"""Refusals as answers: one JSON form, a page for browsers, and the HTTP status of each."""

from __future__ import annotations

import logging

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from litestar.enums import MediaType
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from parlour.core.errors import BrokenGame, ParlourError
from parlour.house.errors import BadInput, NotFound, TableError, TooFast, TooLarge, Unexpected, WrongMethod
from parlour.house.http.answering import short_page
from parlour.house.http.heads import with_head
from parlour.house.http.hosts import HOUSE
from parlour.house.http.noting import shown_path
from parlour.house.http.rates import USUAL
from parlour.house.http.requests import pay
from parlour.house.site import drawing

log = logging.getLogger(__name__)
MAX_BODY = 64 * 1024  # bytes
MENDED = 60  # seconds after which a game that does not load may be mended
AnyRequest = Request[object, object, State]

STATUS = {
    "invalid-move": 400,
    "ambiguous-move": 400,
    "illegal-move": 422,
    "not-your-turn": 409,
    "match-over": 409,
    "cannot-undo": 409,
    "move-refused": 409,
    "other-rules": 409,
    "broken-game": 503,  # the operator can fix it
    "compiler-off": 503,
    "broken-record": 500,  # the table's own: no record is ever sent to us
}


def status_of(error: ParlourError, asked: str = "POST") -> int:
    """Return the HTTP status of a refusal. An unknown name is 404 in an address, 400 in a body."""
    if isinstance(error, TableError):
        return error.status
    if error.code == "unknown-name" and asked in ("GET", "HEAD"):
        return 404
    return STATUS.get(error.code, 400)


class ErrorBody(msgspec.Struct, frozen=True):
    """A refusal: a code for programs, a sentence for people, the clause of the rulebook, what would be allowed, and the
    table's present version if the request came too late."""

    code: str
    message: str
    clause: str = ""
    allowed: tuple[str, ...] = ()
    version: int | None = None


class Refusal(msgspec.Struct, frozen=True):
    """The JSON form of every refusal."""

    error: ErrorBody


Refused = Response[Refusal] | Response[bytes]  # as JSON, or as a page
REASONS = {
    400: "The request can't be read, or isn't what this address accepts.",
    401: "The token isn't valid.",
    403: "You don't have permission, or a moderator has banned you.",
    404: "Nothing with this name exists.",
    409: "The game, table or seat isn't in the right state for this.",
    413: "The request is too large.",
    415: "The request isn't declared as JSON.",
    421: "The house isn't set up for the name in the Host header.",
    422: "The rules don't allow this move.",
    429: "Too many requests in a short time.",
    500: "Something went wrong on our side.",
    503: "The result couldn't be stored or computed. Try again later.",
}


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """Return, for the OpenAPI document, the statuses with which an address may refuse, plus those that any address may
    have."""
    return {
        status: ResponseSpec(Refusal, generate_examples=False, description=REASONS[status])
        for status in sorted({*statuses, 403, 421, 429, 500, 503})
    }


def body_of(error: ParlourError) -> ErrorBody:
    """Return the refusal as data."""
    version = error.version if isinstance(error, TableError) else None
    return ErrorBody(error.code, error.message, error.clause, error.allowed, version)


def refused(request: AnyRequest, error: ParlourError) -> Refused:
    """Return a refusal: a page for a browser that asked for one, otherwise JSON."""
    if isinstance(error, BrokenGame):  # its place and its errors are only for the operator
        log.warning("%s", error)
        error = BrokenGame("This game does not load. See the house's log or `parlour games` for the reason.")
    measures = request.app.state.house.measures
    measures.refusals.labels(error.code).inc()
    if isinstance(error, TooFast):
        measures.limited.labels(error.kind).inc()
    status = status_of(error, request.method)
    if not request.scope["path"].startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        answer: Refused = short_page(request, drawing.error(status, error), status)
    else:
        answer = Response(Refusal(body_of(error)), status_code=status, media_type=MediaType.JSON)
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    wait = error.wait if isinstance(error, TableError) else MENDED if status == 503 else None
    if wait is not None:
        answer.headers["Retry-After"] = str(wait)
    return answer


def http_refused(request: AnyRequest, error: HTTPException) -> Refused:
    """Return Litestar's own refusals in our form."""
    status = error.status_code
    if status in (404, 405):  # no guard has seen it, and refusing is work too
        try:
            pay(request, USUAL)
        except TooFast as late:
            return refused(request, late)
    if status == 404:
        return refused(request, NotFound(f"There is no page at {request.scope['path']}."))
    if status == 405 and request.scope["path"].startswith(HOUSE):  # a missing address has no methods either
        return refused(request, NotFound(f"There is no page at {request.scope['path']}."))
    if status == 405:
        methods = sorted(with_head(filter(None, (error.headers or {}).get("allow", "").split(", "))))
        answer = refused(request, WrongMethod(f"{request.method} isn't allowed at this address.", allowed=methods))
        answer.headers["Allow"] = ", ".join(methods)
        return answer
    if status == 413:
        return refused(request, TooLarge(f"This request is too large: the limit is {MAX_BODY // 1024} KB."))
    if status < 500:
        problem: TableError = BadInput(f"This request isn't valid: {_what_was_wrong(error)}.")
        problem.status = status
        return refused(request, problem)
    return failed(request, error)


def _what_was_wrong(error: HTTPException) -> str:
    """Return the parameters that Litestar could not read, by name; otherwise its own words."""
    wrong = error.extra if isinstance(error.extra, list) else []
    found = [f"{one['key']}: {one['message']}" for one in wrong if {"key", "message"} <= one.keys()]
    return ("; ".join(found) or error.detail).rstrip(".")


def failed(request: AnyRequest, error: Exception) -> Refused:
    """Return a plain sentence for a failure of ours; the details are only in the log."""
    log.error("%s %s failed", request.method, shown_path(request.scope["path"]), exc_info=error)
    return refused(request, Unexpected("Something went wrong on our side. Everything done before is saved."))
