"""The door: limits the number of connections, and the time and size of their requests.

uvicorn waits forever for the rest of a request and for a client that receives nothing, reads bodies of any length, and
accepts connections until no descriptors are left. The door ends connections that take too long; if there are too many,
it ends the one that has waited longest, so that thousands of half-sent requests replace each other and not the players.

| limit | | beyond it |
|---|--:|---|
| the headers of a request, from its first byte or the connection | 10 s | 408, and the connection ends |
| the body of a request | 20 s | the same |
| headers and address of a request | 32 KB | 431 |
| a body | 64 KB | 413; the rest is not read |
| requests sent ahead on one connection | 32 | the connection ends after their answers |
| a client that receives nothing of what is sent | 60 s | the connection is cut |
| connections from one address, a trusted proxy's not counted | 200 | 503, Retry-After |
| connections in all (as many as descriptors allow, less 128) | 4,000 | the longest silent one is ended, or 503 |
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any, Never

import msgspec

from parlour.house.http.network import STREAMS, neighbourhood, watch_closely
from parlour.house.http.refusals import MAX_BODY, ErrorBody, Refusal

try:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Http
except ImportError:  # where httptools is missing: slower, the same otherwise
    from uvicorn.protocols.http.h11_impl import H11Protocol as Http  # type: ignore[assignment]

log = logging.getLogger(__name__)
HEAD_WITHIN = 10.0  # seconds for the headers of a request, from its first byte, or from the connection
BODY_WITHIN = 20.0  # seconds for the body, which has 64 KB at most
TAKEN_WITHIN = 60.0  # seconds in which a client must take what is ready for it
LINGER = 2.0  # seconds for a client to read why it was refused, before the connection is cut
MAX_HEAD = 32 * 1024  # bytes of a request without its body
PIPELINED = 32  # requests of one connection that wait for the answers to those before
FROM_AN_ADDRESS = 200  # connections; a browser has six at most
SLICE = 16 * 1024  # bytes that are parsed before the limits are checked
NONE: deque[Never] = deque()  # h11 has no pipeline
ANSWERED: Any = {}  # what is known of a request that was answered
UNREAD = (413, 431)  # refusals in the middle of what is sent


class Deadline:
    """The connections that we wait for, the longest wait first."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.since: dict[Visitor, float] = {}

    def begin(self, visitor: Visitor) -> None:
        """Start to wait for a connection."""
        self.since.pop(visitor, None)
        self.since[visitor] = time.monotonic()

    def end(self, visitor: Visitor) -> None:
        """Stop waiting for a connection."""
        self.since.pop(visitor, None)

    def late(self) -> list[Visitor]:
        """Yield the connections whose time is over."""
        before = time.monotonic() - self.seconds
        found = []
        for visitor, since in self.since.items():
            if since > before:
                break
            found.append(visitor)
        return found


class Door:
    """The connections of one server: at most `most`; with `limits`, at most FROM_AN_ADDRESS from one address that is
    not among the `proxies`. `count` receives the kind of each refusal."""

    def __init__(
        self,
        most: int,
        *,
        limits: bool = True,
        proxies: Sequence[str] = (),
        count: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._most, self._limits, self._count = most, limits, count
        self._proxies = [ip_network(one, strict=False) for one in proxies]
        self._from: Counter[str] = Counter()
        self.open = 0
        self.heads, self.bodies = Deadline(HEAD_WITHIN), Deadline(BODY_WITHIN)
        self.takers, self.leavers = Deadline(TAKEN_WITHIN), Deadline(LINGER)
        self._timer: asyncio.TimerHandle | None = None

    def protocol(self) -> type[asyncio.Protocol]:
        """Return what uvicorn makes of each connection."""
        return type("Visitor", (Visitor,), {"door": self})

    def watch(self) -> None:
        """Check every second who is late."""
        for visitor in self.heads.late():
            self.heads.end(visitor)
            visitor.kept_waiting()
        for visitor in self.bodies.late():
            self.bodies.end(visitor)
            visitor.kept_waiting()
        for visitor in self.takers.late():
            self.takers.end(visitor)
            if visitor.has_taken() and not visitor.transport.is_closing():
                visitor.go_on_waiting()
            else:
                self._end(visitor)
        for visitor in self.leavers.late():
            self._end(visitor)
        self._timer = asyncio.get_running_loop().call_later(1.0, self.watch)

    def close(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()

    def enter(self, visitor: Visitor) -> bool:
        """Return whether a connection may stay. If there are too many, it replaces the one that has waited longest
        without a request."""
        self.open += 1
        self._from[visitor.address] += 1
        if self._limits and self._from[visitor.address] > FROM_AN_ADDRESS and not self._is_proxy(visitor.address):
            self.turned_away("connections of an address")
            return False
        if self.open > self._most:
            self.turned_away("connections")
            longest = next(iter(self.heads.since), None)
            if longest is None:
                return False
            self._end(longest)
        self.heads.begin(visitor)
        return True

    def leave(self, visitor: Visitor) -> None:
        """Remove a connection that has ended."""
        self.open -= 1
        self._from[visitor.address] -= 1
        if not self._from[visitor.address]:
            del self._from[visitor.address]
        self._forget(visitor)

    def turned_away(self, kind: str) -> None:
        """Count a refusal of this kind, and log it now and then."""
        self._count(kind)
        log.warning("Limit reached: %s", kind)

    def _end(self, visitor: Visitor) -> None:
        visitor.transport.abort()
        self._forget(visitor)

    def _forget(self, visitor: Visitor) -> None:
        for deadline in (self.heads, self.bodies, self.takers, self.leavers):
            deadline.end(visitor)

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address.partition("/")[0])
        except ValueError:
            return False
        return any(found in network for network in self._proxies)


class Visitor(Http):
    """A connection, watched by the door. uvicorn does all its work."""

    door: Door
    # Beside uvicorn's: more than thirty in all would be kept apart for each connection, at 0.8 KB, not by one plan.
    __slots__ = ("address", "answering", "ended", "got", "idle", "switching")

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a new connection."""
        super().connection_made(transport)
        self.ended = False  # nothing more is read
        self.idle = False  # between two requests
        self.switching = False  # they asked to switch protocols
        self.answering: list[Any] = []  # requests that are known and not answered yet
        self.got = 0  # bytes since the last headers or body were complete, or the last answer
        self.address = neighbourhood(self.client[0]) if self.client else ""
        if not self.door.enter(self):
            self.refuse(503, "busy", "Too many connections are open right now. Please try again in a few seconds.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove a lost connection."""
        self.door.leave(self)
        self._nobody_waits()
        super().connection_lost(exc)

    def _nobody_waits(self) -> None:
        """Stop the work for a closed connection. uvicorn notifies only the newest request, and the others would write
        into a closed connection."""
        for cycle in self.answering:
            cycle.disconnected = True
            cycle.message_event.set()

    def on_headers_complete(self) -> None:
        """Note a request's headers (only httptools reports them, and only with it can there be several)."""
        super().on_headers_complete()
        self.answering.append(self.cycle)
        if self.parser.should_upgrade():
            # The parser treats what follows as a new request. A proxy treats it as the body of this one, and would
            # give the answer to the next client on the connection. So nothing more is read from it.
            self.switching = True
            self.cycle.keep_alive = False

    def on_message_complete(self) -> None:
        """Note a complete request, which uvicorn does not do if the answer came first."""
        super().on_message_complete()
        self.cycle.more_body = False

    def data_received(self, data: bytes) -> None:
        """Receive data in pieces, so that we can stop between them."""
        for begin in range(0, len(data), SLICE):
            if self.ended or self.transport.is_closing():
                return
            self._hear(data[begin : begin + SLICE] if len(data) > SLICE else data)

    def _hear(self, data: bytes) -> None:
        before = self.cycle
        in_body = before is not None and before.more_body
        self.got += len(data)
        super().data_received(data)
        if in_body and not before.more_body:  # its end, perhaps long after the answer: what follows is a new request's
            self.got = 0
        if self.ended or self.transport.is_closing():
            return
        if self.cycle is not before:
            self._head_complete()
        elif self.cycle is not None and self.cycle.more_body:
            if self.got > MAX_BODY + MAX_HEAD:
                self._too_large()
        elif self.cycle is None or self.cycle.response_complete:
            if self.got > MAX_HEAD:
                self.refuse(431, "too-large", f"The headers are too long: the limit is {MAX_HEAD // 1024} KB.")
            elif self.idle:
                self.idle = False
                self.door.heads.begin(self)
        if self.cycle is not None and not self.cycle.more_body:
            self.door.bodies.end(self)
        if self.idle and self.timeout_keep_alive_task is None:  # the rest of a body that was answered before it arrived
            end = self.timeout_keep_alive_handler
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, end)

    def _head_complete(self) -> None:
        """Note one or more complete heads of requests."""
        size, self.got, self.idle = self.got, 0, False
        self.door.heads.end(self)
        if self.cycle.scope.get("path", "").endswith(STREAMS):  # an open page: others see its guest as present
            watch_closely(self.transport.get_extra_info("socket"))
        if size > MAX_HEAD and sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD:
            self.refuse(431, "too-large", f"The headers are too long: the limit is {MAX_HEAD // 1024} KB.")
        elif self.cycle.more_body:
            announced = next((value for name, value in self.headers if name == b"content-length"), b"0")
            if len(announced) > 15 or int(announced) > MAX_BODY:
                self._too_large()
            else:
                self.door.bodies.begin(self)
        waiting: deque[Any] = getattr(self, "pipeline", NONE)
        if len(waiting) > PIPELINED:
            self.door.turned_away("requests sent ahead")
            while len(waiting) > PIPELINED:
                waiting.popleft()
            self.cycle = waiting[0][0]  # the last that is answered
            self.cycle.keep_alive = False
            self.cycle.more_body = False
            self.ended = True
        self.ended = self.ended or self.switching

    def _too_large(self) -> None:
        self.refuse(413, "too-large", f"This request is too large: the limit is {MAX_BODY // 1024} KB.")

    def on_response_complete(self) -> None:
        """Wait for the next request, or at least for the client to receive the answer."""
        super().on_response_complete()
        self.answering = [cycle for cycle in self.answering if not cycle.response_complete]
        if self.transport.is_closing():
            self.door.takers.begin(self)
        elif self.cycle.response_complete:
            self.idle, self.got = True, 0
            self.door.heads.begin(self)
            self.scope = self.cycle.scope = ANSWERED  # no longer needed, and 3 KB of each open connection
            self.headers = []

    def pause_writing(self) -> None:
        """Note that the client does not receive what is sent."""
        super().pause_writing()
        self.door.takers.begin(self)

    def resume_writing(self) -> None:
        """Resume sending."""
        super().resume_writing()
        self.door.takers.end(self)

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing about upgrades, as we speak only HTTP."""

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's words for it
        """Refuse data that is not a request."""
        self.refuse(
            400,
            "bad-input",
            "This isn't a complete HTTP request. (If a proxy speaks TLS to this port, switch it to plain HTTP.)",
        )

    def kept_waiting(self) -> None:
        """Refuse a request that took too long. (uvicorn ends the wait between two requests.)"""
        if not self.has_taken():  # a slow line still takes the last answer
            if self not in self.door.takers.since:
                self.door.takers.begin(self)
        elif self.idle and not self.cycle.more_body:
            self.door.heads.begin(self)
        elif self.idle or not (self.got or self.cycle):  # what still arrives was answered long ago; or nothing arrived
            self.transport.close()
        else:
            self.door.turned_away("requests that took too long to come")
            self.refuse(408, "too-slow", "The rest of the request didn't arrive in time.")

    def has_taken(self) -> bool:
        """Return whether the client has received everything that was ready."""
        return not self.transport.get_write_buffer_size()

    def go_on_waiting(self) -> None:
        """Wait again for a client that has received everything in the end."""
        if self.cycle is not None and self.cycle.more_body:
            self.door.bodies.begin(self)
        elif self.cycle is None or self.cycle.response_complete:
            self.door.heads.begin(self)

    def refuse(self, status: int, code: str, words: str) -> None:
        """Send the reason, if an answer can still be written, and read nothing more."""
        if status in UNREAD:
            self.door.turned_away("requests too large")
        self.ended = True
        self.door.heads.end(self)
        self.door.bodies.end(self)
        waiting, cycle = getattr(self, "pipeline", NONE), self.cycle
        silent = cycle is None or cycle.response_complete or not (cycle.response_started or waiting)
        if cycle is not None and cycle not in self.answering:
            self.answering.append(cycle)
        self._nobody_waits()
        if not silent:
            self.transport.close()
            return
        self.transport.write(_answer(status, code, words))
        if status not in UNREAD:
            self.transport.close()
            return
        # If closed at once with unread data, the system would make the client discard the answer.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.pause_reading()
        self.door.leavers.begin(self)


def _answer(status: int, code: str, words: str) -> bytes:
    body = msgspec.json.encode(Refusal(ErrorBody(code, words)))
    again = "retry-after: 5\r\n" if status == 503 else ""
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n{again}connection: close\r\n\r\n"
    )
    return head.encode() + body
