"""A table of simulated people: the page that offers moves makes one of them, and all pages get the update."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count

import msgspec

from benchmarks.load.connection import Connection
from benchmarks.load.errors import HouseFailed, must
from benchmarks.load.measure import Log
from benchmarks.load.page import Page

UPDATED_WITHIN = 30.0  # seconds in which a move reaches every page
TURN_WITHIN = 40.0  # and in which it is a player's turn: a secret question takes up to ten
AGAIN_AFTER = 1.0  # after something went wrong


class Table:
    """One table with its people, game after game."""

    def __init__(self, game: str, players: int, ways: Sequence[Connection], log: Log, seed: int) -> None:
        """`ways`: the connections, the host's first, then the other players'; the rest are observers'."""
        self.game, self.players, self.log = game, players, log
        self.id = ""
        self.pages = [Page(way, self._changed, self._lost, plays=i < players) for i, way in enumerate(ways)]
        self._news = asyncio.Event()
        self._choice = random.Random(seed)
        self._ids: Iterator[int] = count()
        self._broken = ""
        self._last: tuple[Page, int] | None = None  # who moved last, and what they were answered

    async def open(self) -> None:
        """Create the table, seat everyone, start, and open all pages. Raises HouseFailed."""
        for page in self.pages:
            await page.connection.get("/api/me")
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (self.players - 1)]
        host = self.pages[0].connection
        made = await host.must_post("/api/tables", msgspec.json.encode({"game": self.game, "seats": seats}))
        await self._sit(json.loads(made.body)["id"])

    async def play(self, until: float, every: float = 0.0) -> None:
        """Play until a time of the monotonic clock: as fast as possible, or one move in each `every` seconds. Failures
        are noted and the pages opened again, as a browser does."""
        clock = time.monotonic
        due = clock() + self._choice.uniform(0, every)
        while (now := clock()) < until:
            if every:
                if due >= until:
                    return
                await asyncio.sleep(max(0.0, due - now))
                due = max(due, now) + every
            try:
                await self._turn(until)
            except HouseFailed as error:
                self.log.failed(str(error))
                await asyncio.sleep(AGAIN_AFTER)
                await self._again()

    async def check(self) -> None:
        """Raise HouseFailed unless the house still has the last move that it confirmed."""
        if self._last is None:
            return
        page, version = self._last
        seen = json.loads((await page.connection.get(f"/api/tables/{self.id}")).body)["table"]["version"]
        must(
            seen >= version,
            f"Table {self.id} lost moves: the server confirmed version {version}, but it is now at {seen}.",
        )

    def close(self) -> None:
        """Close everything."""
        for page in self.pages:
            page.close()
            page.connection.close()

    # -------------------------------------------------------------------------------------------
    async def _turn(self, until: float) -> None:
        """Make one move, from the page that offers it to the pages that get it."""
        page = await self._mover(until)
        if page is None:
            return
        move, version = self._choice.choice(page.moves), page.version
        page.acted()
        before = [one.version for one in self.pages]
        body = {"move": move, "version": version, "id": f"load-{next(self._ids)}"}
        began = time.monotonic()
        answer = await page.connection.post(f"/api/tables/{self.id}/moves", msgspec.json.encode(body))
        if answer.status == 409 and _refusal(answer.body) == "stale-move" and page.version > version:
            self.log.late += 1  # a secret question's time was over meanwhile, which is not an error
            return
        must(answer.status == 200, f"A move got status {answer.status}: {answer.body[:200].decode(errors='replace')}")
        led_to = int(json.loads(answer.body)["version"])
        must(led_to >= version, f"A move at version {version} was reported to lead to {led_to}.")
        self._last = page, led_to
        self.log.answered(began, answer.at)
        if led_to > version:  # otherwise it answered a secret question, which no page shows
            await self._until(
                lambda: all(one.version > known for one, known in zip(self.pages, before, strict=True)),
                f"A page at table {self.id} didn't receive a move within {UPDATED_WITHIN:.0f} seconds.",
            )
            for one in self.pages:
                if one is not page:
                    self.log.updated(began, one.updated_at)

    async def _mover(self, until: float) -> Page | None:
        """Return the page that offers moves, once one does; None if the time ends first. After a game's end another
        begins."""
        clock = time.monotonic
        late = clock() + TURN_WITHIN
        while (page := next((one for one in self.pages if one.moves), None)) is None:
            if clock() >= until:
                return None
            must(clock() < late, f"Table {self.id} had no player to move for {TURN_WITHIN:.0f} seconds.")
            try:
                self._news.clear()
                await asyncio.wait_for(self._news.wait(), min(1.0, until - clock()))
            except TimeoutError:
                if await self._over():
                    await self._rematch()
        return page

    async def _over(self) -> bool:
        seen = json.loads((await self.pages[0].connection.get(f"/api/tables/{self.id}")).body)
        return bool(seen["table"]["status"] == "over")

    async def _rematch(self) -> None:
        for page in self.pages[: self.players]:  # the first asks, the others accept
            made = await page.connection.must_post(f"/api/tables/{self.id}/rematch")
        self._last = None
        self.id = json.loads(made.body)["id"]
        await self.pages[0].connection.must_post(f"/api/tables/{self.id}/start")
        await self._follow()

    async def _sit(self, table: str) -> None:
        self.id = table
        for page in self.pages[1 : self.players]:
            await page.connection.must_post(f"/api/tables/{table}/sit")
        await self.pages[0].connection.must_post(f"/api/tables/{table}/start")
        await self._follow()

    async def _follow(self) -> None:
        for page in self.pages:
            await page.open(self.id)
        await self._until(
            lambda: all(page.version >= 0 for page in self.pages),
            f"A page opened at table {self.id} received nothing within {UPDATED_WITHIN:.0f} seconds.",
        )

    async def _again(self) -> None:
        self._broken = ""
        try:
            await self._follow()
        except HouseFailed as error:
            self.log.failed(str(error))

    async def _until(self, done: Callable[[], bool], otherwise: str) -> None:
        """Wait for the pages' updates, up to UPDATED_WITHIN."""
        loop = asyncio.get_running_loop()
        late = loop.time() + UPDATED_WITHIN
        timer = loop.call_at(late, self._news.set)
        try:
            while not done():
                must(not self._broken, self._broken)
                must(loop.time() < late, otherwise)
                self._news.clear()
                await self._news.wait()
        finally:
            timer.cancel()

    def _changed(self) -> None:
        self._news.set()

    def _lost(self, why: str) -> None:
        self._broken = self._broken or why
        self._news.set()


def _refusal(body: bytes) -> str:
    """Return the code of a refusal, "" without one."""
    try:
        return str(json.loads(body)["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return ""
