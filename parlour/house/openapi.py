"""`GET /schema`: the OpenAPI document, built from the handlers."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from inspect import cleandoc
from typing import get_args, get_type_hints

import msgspec
from litestar import Litestar, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig

from parlour import __version__
from parlour.house.http.answering import same
from parlour.house.http.bearer import SCOPE
from parlour.house.http.rates import READING
from parlour.house.http.refusals import Refusal
from parlour.house.http.requests import PROVIDED, Asked
from parlour.house.lobby import api as lobby_api
from parlour.house.site import api as site_api
from parlour.house.table.web import api as web_api
from parlour.house.table.web.programs import NDJSON, TableNews
from parlour.house.table.web.updates import Update
from parlour.house.tournaments.stream import Parts

TOKEN = {
    "type": "http", "scheme": "bearer",
    "description": "A token that an account's owner made under You (/me). `x-scope` is the scope that it must have.",
}  # fmt: skip
MEDIA_TYPE = "application/vnd.oai.openapi+json"
_MAKER = ThreadPoolExecutor(1, "schema")  # one thread, so that it is made once, however many ask for it meanwhile


@cache
def document() -> bytes:
    """Return the document as JSON. It takes a fifth of a second, so it is built once.

    Litestar knows the addresses, their parameters and answers. msgspec, which reads and writes the bodies and answers,
    describes these: it also states that unknown fields are refused, and the bounds of numbers.
    """
    config = OpenAPIConfig("Parlour", __version__, use_handler_docstrings=True, path="/schema")
    app = Litestar(
        [*site_api.HANDLERS, web_api.router], dependencies=PROVIDED, request_class=Asked, openapi_config=config,
        logging_config=None,
    )  # fmt: skip
    found = app.openapi_schema.to_schema()
    _, described = msgspec.json.schema_components(_kinds(), ref_template="#/components/schemas/{name}")
    for one in described.values():
        one["description"] = cleandoc(one.get("description", ""))
    found["components"] = {"schemas": dict(sorted(described.items())), "securitySchemes": {"token": TOKEN}}
    lines = found["paths"]["/api/tables/{table_id}/positions"]["get"]["responses"]["200"]["content"]
    lines[NDJSON]["schema"] = {"$ref": "#/components/schemas/TableNews"}  # of each line
    for handler in web_api.HANDLERS:
        if scope := handler.opt.get(SCOPE):
            _name_scope(found["paths"], handler, scope)
    return msgspec.json.encode(found)


def _name_scope(paths: dict[str, dict[str, dict[str, object]]], handler: HTTPRouteHandler, scope: str) -> None:
    """Say at an address that it takes a token with a scope. OpenAPI names scopes for OAuth alone, so they are words."""
    for path in handler.paths:
        described = paths[f"/api{re.sub(r':[a-z]+}', '}', path)}"]
        for method in handler.http_methods & {"GET", "POST"}:
            described[method.lower()]["security"] = [{}, {"token": []}]
            described[method.lower()]["x-scope"] = scope


def _kinds() -> set[type[msgspec.Struct]]:
    """Return the types of all bodies, answers and stream messages."""
    hints = [get_type_hints(handler.fn) for handler in web_api.HANDLERS]
    kinds = {kind for hint in hints for name, kind in hint.items() if name in ("data", "return")}
    flat = {one for kind in kinds for one in (get_args(kind) or (kind,))}  # Response[X] answers an X
    streamed = {Update, TableNews, lobby_api.Lists, Parts}
    return {Refusal, *streamed, *(kind for kind in flat if issubclass(kind, msgspec.Struct))}


@get("/schema", media_type=MEDIA_TYPE, include_in_schema=False, opt=READING.costs(2))
async def schema(request: Asked) -> Response[bytes]:
    """Return the API's description for programs, without delaying other requests."""
    found = await asyncio.get_running_loop().run_in_executor(_MAKER, document)
    return await same(request, found, MEDIA_TYPE)
