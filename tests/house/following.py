"""Open pages, followed in tests. They get changes, as a browser's page does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import zlib
from collections.abc import Callable
from typing import Any

import httpx

from tests.house.people import Person

WAIT = 20  # seconds


class Follower:
    """An open page, read in the background."""

    def __init__(self, person: Person, table: str) -> None:
        self.updates: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.task = asyncio.create_task(self._read(person, table))

    async def _read(self, person: Person, table: str) -> None:
        with contextlib.suppress(httpx.HTTPError):
            async with person.stream("GET", f"/api/tables/{table}/events?have=.") as answer:
                async for line in answer.aiter_lines():
                    if line.startswith("data: "):
                        self.updates.put_nowait(json.loads(line[6:]))

    async def until(self, good: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read up to the first update that is `good`."""
        while True:
            update = await asyncio.wait_for(self.updates.get(), WAIT)
            if good(update):
                return update

    async def close(self) -> None:
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task


class Wire:
    """A compressed stream, read message by message."""

    FLUSH, BEAT = b"\x00\x00\xff\xff", b": still here\n\n"  # the end of each segment; the message without news

    def __init__(self, answer: httpx.Response) -> None:
        assert answer.headers["content-encoding"] == "gzip"
        self._chunks = answer.aiter_raw()
        self._unpack = zlib.decompressobj(wbits=31)
        self._left = b""

    async def message(self) -> tuple[bytes, bytes]:
        """Return the next message: its bytes on the wire, segment by segment as compressed, and its content."""
        raw = text = b""
        while not (b"\ndata: " in text and text.endswith(b"\n\n")):
            while self.FLUSH not in self._left:
                self._left += await anext(self._chunks)
            at = self._left.index(self.FLUSH) + len(self.FLUSH)
            segment, self._left = self._left[:at], self._left[at:]
            said = self._unpack.decompress(segment)
            if said != self.BEAT:
                raw, text = raw + segment, text + said
        return raw, text
