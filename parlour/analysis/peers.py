"""Comparison of Parlour with other libraries of games: in one run, on one core, in turns.

An adapter, `benchmarks/peers/with_NAME.py`, runs each peer in a process of its own with its own interpreter (see
`serving.py` there), so that Parlour's environment need not contain any of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypedDict, TypeVar

import msgspec

from parlour.bots import plan
from parlour.bots.bench import searching
from parlour.core.errors import BadSetup
from parlour.engine import bench, interpret
from parlour.engine.bench import COMPARED, LANES, RUNS, SECONDS, Rate, Work, batch, enough, once, random_play
from parlour.games import find

T = TypeVar("T")
ADAPTERS = COMPARED / "peers"
SHORT = 0.01  # seconds: a search is measured by whole decisions
SEEN = {f"seen-{lanes}": lanes for lanes in (1, 64, LANES)}  # kinds of work with observations and masks
# What a peer's work is measured beside; of "python" (its Python API) both what we are like, and what one gets.
BESIDE = {"play": ("compiled",), "python": ("compiled", "plain"), "games": ("games",), "batch": ("batch",),
          "search": ("search",)} | {kind: (kind,) for kind in SEEN}  # fmt: skip
WORDS = {
    "compiled": "random play, compiled",
    "plain": "random play, plain Python",
    "games": "whole random games",
    "batch": f"random steps of {LANES} lanes from Python",
    "search": "search",
} | {kind: f"random steps, observed and masked, lanes: {lanes}" for kind, lanes in SEEN.items()}


class Comparison(NamedTuple):
    """Parlour's `game` and `theirs` of `peer`: rates in `unit`, and the ratio, ours : theirs, of each pair."""

    work: str
    game: str
    peer: str
    theirs: str
    unit: str
    rate: Rate
    peer_rate: Rate
    ratio: Rate


class Missing(NamedTuple):
    """A peer that could not be measured, and the reason."""

    peer: str
    why: str


class Offer(TypedDict):
    """A work that an adapter can measure, and the game of ours that is nearest."""

    kind: str
    game: str
    near: str
    unit: str


class Hello(TypedDict, total=False):
    """The first line of an adapter: what it can measure, or why its peer is missing."""

    version: str
    works: list[Offer]
    missing: str


class Measured(TypedDict):
    """An adapter's answer: how much it did in how many seconds of processor time."""

    count: float
    seconds: float


class Silent(Exception):
    """An adapter ended without an answer."""


class Peer:
    """A running adapter; `hello` is its first message."""

    def __init__(self, script: Path, python: str) -> None:
        self.name = script.stem.removeprefix("with_")
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed by `close`)
        command = [python, str(script)]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._errors, text=True)
        except OSError as error:
            self._errors.close()
            raise BadSetup(f"{python} cannot be run: {error.strerror}.") from None
        self.hello: Hello = {}

    def read(self, kind: type[T]) -> T:
        """Return the adapter's next line. Raises Silent, with the last line of its errors, if it ended."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._errors.seek(0)
            raise Silent((self._errors.read().strip().splitlines() or ["it ended"])[-1])
        return msgspec.json.decode(line, type=kind)

    def measure(self, index: int, seconds: float) -> float:
        """Measure its rate at work number `index` once."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{index} {seconds}\n")
        self._process.stdin.flush()
        answer = self.read(Measured)
        return answer["count"] / answer["seconds"]

    def close(self) -> None:
        """End the adapter."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()


def compare(
    python: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    adapters: Path = ADAPTERS,
    runs: int = RUNS,
    seconds: float = SECONDS,
) -> Iterator[Comparison | Missing]:
    """Measure every peer that `python` (an interpreter; this one unless given) can import.

    All take turns, `runs` times: a peer's work, then ours. Rates are per second of processor time, of all
    threads, with everything pinned to one core where the system can do that. `progress` receives (done, of how many).
    Raises BadSetup if there are no adapters (they are in the repository, not in the package) or no interpreter.
    """
    scripts = sorted(adapters.glob("with_*.py"))
    if not scripts:
        raise BadSetup(f"There are no adapters of peers in {adapters}: run this from a checkout of Parlour.")
    with one_core(), ExitStack() as stack:
        peers = [Peer(script, python or sys.executable) for script in scripts]
        missing = []
        for peer in peers:
            stack.callback(peer.close)
        for peer in peers:
            try:
                peer.hello = peer.read(Hello)
            except Silent as error:
                peer.hello = {"missing": str(error)}
            if "missing" in peer.hello:
                missing.append(Missing(peer.name, peer.hello["missing"]))
        pairs = [(peer, index) for peer in peers for index in range(len(peer.hello.get("works", ())))]
        rates: dict[tuple[Peer, int, str], list[tuple[float, float]]] = {}
        for run in range(runs):
            for number, (peer, index) in enumerate(pairs):
                if progress is not None:
                    progress(run * len(pairs) + number, runs * len(pairs))
                if not any(gone.peer == peer.name for gone in missing):
                    try:
                        _turn(peer, index, seconds, rates)
                    except Silent as error:
                        missing.append(Missing(peer.name, str(error)))
        for (peer, index, kind), found in rates.items():
            if not any(gone.peer == peer.name for gone in missing):
                yield _comparison(peer, peer.hello["works"][index], kind, found)
        yield from missing


def _turn(
    peer: Peer, index: int, seconds: float, rates: dict[tuple[Peer, int, str], list[tuple[float, float]]]
) -> None:
    """Measure a peer's work once, and ours after it."""
    work = peer.hello["works"][index]
    theirs = peer.measure(index, seconds)
    for kind in BESIDE[work["kind"]]:
        ours, pieces = _ours(kind, work["near"], seconds)
        rates.setdefault((peer, index, kind), []).append((once(ours, pieces), theirs))


def _comparison(peer: Peer, work: Offer, kind: str, found: list[tuple[float, float]]) -> Comparison:
    name = f"{peer.name} {peer.hello['version']}"
    ours, theirs = ([pair[side] for pair in found] for side in (0, 1))
    ratios = [our / their for our, their in found]
    return Comparison(
        WORDS[kind], work["near"], name, work["game"], work["unit"], Rate.of(ours), Rate.of(theirs), Rate.of(ratios)
    )


@cache
def _ours(kind: str, name: str, seconds: float) -> tuple[Work, int]:
    """Return our work of a kind in one game with the fewest players, and how many pieces of it take `seconds`."""
    from parlour.engine.compiled import compile

    game = find(name)
    seats = game.facts.players[0]
    if kind == "batch":
        work = batch(game, seats)
    elif kind in SEEN:
        work = bench.seen_batch(game, seats, SEEN[kind])
    elif kind == "search":
        work, seconds = searching(game, seats, replace(plan(game, "expert"), length=0)), min(SHORT, seconds)
    else:
        engine = interpret(game) if kind == "plain" else compile(game)
        steps = random_play(engine, game.start(seats, game.edition(), game.options()), seats)
        work = _whole(steps) if kind == "games" else steps
    return work, enough(work, seconds)


def _whole(work: Work) -> Work:
    """Count the work in games."""

    def play(n: int) -> int:
        work(n)
        return n

    return play


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those that it starts, on one core."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
