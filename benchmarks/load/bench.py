"""Tables of simulated people on real server processes, and their measurements."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.load import server, stranger
from benchmarks.load.connection import Connection, Meter
from benchmarks.load.errors import HouseFailed
from benchmarks.load.measure import Log, percentile
from benchmarks.load.page import Page
from benchmarks.load.server import Server
from benchmarks.load.table import Table
from parlour.house.serve import CALM

AT_ONCE = 8  # tables that are being opened
PAGES = 4  # at least, at each table: where fewer play, others look on
OPEN_WITHIN = 120.0  # seconds in which spectators open their pages
LEAST_WARM = 2.0  # seconds of play before the first numbers
SETTLED = 60.0  # seconds at most in which a house comes to rest
REST = 0.05  # of a core, that a house at rest takes at most


@dataclass(frozen=True)
class Plan:
    """What to measure.

    games       the games of the tables, in turns, each with its number of players
    every       seconds between two moves at a table; 0: the next follows at once
    seconds     how long to measure
    spectators  open pages without a seat, all at the first table
    urls        houses that already run, instead of processes started here
    spread      connect the pages of a table to several processes, not to one as behind `deploy/Caddyfile`
    serve       options for `parlour serve`, for each of `processes`
    python      an interpreter with the Parlour that serves; "": this one
    """

    games: Sequence[tuple[str, int]]
    tables: int = 20
    every: float = 0.0
    seconds: float = 20.0
    spectators: int = 0
    urls: Sequence[str] = ()
    processes: int = 1
    spread: bool = False
    serve: Sequence[str] = ()
    python: str = ""


def measure(plan: Plan) -> dict[str, Any]:
    """Play, and return the numbers by name. Raises HouseFailed if the house does not start, or no table can be opened;
    later failures are counted in `errors`."""
    with ExitStack() as stack:
        before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers are ended then, too
        stack.callback(signal.signal, signal.SIGTERM, before)
        servers: list[Server] = []
        if not plan.urls:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            own = [] if "--database" in plan.serve else ["--database", f"sqlite:///{folder}/parlour.db"]
            for _ in range(plan.processes):
                one = Server([*own, *plan.serve], plan.python or sys.executable)
                servers.append(one)
                stack.callback(one.stop)
        urls = list(plan.urls) or [one.url for one in servers]
        return _run(_Load(plan, urls, [one.pid for one in servers]).run())


def _run(work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
    try:
        from uvloop import new_event_loop
    except ImportError:  # uvloop does not support Windows
        from asyncio import new_event_loop  # type: ignore[assignment]
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)


class _Load:
    """One run."""

    def __init__(self, plan: Plan, urls: Sequence[str], pids: Sequence[int]) -> None:
        self.plan, self.urls, self.pids = plan, urls, pids
        self.meter, self.log = Meter(), Log()
        self.tables: list[Table] = []
        self.spectators: list[Page] = []

    async def run(self) -> dict[str, Any]:
        try:
            return await self._run()
        finally:
            for table in self.tables:
                table.close()
            for page in self.spectators:
                page.close()

    async def _run(self) -> dict[str, Any]:
        plan, clock = self.plan, time.monotonic
        warm = min(plan.tables // 2, len(plan.games))  # of few tables some are left to count the memory of
        await self._open(range(warm))
        await self._play(clock() + LEAST_WARM, 0.0)
        await self._settled()
        small = self._memory()
        await self._open(range(warm, plan.tables))
        try:
            await asyncio.wait_for(self._watch(), OPEN_WITHIN)
        except TimeoutError:
            raise HouseFailed(
                f"{plan.spectators} observers couldn't open their pages within {OPEN_WITHIN:.0f} seconds."
            ) from None
        lead = max(LEAST_WARM, plan.every)
        playing = asyncio.create_task(self._play(clock() + lead + plan.seconds, plan.every))
        await asyncio.sleep(lead)
        with self._stranger() as stranger_times:
            before = self._costs()
            self.log.running = True
            await asyncio.sleep(plan.seconds)
            self.log.running = False
            after = self._costs()
        await playing
        big = self._memory()
        await self._check()
        return self._numbers(before, after, (big - small) / max(1, plan.tables - warm), stranger_times)

    async def _settled(self) -> None:
        """Wait until the houses are idle: some seconds after their start they load what no request has needed yet,
        which would count as memory of the tables."""
        if not self.pids:
            return
        until, before = time.monotonic() + SETTLED, self._seconds()
        await asyncio.sleep(CALM + 1.0)
        while self._seconds() - before > REST and time.monotonic() < until:
            before = self._seconds()
            await asyncio.sleep(1.0)

    async def _open(self, numbers: range) -> None:
        free = asyncio.Semaphore(AT_ONCE)

        async def open_one(number: int) -> None:
            game, players = self.plan.games[number % len(self.plan.games)]
            ways = [
                Connection(self.urls[(number + one * self.plan.spread) % len(self.urls)], self.meter)
                for one in range(max(players, PAGES))
            ]
            table = Table(game, players, ways, self.log, number)
            self.tables.append(table)
            async with free:
                await table.open()

        await asyncio.gather(*map(open_one, numbers))

    async def _watch(self) -> None:
        free = asyncio.Semaphore(AT_ONCE)

        async def watch(number: int) -> None:
            page = Page(
                Connection(self.urls[number % len(self.urls)], self.meter), lambda: None, self.log.failed, plays=False
            )
            self.spectators.append(page)
            async with free:
                await page.connection.get("/api/me")
                page.connection.close()
                await page.open(self.tables[0].id)

        await asyncio.gather(*map(watch, range(self.plan.spectators)))

    async def _play(self, until: float, every: float) -> None:
        await asyncio.gather(*(table.play(until, every) for table in self.tables))

    async def _check(self) -> None:
        for table in self.tables:
            try:
                await table.check()
            except HouseFailed as error:
                self.log.failed(str(error))

    @contextmanager
    def _stranger(self) -> Iterator[list[float]]:
        """Let a guest at no table ask who they are, again and again, from a separate process; fill the yielded list
        with the seconds of each response."""
        times: list[float] = []
        command = [sys.executable, "-P", stranger.__file__, self.urls[0]]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            with contextlib.suppress(BrokenPipeError):
                yield times
            printed, _ = process.communicate()
            if process.returncode:
                self.log.failed("A new guest's request got no response.")
            times += [float(line) for line in printed.split()]

    # -------------------------------------------------------------------------------------------
    def _memory(self) -> int:
        return sum(server.memory(pid) for pid in self.pids)

    def _seconds(self) -> float:
        return sum(server.seconds(pid) for pid in self.pids)

    def _costs(self) -> dict[str, float]:
        """Return what has been spent so far."""
        own = resource.getrusage(resource.RUSAGE_SELF)
        busy, stolen = server.machine()
        return {
            "time": time.monotonic(),
            "server": self._seconds(),
            "workers": sum(server.seconds(child) for pid in self.pids for child in server.children(pid)),
            "client": own.ru_utime + own.ru_stime,
            "machine": busy,
            "stolen": stolen,
            "received": self.meter.received,
            "sent": self.meter.sent,
        }

    def _numbers(
        self, before: dict[str, float], after: dict[str, float], memory: float, stranger_times: list[float]
    ) -> dict[str, Any]:
        log = self.log
        spent = {name: after[name] - before[name] for name in before}
        moves = len(log.answers)
        each = max(1, moves)
        return {
            "games": [name for name, _ in self.plan.games],
            "tables": len(self.tables),
            "pages": sum(len(table.pages) for table in self.tables) + len(self.spectators),
            "spectators": len(self.spectators),
            "processes": len(self.urls),
            "every": self.plan.every,
            "seconds": round(spent["time"], 1),
            "moves": moves,
            "moves_per_second": round(moves / spent["time"], 1),
            "answer_p50_ms": percentile(log.answers, 0.5),
            "answer_p99_ms": percentile(log.answers, 0.99),
            "update_p50_ms": percentile(log.updates, 0.5),
            "update_p99_ms": percentile(log.updates, 0.99),
            "stranger_p50_ms": percentile(stranger_times, 0.5),
            "stranger_p99_ms": percentile(stranger_times, 0.99),
            "stranger_most_ms": percentile(stranger_times, 1.0),
            "server_ms_per_move": round(1000 * spent["server"] / each, 2),
            "workers_ms_per_move": round(1000 * spent["workers"] / each, 2),
            "client_ms_per_move": round(1000 * spent["client"] / each, 2),
            "machine_ms_per_move": round(1000 * spent["machine"] / each, 2),
            "server_share": round(spent["server"] / spent["time"], 2),
            "client_share": round(spent["client"] / spent["time"], 2),
            "machine_share": round(spent["machine"] / spent["time"], 2),
            "stolen_share": round(spent["stolen"] / spent["time"], 2),
            "bytes_per_move": round((spent["received"] + spent["sent"]) / each),
            "bytes_received_per_move": round(spent["received"] / each),
            "memory_per_table": round(memory),
            "late": log.late,
            "errors": sum(log.errors.values()),
            "error_texts": [f"{text} ({times})" for text, times in log.errors.most_common(10)],
        }
