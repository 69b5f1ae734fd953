"""The entrance: what each request passes before the application sees it.

A request without exactly one Host header gets 400. The requests of one address wait for each other: at most AT_WORK of
them run at a time. So, whatever one address sends over however many connections, others wait for a few of its requests
and not for all of them. A request that waits for something outside this process (a hint, a password, a slow database)
gives up its place after WAITS seconds, and an open page as soon as its stream starts.

A request whose sender has hung up is still worked on. So that these don't pile up behind a slow database, at most
UNDER_WAY times as many requests are under way as there may be connections, waiting ones included.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

import msgspec
from litestar.types import HTTPScope, Message, Receive, Send

from parlour.house.http.network import neighbourhood
from parlour.house.http.noting import HttpApp
from parlour.house.http.refusals import ErrorBody, Refusal
from parlour.house.settings import Settings

AT_WORK = 4  # requests of one address that are worked on at a time
WAITS = 0.25  # seconds after which a request is taken to wait for something else
UNDER_WAY = 2  # requests for each connection that there may be
IN_LINE = 400  # requests of one address that wait; a browser has a few dozen at most
NO_HOST = "A request needs exactly one Host header."
CROWDED = "This house is working on too many requests. Please try again in a few seconds."
LONG_LINE = "Too many requests from your address are waiting. Please try again in a few seconds."


class Line:
    """The requests of one address: the running ones with their start, and the waiting ones."""

    __slots__ = ("at_work", "timer", "waiting")

    def __init__(self) -> None:
        self.at_work: dict[object, float] = {}  # the one that began first comes first
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.timer: asyncio.TimerHandle | None = None


class Entrance:
    """An ASGI application around another one, for HTTP only. `connections`: how many there may be. `limits`: whether
    the requests of one address wait for each other. `count` receives the kind of each refusal."""

    def __init__(
        self,
        app: HttpApp,
        *,
        connections: int = Settings.connections,
        limits: bool = True,
        count: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._app, self._limits, self._count = app, limits, count
        self._most, self._under_way = UNDER_WAY * connections, 0
        self._lines: dict[str, Line] = {}

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Let a request in when it is its turn."""
        hosts = sum(name == b"host" for name, _ in scope["headers"])
        if hosts > 1 or (not hosts and scope["http_version"] != "1.0"):  # older programs may omit it
            await _turn_away(send, 400, "bad-input", NO_HOST)
        elif self._under_way >= self._most:
            self._count("requests under way")
            await _turn_away(send, 503, "busy", CROWDED)
        else:
            self._under_way += 1
            try:
                await self._let_in(scope, receive, send)
            finally:
                self._under_way -= 1

    async def _let_in(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if self._limits and (client := scope.get("client")):
            await self._in_line(neighbourhood(client[0]), scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _in_line(self, address: str, scope: HTTPScope, receive: Receive, send: Send) -> None:
        line = self._lines.get(address)
        if line is None:
            line = self._lines[address] = Line()
        place: object
        if len(line.at_work) < AT_WORK:
            place = object()
            line.at_work[place] = time.monotonic()
        elif len(line.waiting) < IN_LINE:
            place = await self._wait(address, line)
        else:
            self._count("requests that wait")
            await _turn_away(send, 503, "busy", LONG_LINE)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.body":  # the work is done; a stream stays open for hours
                self._done(address, line, place)
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            self._done(address, line, place)

    async def _wait(self, address: str, line: Line) -> object:
        """Wait for a place; return it."""
        turn = asyncio.get_running_loop().create_future()
        line.waiting.append(turn)
        self._look_later(address, line)
        try:
            await turn
        except asyncio.CancelledError:
            self._done(address, line, turn)
            raise
        return turn

    def _done(self, address: str, line: Line, place: object) -> None:
        """Give up a place, unless that was done before."""
        if line.at_work.pop(place, None) is not None:
            self._admit(address, line)

    def _admit(self, address: str, line: Line) -> None:
        while line.waiting and len(line.at_work) < AT_WORK:
            turn = line.waiting.popleft()
            if not turn.done():  # otherwise the waiting request is gone
                line.at_work[turn] = time.monotonic()
                turn.set_result(None)
        if not line.waiting:
            if line.timer is not None:
                line.timer.cancel()
                line.timer = None
            if not line.at_work:
                self._lines.pop(address, None)

    def _look_later(self, address: str, line: Line) -> None:
        """Check again when the oldest running request has run long enough to give up its place."""
        if line.timer is None and line.waiting:
            after = next(iter(line.at_work.values())) + WAITS - time.monotonic()
            line.timer = asyncio.get_running_loop().call_later(max(0.001, after), self._pass_over, address, line)

    def _pass_over(self, address: str, line: Line) -> None:
        line.timer = None
        since = time.monotonic() - WAITS
        for place in [place for place, began in line.at_work.items() if began <= since]:
            self._done(address, line, place)
        self._look_later(address, line)


async def _turn_away(send: Send, status: int, code: str, words: str) -> None:
    body = msgspec.json.encode(Refusal(ErrorBody(code, words)))
    heads = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if status == 503:
        heads.append((b"retry-after", b"5"))
    await send({"type": "http.response.start", "status": status, "headers": heads})
    await send({"type": "http.response.body", "body": body, "more_body": False})
