"""HTTP as a browser speaks it, at little cost: the client must not take CPU time from the server that it measures."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast
from urllib.parse import urlsplit

import httptools

from benchmarks.load.errors import HouseFailed

T = TypeVar("T")
ANSWER_WITHIN = 30.0  # seconds


@dataclass
class Meter:
    """Bytes that went through all sockets."""

    received: int = 0
    sent: int = 0


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes
    at: float  # when its end came, in seconds of the monotonic clock


class _Reader(asyncio.Protocol):
    """Reads answers off one socket: `piece` is called with each part of a body, first with nothing as soon as the
    status is known; `end` at each answer's end and when the connection is lost."""

    def __init__(self, meter: Meter, piece: Callable[[bytes], None], end: Callable[[bool], None]) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.transport: asyncio.Transport | None = None
        self._meter, self._piece, self._end = meter, piece, end
        self._parser = httptools.HttpResponseParser(self)
        self._inflate: zlib._Decompress | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._meter.received += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.close()

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002
        self.transport = None
        self._end(False)

    def close(self) -> None:
        """Hang up."""
        if self.transport is not None:
            self.transport.close()

    def send(self, data: bytes) -> None:
        """Send a whole request."""
        assert self.transport is not None
        self._meter.sent += len(data)
        self.transport.write(data)

    # What the parser calls ---------------------------------------------------------------------
    def on_message_begin(self) -> None:
        self.headers, self._inflate = {}, None

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode().lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()
        if self.headers.get("content-encoding") == "gzip":
            self._inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        self._piece(b"")

    def on_body(self, data: bytes) -> None:
        self._piece(self._inflate.decompress(data) if self._inflate else data)

    def on_message_complete(self) -> None:
        self._end(True)


class Connection:
    """A person's connection to a house: one request after another on a persistent connection, with their cookie."""

    def __init__(self, url: str, meter: Meter) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._meter = meter
        self._reader: _Reader | None = None
        self._body: list[bytes] = []
        self._waiting: asyncio.Future[bool] | None = None
        self.cookie = ""

    async def get(self, path: str) -> Answer:
        """Send a GET. Raises HouseFailed without a successful response."""
        return self._good(path, await self._ask(self._request("GET", path)))

    async def post(self, path: str, body: bytes = b"{}") -> Answer:
        """Send a POST of JSON. Raises HouseFailed without a response; the caller checks the status."""
        return await self._ask(self._request("POST", path, body))

    async def must_post(self, path: str, body: bytes = b"{}") -> Answer:
        """Send a POST of JSON. Raises HouseFailed without a successful response."""
        return self._good(path, await self.post(path, body))

    async def stream(
        self, path: str, piece: Callable[[bytes], None], lost: Callable[[str], None]
    ) -> Callable[[], None]:
        """Open a stream on its own connection: `piece` is called with each part, `lost` with a reason at its end.
        Return a function that closes it. Raises HouseFailed."""
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        closed = False

        def first(data: bytes) -> None:
            if not opened.done():
                opened.set_result(None)
            if data and reader.status == 200:
                piece(data)

        def end(whole: bool) -> None:  # noqa: ARG001
            if not opened.done():
                opened.set_result(None)
            if not closed:
                lost(f"the stream {path} ended with status {reader.status}")

        def close() -> None:
            nonlocal closed
            closed = True
            reader.close()

        reader = await self._connect(first, end)
        reader.send(self._request("GET", path, accept="text/event-stream"))
        try:
            await self._in_time(opened, path)
        except HouseFailed:
            close()
            raise
        if reader.status != 200:
            close()
            raise HouseFailed(f"GET {path} got status {reader.status or 'nothing'}.")
        return close

    def close(self) -> None:
        """Hang up."""
        if self._reader is not None:
            self._reader.close()

    async def _ask(self, request: bytes) -> Answer:
        kept = self._reader is not None and self._reader.transport is not None
        if not await self._send(request) and not (
            kept and await self._send(request)
        ):  # the house may just have hung up
            raise HouseFailed(f"No response to {request.split(b' HTTP')[0].decode()}.")
        assert self._reader is not None
        answer = Answer(self._reader.status, self._reader.headers, b"".join(self._body), time.monotonic())
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        if answer.headers.get("connection") == "close":
            self._reader.close()
            self._reader = None
        return answer

    async def _send(self, request: bytes) -> bool:
        if self._reader is None or self._reader.transport is None:
            self._reader = await self._connect(self._took, self._ended)
        self._body = []
        self._waiting = asyncio.get_running_loop().create_future()
        self._reader.send(request)
        return await self._in_time(self._waiting, request.split(b" HTTP")[0].decode())

    @staticmethod
    async def _in_time(what: asyncio.Future[T], path: str) -> T:
        try:
            return await asyncio.wait_for(what, ANSWER_WITHIN)
        except TimeoutError:
            raise HouseFailed(f"No response to {path} within {ANSWER_WITHIN:.0f} seconds.") from None

    def _took(self, data: bytes) -> None:
        self._body.append(data)

    def _ended(self, whole: bool) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(whole)

    async def _connect(self, piece: Callable[[bytes], None], end: Callable[[bool], None]) -> _Reader:
        loop = asyncio.get_running_loop()
        try:
            _, reader = await loop.create_connection(lambda: _Reader(self._meter, piece, end), self._host, self._port)
        except OSError as error:
            raise HouseFailed(f"Could not connect to the house at {self._host}:{self._port}: {error}.") from None
        return reader

    def _request(self, method: str, path: str, body: bytes = b"", accept: str = "*/*") -> bytes:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nAccept: {accept}\r\n"
            f"Accept-Encoding: gzip, deflate\r\n"
        )
        if self.cookie:
            head += f"Cookie: {self.cookie}\r\n"
        if method == "POST":
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + b"\r\n" + body

    @staticmethod
    def _good(path: str, answer: Answer) -> Answer:
        if not 200 <= answer.status < 300:
            raise HouseFailed(f"{path} got status {answer.status}: {answer.body[:200].decode(errors='replace')}")
        return answer
