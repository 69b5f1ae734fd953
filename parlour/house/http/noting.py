"""Notes each request: counted for `GET /metrics` and, if the house keeps a log, written as one line.

Health checks and heartbeats have no line.

A line contains the time, method, path, status, milliseconds, bytes, and an id that the request's other lines share. It
has no query, body, header or name; the part of a path that opens a seat, or the house, is left out.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import quote

from litestar.types import HTTPScope, Message, Receive, Send

from parlour.house.http.logs import Line, request_id
from parlour.house.http.network import STREAMS
from parlour.house.measures import Measures

HttpApp = Callable[[HTTPScope, Receive, Send], Awaitable[None]]
METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"}
NOWHERE = "none"  # the route of what was not found: never what was asked, which could be anything
LONGEST = 200  # characters of a path
SECRET = re.compile(r"(/join|/house/enter|/calendar(?=/))[^a-z].*", re.IGNORECASE | re.DOTALL)


class Noted:
    """An ASGI application around another one, for HTTP only. `write` receives each line; it is None without a log."""

    def __init__(self, app: HttpApp, measures: Measures, write: Callable[[Line], None] | None = None) -> None:
        self._app, self._measures, self._write = app, measures, write

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer, and note the request at the end, however it ends."""
        path, began = scope["path"], time.perf_counter()  # the router changes the path of a file in a folder
        status = sent = 0
        first = 0.0
        if self._write is not None:
            request_id.set(f"{random.getrandbits(32):08x}")

        async def counted(message: Message) -> None:
            nonlocal status, sent, first
            if message["type"] == "http.response.start":
                status, first = message["status"], time.perf_counter()
            elif message["type"] == "http.response.body":
                sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, counted)
        finally:
            ended = time.perf_counter()
            route: str = scope.get("path_template") or NOWHERE
            method = scope["method"] if scope["method"] in METHODS else "OTHER"
            stream = route.endswith(STREAMS)
            measures = self._measures
            measures.requests.labels(method, route, status).inc()
            measures.latency.labels(method, route).observe((first or ended) - began if stream else ended - began)
            measures.sent.labels(route).inc(sent)
            often = (path == "/health" and status == 200) or (route.endswith("/here") and status == 204)
            if self._write is not None and not often:
                shown = shown_path(path, route, scope.get("path_params") or {})
                self._write(Line(method, shown, status, 1000 * (ended - began), sent, request_id.get()))


def shown_path(path: str, route: str = NOWHERE, params: Mapping[str, object] | None = None) -> str:
    """Return a path for the log: without the token that opens a seat, and without line breaks."""
    if "{token}" in route and params:
        path = route.replace("{table_id}", str(params.get("table_id", "-"))).replace("{token}", "-")
    else:
        path = SECRET.sub(r"\1/-", path)
    return quote(path[:LONGEST], safe="/:@")
