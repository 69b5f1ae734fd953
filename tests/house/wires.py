"""A simple, fast client: connections that all people share, for houses that stop and start."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, NamedTuple

from tests.house.people import Person

KEPT = 2.0  # seconds for which a connection is used again: servers end those that are idle for longer


class _Wire(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    since: float = 0.0  # when it became idle


class Wires:
    """HTTP/1.1 to a port of this machine, kept alive between requests."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._idle: list[_Wire] = []

    async def see(self, person: Person, table: str) -> Any:
        """Return the table as this person sees it."""
        return await self._ask("GET", f"/api/tables/{table}", person, b"")

    async def do(self, person: Person, path: str, **body: Any) -> Any:
        """Send POST /api/PATH, which must succeed; return the answer."""
        return await self._ask("POST", f"/api/{path}", person, json.dumps(body).encode())

    async def _ask(self, method: str, path: str, person: Person, body: bytes) -> Any:
        cookie = "; ".join(f"{one.name}={one.value}" for one in person.cookies.jar)
        wire = self._kept() or _Wire(*await asyncio.open_connection("127.0.0.1", self.port))
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {cookie}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        try:
            wire.writer.write(head.encode() + b"\r\n" + body)
            first, *lines = (await wire.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            heads = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            said = await wire.reader.readexactly(int(heads["content-length"]))
        except BaseException:  # the house died or the caller was cancelled: no other code would close it
            wire.writer.close()
            raise
        self._idle.append(wire._replace(since=time.monotonic()))
        assert first.split()[1].startswith("2"), said
        assert "set-cookie" not in heads
        return json.loads(said)

    def _kept(self) -> _Wire | None:
        """Return the last used connection that can be used again."""
        if self._idle and time.monotonic() - self._idle[-1].since > KEPT:
            self.end()
        return self._idle.pop() if self._idle else None

    def end(self) -> None:
        """Close the idle connections, because the house stops."""
        for wire in self._idle:
            wire.writer.close()
        self._idle.clear()
