"""Open pages like a browser's, over real sockets: every byte is counted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

import httpx

from tests.expanding import Replica, only
from tests.house.people import Person

PATIENCE = 60.0  # seconds, on a busy machine


class Watching:
    """One open page. `raw` is what came over the wire, `updates` are the messages in it."""

    def __init__(self, person: Person, table: str) -> None:
        self.person, self.table = person, table
        self.replica = Replica()
        self.raw = b""
        self.encoding = ""
        self.hidden = 0  # for how many seconds it has been out of sight
        self.version = self.viewer = -1
        self.updates: list[dict[str, Any]] = []
        self.again = 0  # times that the stream ended though it was not cut, and was followed again
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Load the page, and follow the stream from there; return after the first message."""
        page = (await self.person.get(f"/t/{self.table}")).text
        said = dict(re.findall(r' data-(have|version|eyes)="([^"]*)"', page.split('<main id="main"')[1].split(">")[0]))
        self.version, self.viewer = int(said["version"]), int(said["eyes"])
        self.replica.marks = said["have"].split(".")
        self.replica.scene, self.replica.table = section(page, "scene"), section(page, "table")
        self.follow()
        await self.until(lambda: bool(self.updates))

    def follow(self) -> None:
        """Follow the stream from where the page is."""
        self._task = asyncio.create_task(self._follow())

    def keep_on(self) -> None:
        """Reconnect after the stream ends, as a browser does: the house ends the streams of a table whose people ended
        the game, and closes idle connections that the client wanted to use again."""
        if self._task is not None and self._task.done():
            self.again += 1
            self.follow()

    async def _follow(self) -> None:
        path = f"/api/tables/{self.table}/events?since={self.version}&eyes={self.viewer}"
        path += f"&have={'.'.join(self.replica.marks)}" + (f"&hidden={self.hidden}" if self.hidden else "")
        unpack, text = zlib.decompressobj(wbits=31), b""
        with contextlib.suppress(httpx.HTTPError):
            async with self.person.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
                self.encoding = answer.headers.get("content-encoding", "")
                async for chunk in answer.aiter_raw():
                    self.raw += chunk
                    text += unpack.decompress(chunk) if self.encoding else chunk
                    *events, text = text.split(b"\n\n")
                    for event in events:
                        if event.startswith(b"event: update"):
                            self._take(json.loads(event.partition(b"data: ")[2]))

    def _take(self, update: dict[str, Any]) -> None:
        self.replica.take(update)
        self.version, self.viewer = update["version"], update["eyes"]
        self.updates.append(update)
        self._news.set()

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for messages until `done()`."""
        async with asyncio.timeout(PATIENCE):
            while not done():
                self._news.clear()
                await self._news.wait()

    async def ended(self) -> None:
        """Wait until the stream has ended against the page's wish."""
        if self._task is not None:
            await asyncio.wait_for(self._task, PATIENCE)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def becomes_fresh(self) -> None:
        """Wait until the page is the same as a newly opened one: news of presence is a little late."""
        found = None
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    self.keep_on()
                    page = (await self.person.get(f"/t/{self.table}")).text
                    found = section(page, "scene"), section(page, "table")
                    nothing = "hidden" in found[0].attributes  # the game was ended early: no page shows its scene
                    if self.replica.table == found[1] and (nothing or self.replica.scene == found[0]):
                        return
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"a page that was open shows {self._other(found)}") from None

    def _other(self, found: Any) -> str:
        """Return where it differs from a newly opened page."""
        mine, new = (str(one) for one in ((self.replica.scene, self.replica.table), found))
        at = next((i for i, (a, b) in enumerate(zip(mine, new, strict=False)) if a != b), min(len(mine), len(new)))
        return f"{mine[max(0, at - 150) : at + 150]!r}, a new one {new[max(0, at - 150) : at + 150]!r}"


def section(page: str, part: str) -> Any:
    """Return the scene or the rest of a page."""
    start = re.search(rf'<section class="[^"]*" data-key="{part}"', page)
    assert start is not None
    depth = 0
    for tag in re.finditer(r"<(/?)section\b", page[start.start() :]):
        depth += -1 if tag[1] else 1
        if not depth:
            return only(page[start.start() : start.start() + tag.end() + 1])
    raise AssertionError(f"the {part} does not end")
