"""HEAD: the answer of GET without its body."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send


class _Sent(BaseException):
    """Everything that HEAD asks for has been sent. It is not an Exception, so that nothing handles it as a failure."""


def answer_heads(app: ASGIApp) -> ASGIApp:
    """Return `app`, which answers HEAD wherever it answers GET, without opening a stream."""

    async def step(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await app(scope, receive, send)
            return

        async def head_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                raise _Sent

        asked: HTTPScope = {**scope, "method": "GET"}  # the server's own scope must still say HEAD
        try:
            with suppress(_Sent):
                await app(asked, receive, head_only)
        finally:
            if "path_template" in asked:  # for the log of requests
                scope["path_template"], scope["path_params"] = asked["path_template"], asked["path_params"]

    return step


def with_head(methods: Iterable[str]) -> set[str]:
    """Return an address's methods, given those with handlers."""
    found = {*methods}
    return found | ({"HEAD"} if "GET" in found else set())
