"""The house of a simulated week (`tests.house.week`): a real server in its own process, with the test's time.

One process imports everything, patches the clock and forks a server for each request that it reads, as
`tests.house.serving` does. The time is in a file that both map. Clocks and notifications, otherwise regular jobs, run
here on commands through a separate socket, so that the test knows when they are done.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import mmap
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from parlour.core.match import Match
from parlour.games import all_games, find
from parlour.house import serve
from parlour.house.app import open_house
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.news import presence
from parlour.house.notify import jobs as notify_jobs
from parlour.house.notify import outbox
from parlour.house.settings import Settings
from parlour.house.site import drawing
from parlour.house.table.jobs import clocks
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage import timekeeping
from parlour.house.timing import time_moves
from parlour.house.workers.pool import Workers

TELLS_AFTER = 0.02  # real seconds after which pages show who came and left, while the test's time stands still
ASKED = 30.0  # real seconds that a secret question may be open: it is closed when the test says so


class Clock:
    """The time, in a file."""

    def __init__(self, file: Path, at: float | None = None) -> None:
        if at is not None:
            file.write_bytes(struct.pack("d", at))
        with file.open("r+b") as opened:
            self._map = mmap.mmap(opened.fileno(), 8)

    def __call__(self) -> float:
        return float(struct.unpack_from("d", self._map)[0])

    def set(self, at: float) -> None:
        struct.pack_into("d", self._map, 0, at)


class Dead(Exception):
    """The house died before it answered."""


class Host:
    """What starts, stops and kills the house, and sends it commands. `folder` has its clock, database and socket."""

    def __init__(self, folder: Path, clock: Clock, tables: int, grace: float) -> None:
        self.folder, self.clock, self.tables, self.grace = folder, clock, tables, grace
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.nursery = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "tests.house.week_house", str(folder)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.pid = 0

    async def start(self) -> None:
        """Start a house; return when it answers."""
        path = self.folder / "orders"
        path.unlink(missing_ok=True)
        self.pid = await asyncio.to_thread(self._start)
        while True:
            try:
                self._reader, self._writer = await asyncio.open_unix_connection(str(path), limit=2**24)
                return
            except OSError:  # it does not listen yet
                await asyncio.sleep(0.002)

    def _start(self) -> int:
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        said = {"port": self.port, "tables": self.tables, "grace": self.grace}
        self.nursery.stdin.write(json.dumps(said) + "\n")
        self.nursery.stdin.flush()
        return int(self.nursery.stdout.readline())

    async def ask(self, what: str, *given: Any) -> Any:
        """Send the house a command; return its answer. Raises Dead."""
        try:
            self._writer.write(json.dumps([what, *given]).encode() + b"\n")
            line = await self._reader.readline()
        except OSError as error:
            raise Dead from error
        if not line.endswith(b"\n"):
            raise Dead
        said = json.loads(line)
        assert "error" not in said, said["error"]
        return said["said"]

    def strike(self) -> None:
        """Kill the house with SIGKILL now."""
        os.kill(self.pid, signal.SIGKILL)

    async def end(self, how: signal.Signals) -> None:
        """Send SIGTERM or SIGKILL, and wait until it has ended."""
        if self._lives():
            os.kill(self.pid, how)
        while self._lives():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        self._writer.close()

    def _lives(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def close(self) -> None:
        """End everything."""
        if self.pid and self._lives():
            os.kill(self.pid, signal.SIGKILL)
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        self.nursery.stdin.close()
        self.nursery.wait(60)
        self.nursery.stdout.close()


# In the house's process ------------------------------------------------------------------------------
def _out(connection: sa.Connection) -> list[tuple[str, int]]:
    """Return the seats of people for whom a bot plays."""
    c = storage.seats.c
    rows = connection.execute(sa.select(c.table_id, c.seat).where(c.kind == "bot", c.guest_id != ""))
    return [(table, seat) for table, seat in rows]


async def _settle(house: House, at: Collection[str] | None = None, but: str = "") -> None:
    """Wait until bots have moved wherever it is their turn, and no secret question is open, `but` at that table. `at`:
    these tables, otherwise all."""
    while True:
        busy = False
        for table in [*house.tables.values()] if at is None else filter(None, map(house.tables.get, at)):
            question = table.questions.open
            if question is not None and question.share is not None and table.id != but:
                question.due, busy = 0.0, True
                question.news.set()
            busy = busy or (table.work.bots is not None and not table.work.bots.done())
        if not busy:
            return
        await asyncio.sleep(0.002)


async def _do(house: House, what: str, *given: Any) -> Any:
    """Do what the test commands."""
    if what == "due":  # when the first clock is up
        return await house.store.ask(timekeeping.next_due)
    if what == "beat":  # let clocks run out; return who is out of time. `but`: the table whose question stays open
        last, but = given
        before = set(await house.store.look(_out))
        await clocks.beat(house, last)
        await _settle(house, but=but)
        return sorted(set(await house.store.look(_out)) - before)
    if what == "settle":
        return await _settle(house, *given)
    if what == "tell":  # all that is due
        (now,) = given
        await notify_jobs.note(house)
        while await house.store.look(partial(outbox.is_due, now=now, grace=house.settings.grace)):
            await notify_jobs.send(house, now)
        return None
    assert what == "looks"  # the guests who see each table's page
    tables = house.tables.values()
    return sorted((one.guest, table.id) for table in tables for one in table.audience.listeners if one.seen)


async def _talk(house: House, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.closing(writer), contextlib.suppress(OSError):
        while line := await reader.readline():
            try:
                said = {"said": await _do(house, *json.loads(line))}
            except Exception as error:  # the test says so
                said = {"error": repr(error)}
            writer.write(json.dumps(said).encode() + b"\n")


async def _obey(path: Path, house: House) -> None:
    """Take commands in place of the beat that checks the house's clocks."""
    talks: set[asyncio.Task[None]] = set()

    def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(asyncio.create_task(_talk(house, reader, writer)))

    server = await asyncio.start_unix_server(talk, str(path), limit=2**24)
    try:
        await asyncio.Event().wait()
    finally:  # the house is stopping
        server.close()
        for one in talks:
            one.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


async def _nothing(*_: Any) -> None:
    """Replace the job that sends notifications, and the start of processes for bots."""


async def _choose(_: Workers, match: Match, seat: int, bot: str, *, repeatable: bool) -> int:  # noqa: ARG001
    """Choose in place of a slow process in which bots think: bots do what people do (`week.Week._move`)."""
    actions = match.legal_actions()
    return match.legal_action_ids()[actions.index("stop") if "stop" in actions else random.randrange(len(actions))]


def _serve(folder: Path, port: int, tables: int, grace: float) -> None:
    """Serve until a signal to stop."""

    serve.open_house = partial(
        open_house, jobs=JOBS._replace(keep_time=partial(_obey, folder / "orders"), tell=_nothing)
    )
    Workers.choose, Workers.warm = _choose, _nothing  # type: ignore[method-assign]
    presence.SEEN_AFTER = presence.LEFT_AFTER = TELLS_AFTER
    settings = Settings(
        port=port, database=f"sqlite:///{folder}/parlour.db", pace=0, patience=ASKED, limits=False, tables=tables,
        grace=grace, outside="any", base_url="http://house.test",
    )  # fmt: skip

    def ready(_: str) -> None:
        print(os.getpid(), flush=True)

    serve.run(settings, ready)


def main(folder: Path) -> None:
    """Fork a house for each line."""
    time.time = Clock(folder / "clock")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    drawing.load(all_games().values())
    time_moves(find("fortune"), moves=3)  # loads now what would be loaded late
    logging.getLogger("parlour.house.workers.watchdog").setLevel(logging.ERROR)  # a busy machine is not a problem here
    for line in sys.stdin:
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            sys.stdin.close()
            _serve(folder, **json.loads(line))
            os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
