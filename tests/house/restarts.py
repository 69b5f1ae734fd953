"""A house that is restarted again and again during games, and whether it keeps everything that it acknowledged.

    python -m tests.house.restarts [--tables N] [--restarts N] [--every SECONDS]

`parlour serve` runs as a process of its own, is stopped by SIGTERM and by kill -9 in turn, and started again by the
same command at the same port. Every player has an open page, and repeats a move until it is answered. No answered
request may be lost, and no move made twice; every page must reconnect automatically.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec

from benchmarks.load.errors import HouseFailed
from benchmarks.load.scene import Scene
from benchmarks.load.scene import Update as Shown
from parlour.core.replay import verify
from parlour.games import find
from tests.house.forging import ROYALE_SEATS, kept
from tests.house.people import BOT, ME, OPEN, Person
from tests.house.serving import free_port

KINDS: list[dict[str, Any]] = [
    {"game": "fortune", "seats": [ME, OPEN]},
    {**ROYALE_SEATS, "seats": [ME, OPEN]},  # secret questions are open when the house stops
    {"game": "fortune", "seats": [ME, BOT]},  # bots continue without a request
]
QUIET = 1.0  # seconds without news after which a player checks whether the game is over
ANSWERS = ("take", "let it lie")  # to secret questions: a step only when the question is over
FAILED = (httpx.HTTPError, OSError)


class Update(Shown):
    """A message, as far as a page needs it to continue and to reconnect."""

    version: int = -1
    eyes: int = -2


UPDATE = msgspec.json.Decoder(Update)


@dataclass
class Figures:
    """The measurements."""

    restarts: int = 0
    moves: int = 0  # acknowledged
    again: int = 0  # of them, sent more than once
    tables: int = 0
    ready: list[float] = field(default_factory=list)  # seconds from the start of the process to /health
    worked: list[float] = field(default_factory=list)  # seconds of processor time until then
    resumed: list[float] = field(default_factory=list)  # seconds from then to a page's next message
    returned: list[float] = field(default_factory=list)  # processor seconds from then until the last page is back

    def line(self) -> str:
        """Return the line for SECURITY.md."""
        return (
            f"{self.restarts} restarts under {self.tables} tables: {self.moves:,} moves acknowledged "
            f"({self.again} of them asked again), none lost, none made twice; {spread('ready', self.ready)} "
            f"(of work: {statistics.median(self.worked):.2f} s, at worst {max(self.worked):.2f} s); "
            f"{len(self.resumed):,} pages resumed, {spread('each', self.resumed)}, "
            f"{sum(one > 1 for one in self.resumed)} of them after more than 1 s "
            f"(of work: {statistics.median(self.returned):.2f} s for all, at worst {max(self.returned):.2f} s)"
        )


def spread(what: str, seconds: list[float]) -> str:
    """Return the median and the worst in words."""
    return f"{what} after {statistics.median(seconds):.2f} s, at worst {max(seconds):.2f} s"


class House:
    """A server that is restarted at the same address."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = folder / "parlour.db"
        self.errors = folder / "errors"
        self.command = [
            sys.executable, "-m", "parlour", "serve", "--host=127.0.0.1", f"--port={self.port}", "--no-open",
            f"--database=sqlite:///{self.database}", "--pace=0.5", "--no-limits",  # everyone has the same address here
        ]  # fmt: skip
        self._process: asyncio.subprocess.Process
        self.ready_at = 0.0

    async def start(self) -> float:
        """Start it; return the seconds until it reports that it is ready."""
        began = time.monotonic()
        with self.errors.open("a") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *self.command, stdout=asyncio.subprocess.DEVNULL, stderr=errors
            )
        async with httpx.AsyncClient(base_url=self.url, timeout=5) as client:
            while True:
                with contextlib.suppress(*FAILED):
                    if (await client.get("/health")).status_code == 200:
                        break
                assert self._process.returncode is None, "the house did not start"
                await asyncio.sleep(0.02)
        self.ready_at = time.monotonic()
        return self.ready_at - began

    def worked(self) -> float:
        """Return the processor time of the process so far, in seconds."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def end(self, how: signal.Signals) -> None:
        """Stop it, and wait until it has ended."""
        self._process.send_signal(how)
        await asyncio.wait_for(self._process.wait(), 30)


class Page:
    """An open page: it does what table.js does when its stream ends, and has the moves that the page offers."""

    def __init__(self, house: House, person: Person, table: str, figures: Figures) -> None:
        self.house, self.person, self.table, self.figures = house, person, table, figures
        self.news = asyncio.Event()
        self.heard_at, self.version = 0.0, -1
        self.moves: list[str] = []
        self.task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        scene, has, tries = Scene(), "have=.", 0
        while True:
            try:
                path = f"/api/tables/{self.table}/events?since={self.version}&{has}"
                async with self.person.stream("GET", path, timeout=30) as stream:
                    async for line in stream.aiter_lines():
                        if not line.startswith("data: {"):
                            continue
                        tries, now = 0, time.monotonic()
                        if 0 < self.heard_at < self.house.ready_at:
                            self.figures.resumed.append(now - self.house.ready_at)
                        update = UPDATE.decode(line[6:])
                        scene.take(update)
                        self.heard_at, self.version, self.moves = now, update.version, list(scene.moves())
                        has = f"eyes={update.eyes}&have={'.'.join(update.marks)}"
                        self.news.set()
            except HouseFailed:  # changes to what this page does not have: table.js then requests everything
                self.version, has = -1, "have=."
            except FAILED:
                pass
            await asyncio.sleep(min(5.0, 0.25 * 1.5 ** max(0, tries - 20)) * random.uniform(0.75, 1.25))
            tries += 1


class Room:
    """A table whose people play on through every restart."""

    def __init__(self, house: House, kind: dict[str, Any], figures: Figures, pause: float, seed: int) -> None:
        self.house, self.kind, self.figures, self.pause = house, kind, figures, pause
        self.choice = random.Random(seed)
        self.people = [Person(base_url=house.url, timeout=30) for seat in kind["seats"] if seat in (ME, OPEN)]
        self.sent: dict[int, list[str]] = {}  # the moves of each seat that were answered
        self.last: dict[int, int] = {}  # the version of each seat's last move
        self.table = ""
        self.pages: list[Page] = []
        self.version = 0

    async def begin(self) -> None:
        """Sit down and start, at another table if the house stops meanwhile."""
        self.sent = {seat: [] for seat in range(len(self.people))}
        self.last = dict.fromkeys(self.sent, -1)
        while not await self._begun():  # noqa: ASYNC110 - the house is another process
            await asyncio.sleep(0.2)
        self.pages = [Page(self.house, person, self.table, self.figures) for person in self.people]
        self.figures.tables += 1

    async def _begun(self) -> bool:
        """Return whether they sit at a table of their own that has started; False if the house stopped meanwhile."""
        host, *others = self.people
        with contextlib.suppress(*FAILED):
            made = await host.post("/api/tables", json=self.kind)
            if made.is_success:
                self.table = str(made.json()["id"])
                path = f"/api/tables/{self.table}"
                answers = [made, *[await person.post(f"{path}/sit") for person in others]]
                if others:
                    answers.append(await host.post(f"{path}/start"))
                assert all(one.is_success or one.status_code == 503 for one in answers), answers
                return all(one.is_success for one in answers)
            assert made.status_code == 503, made.text
        return False

    async def play(self) -> None:
        """Make random moves that the players' pages offer, until the game is over."""
        while True:
            seat = next((seat for seat in self.sent if self._may_move(seat)), None)
            if seat is not None:
                await self._move(seat)
            elif not await self._has_news():
                seen = await self._asked(self.people[0], "GET", f"/api/tables/{self.table}")
                if seen["table"]["status"] == "over":
                    return

    def _may_move(self, seat: int) -> bool:
        """Return whether a seat's page offers moves, of a position in which it has made none: on a busy machine a
        stream brings that position once more after the move."""
        return bool(self.pages[seat].moves) and self.pages[seat].version > self.last[seat]

    async def _move(self, seat: int) -> None:
        page = self.pages[seat]
        await asyncio.sleep(self.pause * self.choice.uniform(0.5, 1.5))
        if not self._may_move(seat):
            return  # the page shows another player's turn by now: a secret question was over
        version, move = page.version, self.choice.choice(page.moves)
        page.moves = []  # until the page gets the present ones
        body = {"move": move, "version": version, "id": f"{seat}-{version}"}
        answer = await self._asked(self.people[seat], "POST", f"/api/tables/{self.table}/moves", json=body)
        if answer is None:
            return
        assert answer["version"] >= version
        self.last[seat] = version
        self.version = max(self.version, answer["version"])
        self.sent[seat].append(move)
        self.figures.moves += 1

    async def _has_news(self) -> bool:
        """Return whether any page gets news before long."""
        waiting = [asyncio.create_task(page.news.wait()) for page in self.pages]
        done, _ = await asyncio.wait(waiting, timeout=QUIET, return_when=asyncio.FIRST_COMPLETED)
        for one in waiting:
            one.cancel()
        for page in self.pages:
            page.news.clear()
            self.version = max(self.version, page.version)
        return bool(done)

    async def _asked(self, person: Person, method: str, path: str, **more: Any) -> Any:
        """Repeat a request until it is answered: also if the house is down or cannot write; return the answer."""
        tries = 0
        while True:
            with contextlib.suppress(*FAILED):
                answer = await person.request(method, path, **more)
                if answer.status_code == 409 and more.get("json", {}).get("move") in ANSWERS:
                    return None  # the question was over before the answer
                if answer.status_code != 503:
                    assert answer.is_success, answer.text
                    self.figures.again += method == "POST" and tries > 0
                    return answer.json()
            tries += 1
            await asyncio.sleep(0.2)

    async def check(self) -> None:
        """Compare the answers with the database; also verify a finished game's record."""
        query = "SELECT text FROM steps WHERE table_id = ? AND actor = ? ORDER BY idx"
        for seat, moves in self.sent.items():
            made = [text for (text,) in kept(self.house.database, query, self.table, seat) if text not in ANSWERS]
            said = [move for move in moves if move not in ANSWERS]
            assert made[: len(said)] == said, (self.table, seat)
            assert len(made) <= len(said) + 1, (self.table, seat)  # at most the one whose answer was lost
        if kept(self.house.database, "SELECT status FROM tables WHERE id = ?", self.table) == [("over",)]:
            with contextlib.suppress(*FAILED):  # the house may be down
                verify(await self.people[0].record(self.table), find)

    async def leave(self) -> None:
        for page in self.pages:
            page.task.cancel()
        await asyncio.gather(*(page.task for page in self.pages), return_exceptions=True)

    async def close(self) -> None:
        await self.leave()
        for person in self.people:
            await person.aclose()


async def run(tables: int, restarts: int, every: float, pause: float) -> Figures:
    """Restart a house this number of times, at an interval in seconds, during games at this number of tables."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        await house.start()
        rooms = [Room(house, KINDS[i % len(KINDS)], figures, pause, i) for i in range(tables)]
        try:
            for room in rooms:
                await room.begin()
            playing = [asyncio.create_task(_on_and_on(room)) for room in rooms]
            for number in range(restarts):
                done, _ = await asyncio.wait(playing, timeout=every, return_when=asyncio.FIRST_EXCEPTION)
                for one in done:
                    await one
                await house.end((signal.SIGTERM, signal.SIGKILL)[number % 2])
                versions = [(room.table, room.version) for room in rooms]
                figures.ready.append(await house.start())
                figures.worked.append(house.worked())
                figures.restarts += 1
                going = asyncio.create_task(_all_go_on(house, rooms, versions, figures))
                done, _ = await asyncio.wait([going, *playing], timeout=120, return_when=asyncio.FIRST_COMPLETED)
                for one in done:
                    await one
                assert going.done(), "not every page and game has continued within two minutes"
            for one in playing:
                one.cancel()
            for problem in await asyncio.gather(*playing, return_exceptions=True):
                assert isinstance(problem, asyncio.CancelledError), problem
            for room in rooms:
                await room.check()
            assert "Traceback" not in (said := house.errors.read_text()), said
        finally:
            await asyncio.gather(*(room.close() for room in rooms))
            await house.end(signal.SIGKILL)
    return figures


async def _on_and_on(room: Room) -> None:
    """Play game after game."""
    while True:
        await room.play()
        await room.check()
        await room.leave()
        room.version = 0
        await room.begin()


async def _all_go_on(house: House, rooms: list[Room], before: list[tuple[str, int]], figures: Figures) -> None:
    """Wait until every page has got news since the restart, and every game has continued."""
    began = figures.worked[-1]
    while not all(page.heard_at > house.ready_at for room in rooms for page in room.pages):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    figures.returned.append(house.worked() - began)
    while not all((room.table, room.version) != was for room, was in zip(rooms, before, strict=True)):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.house.restarts", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--restarts", type=int, default=30)
    parser.add_argument("--every", type=float, default=10.0, help="seconds")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds that a player thinks")
    options = parser.parse_args()
    print(asyncio.run(run(options.tables, options.restarts, options.every, options.pause)).line())


if __name__ == "__main__":
    main()
