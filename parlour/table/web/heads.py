"""HEAD: what GET answers, without its body."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send


class _Told(BaseException):
    """All that HEAD asks for has been said. No Exception, so that nobody takes it for a fault."""


def answer_heads(app: ASGIApp) -> ASGIApp:
    """`app`, which answers HEAD wherever it answers GET. A stream is not opened for it."""

    async def step(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await app(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                raise _Told

        asked: HTTPScope = {**scope, "method": "GET"}  # the server's own scope must go on to say HEAD
        try:
            with suppress(_Told):
                await app(asked, receive, told)
        finally:
            if "path_template" in asked:  # for whoever notes requests
                scope["path_template"], scope["path_params"] = asked["path_template"], asked["path_params"]

    return step


def with_head(methods: Iterable[str]) -> set[str]:
    """The methods that an address has, if these have handlers."""
    found = {*methods}
    return found | ({"HEAD"} if "GET" in found else set())
