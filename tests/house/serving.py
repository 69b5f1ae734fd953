"""Real server processes for tests.

One process imports everything and then forks a server for each request that it reads. The tested code is the same, and
a start takes a tenth of a second instead of one.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

TRUSTING_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # for clients of servers that answer plain HTTP
NURSERY = """
import gc, json, os, resource, signal, sys
from pathlib import Path
import alembic.command, asyncpg, redis.asyncio, sqlalchemy.dialects.postgresql.asyncpg, uvicorn.protocols.http.auto
from parlour.core.game import Game
from parlour.games import all_games, broken_games, find
from parlour.house import app, serve
from parlour.house.database import migrating
from parlour.house.http import door
from parlour.house.news import fanout
from parlour.house.notify import mail
from parlour.house.site import drawing
from parlour.house.table.jobs import sweeping
from parlour.house.tournaments import jobs as tournaments
from parlour.house.workers import watchdog
from parlour.house.timing import time_moves
from parlour.house.serve import run
from parlour.house.settings import Settings
from tests.found import add
from tests.house import once

once.share()
watchdog.QUIET = 0.0  # each stall has its line
time_moves(find("fortune"), moves=3)  # a little play loads whatever is loaded late; nothing of it stays open
app.create_app(Settings())
broken_games()  # what each server would do as it starts, for all of them
drawing.load(all_games().values())
once.migrated()
for piece in drawing.load_rest(all_games().values()):
    piece()
gc.collect()
gc.freeze()  # else each server looks at all of this, and so has a copy of its own

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    sent = json.loads(line)
    descriptors, deadlines, said = sent.pop("descriptors", 0), sent.pop("deadlines", {}), sent.pop("said", None)
    fixtures, newer, places = sent.pop("fixtures", ()), sent.pop("newer", None), sent.pop("places", None)
    settings = Settings(**sent)
    if os.fork() == 0:
        if said:
            os.dup2(os.open(said, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), 2)
        if places:
            os.environ["PARLOUR_GAMES"] = places
        for name in fixtures:
            add(Game(name, "tests.fixtures." + name))
        if newer:
            migrating.SCRIPTS, migrating.HEAD = Path(newer[0]), newer[1]
        else:
            once.lay(settings)
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors // 2, descriptors))
        timed = (door, serve, sweeping, watchdog, tournaments)
        for name, seconds in deadlines.items():
            setattr(next(one for one in timed if hasattr(one, name)), name, seconds)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        sys.stdin.close()
        run(settings, lambda url: print(json.dumps([os.getpid(), url]), flush=True))
        os._exit(0)
"""


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@dataclass
class Server:
    """A server that answers at `url`."""

    pid: int
    url: str

    def kill(self) -> None:
        """Kill it with SIGKILL, and wait until it has ended."""
        os.kill(self.pid, signal.SIGKILL)
        while lives(self.pid):
            time.sleep(0.002)


def lives(pid: int) -> bool:
    """Return whether this process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Nursery:
    """A process that starts servers."""

    def __init__(self, missing: Sequence[str] = ()) -> None:
        """Start the process. `missing`: modules that its servers do not find."""
        blocked = f"import sys\nsys.modules.update(dict.fromkeys({list(missing)}))\n"
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", blocked + NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        self.servers: list[Server] = []
        self.lasting: list[Server] = []

    def start(self, **settings: Any) -> Server:
        """Start a server on a free port; return it once it answers. `fixtures`: names of further games, of
        tests.fixtures, which its worker processes do not know; `places`: folders of games,
        as in PARLOUR_GAMES; `descriptors`: its limit of file descriptors; `deadlines`: changed ones of `http/door.py`,
        `serve.py`, `table/jobs/sweeping.py`, `workers/watchdog.py` and `tournaments/jobs.py`; `newer`: a folder of
        migrations instead of its own, and the newest revision there; `said`: the file for its standard error."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        usual = {"port": 0, "pace": 0, "limits": False, "engine": "plain"}  # compiling takes longer than most tests
        self.process.stdin.write(json.dumps({**usual, **settings}) + "\n")
        self.process.stdin.flush()
        self.servers.append(Server(*json.loads(self.process.stdout.readline())))
        return self.servers[-1]

    def keep(self, **settings: Any) -> Server:
        """Start a server that `clear` leaves alone, for tests of several files."""
        self.lasting.append(self.start(**settings))
        return self.servers.pop()

    def clear(self, first: int = 0) -> None:
        """Stop its servers, or all but the `first` ones."""
        for server in self.servers[first:]:
            if lives(server.pid):
                server.kill()
        del self.servers[first:]

    def close(self) -> None:
        """Stop its servers, and the process itself."""
        self.servers += self.lasting
        self.clear()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(60)  # it may still be starting, on a busy machine
        self.process.stdout.close()
