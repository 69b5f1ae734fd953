"""Pieces of work that compile, each done in a process that knows nothing of those before it.

One process imports everything and then forks one for each line that it reads: it has compiled nothing
and keeps nothing in memory, as if it had just been started, but has imported already.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CHANGING = {"seconds", "games_per_second", "milliseconds", "rate", "low", "high"}  # how long something took
PAGES = ("/", "/rules/pig")


def record() -> int:
    """Write the record of some moves of a game for three, which no solver answers for."""
    import parlour

    match, choice = parlour.new("pig", players=3, seed=1), random.Random(1)
    for _ in range(6):
        match.play(choice.choice(match.legal_actions()))
    print(match.record().to_text())
    return 0


def batch() -> int:
    """Play some games of the library's `Batch` to their ends."""
    from parlour.engine import Batch

    games, steps = Batch("pig", 8, players=2, seed=1), []
    while not games.over:
        seen = games.observations().tolist()
        rewards, *_ = games.step(games.random_actions())
        steps.append([seen, rewards.tolist()])
    print(json.dumps(steps))
    return 0


def workers() -> int:
    """Let the workers of a house choose and advise as they do at a table, at first plain and then compiled."""
    return asyncio.run(_workers())


async def _workers() -> int:
    from parlour.analysis import worker as analyst
    from parlour.bots import View, worker
    from parlour.core.match import Match
    from parlour.games import find
    from parlour.house.workers.pool import OURS, Workers, sendable

    game, house = find("pig"), Workers(1)
    match = Match(game, 3, seed=1)
    try:
        async with house.turn(OURS):
            seat = match.current_player
            await house.choose(match, seat, "easy")
            began = time.monotonic()
            while not await house.ask("a test", worker.ready, sendable(game)):
                assert time.monotonic() < began + 120, "its bots stay with the plain rules"
                await asyncio.sleep(0.05)
            found: list[Any] = [await house.ask("a test", analyst.prepare, sendable(game))]
            for _ in range(6):
                seat = match.current_player
                view = View.of(match, seat)
                found.append(await house.ask("a test", worker.choose, view, "easy", "compiled"))
                match.play(found[-1])
    finally:
        house.stop()
    print(json.dumps(found))
    return 0


def serve() -> int:
    """Start a server and ask it for pages."""
    from parlour.house.serve import run
    from parlour.house.settings import Settings

    def visit(url: str) -> None:
        for page in PAGES:
            with urllib.request.urlopen(url.rstrip("/") + page) as answer:
                print(json.dumps([page, answer.status, len(answer.read()) > 1000]))
        sys.stdout.flush()
        os._exit(0)

    settings = Settings(port=0, database="sqlite:///house.db", pace=0, limits=False)
    run(settings, lambda url: threading.Thread(target=visit, args=(url,)).start())
    return 0


CALLED: dict[str, Callable[[], int]] = {"record": record, "batch": batch, "workers": workers, "serve": serve}


def main() -> None:
    """Do what each line says: {"work": [NAME or arguments of parlour], "cache": ..., "folder": ...}."""
    _load()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            sys.exit(_do(**asked))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _do(work: list[str], cache: str, folder: str) -> int:
    from parlour.cli.app import run

    os.environ["PARLOUR_CACHE"] = cache
    os.chdir(folder)
    for number, name in ((0, os.devnull), (1, "out"), (2, "err")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), number)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 - a new one, from which nothing was read
    return CALLED[work[0]]() if work[0] in CALLED else run(work)


def _load() -> None:
    """Import what the work needs, and let the compiler compile something: it takes a second the first time."""
    import numba

    import parlour.analysis.arena
    import parlour.analysis.evaluation
    import parlour.bots.worker
    import parlour.house.workers.pool  # noqa: F401
    from parlour.engine import Batch  # noqa: F401

    numba.njit(lambda x: x // 2)(8)


class Afresh:
    """Does pieces of work, each in a new process."""

    def __init__(self, games: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", "from tests.cli.afresh import main; main()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "PARLOUR_GAMES": str(games), "PARLOUR_DATA": str(games.parent / "data")},
        )  # fmt: skip

    def answer(self, work: list[str], cache: Path, folder: Path) -> Any:
        """Do it in `folder`, with this cache of compiled code; return what it prints, without the times it took."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {"work": work, "cache": str(cache), "folder": str(folder)}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        status = json.loads(self._process.stdout.readline())
        out, err = ((folder / name).read_text("utf-8") for name in ("out", "err"))
        assert status == 0, (work, status, err)
        assert "Traceback" not in err, err
        assert out, work
        return [_timeless(json.loads(line)) for line in out.splitlines()] if out[0] in "{[" else out

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def afresh(games: Path) -> Iterator[Afresh]:
    """Give someone who does such work for the games in this folder."""
    made = Afresh(games)
    try:
        yield made
    finally:
        made.close()


def _timeless(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _timeless(value) for key, value in data.items() if key not in CHANGING}
    return [_timeless(one) for one in data] if isinstance(data, list) else data
