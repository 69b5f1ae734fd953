"""How fast this machine plays: each work measured several times on one core, the median told.

A second is one of processor time, so that what else the machine does disturbs little; only the starts are told as a
person waits for them.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE
from parlour.core.struct import flatten
from parlour.engine import cache, drivers
from parlour.engine.interpreted import Engine, interpret
from parlour.games import find, games

RUNS = 9
SECONDS = 0.3  # that one run should take
MOST = 100_000
LANES = 1024
COMPARED = Path(__file__).resolve().parents[2] / "benchmarks"

START = """
import sys, time
began = time.perf_counter()
from parlour.engine import bench
from parlour.games import find
bench.start(find(sys.argv[1]))
print(time.perf_counter() - began)
"""


class Row(NamedTuple):
    """One measurement: `rate` in `unit`."""

    game: str
    players: int
    work: str
    rate: float
    unit: str


def run(game: str | Game | None = None, players: int | None = None) -> list[Row]:
    """Measure one game, or all; a step is one decision with the chance after it. Takes about 20 s a game.

    Errors: UnknownName, BadSetup.
    """
    chosen = list(games().values()) if game is None else [game if isinstance(game, Game) else find(game)]
    return [row for one in chosen for row in measure(one, players)]


def measure(game: Game, players: int | None = None) -> Iterator[Row]:
    """The measurements of `run` for one game, one by one as they are made."""
    from parlour.engine.compiled import compile

    seats = players or game.rules.PLAYERS[0]
    state = game.start(seats, game.edition(), game.options())

    def row(work: str, rate: float, unit: str = "steps/s") -> Row:
        return Row(game.name, seats, work, rate, unit)

    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as place:
        yield row("start, nothing compiled yet", _start(game, place), "s")
        yield row("start, compiled before", statistics.median(_start(game, place) for _ in range(3)), "s")
    fast, slow = compile(game), interpret(game)
    yield row("random play, compiled", _rate(_random_play(fast, state, seats)))
    yield row("random play, plain", _rate(_random_play(slow, state, seats)))
    if game.policy is not None:
        yield row("greedy play, compiled", _rate(_greedy_play(fast, state, seats)))
        yield row("greedy play, plain", _rate(_greedy_play(slow, state, seats), runs=1))
    yield row(f"random play in a batch of {LANES}, compiled", _rate(_batch(game, seats)))
    yield from (row(f"random play, {name}", rate, unit) for name, rate, unit in _compared(game, state, seats))


def start(game: Game) -> None:
    """Import, compile or load, and play the first game."""
    from parlour.engine.compiled import compile

    seats = game.rules.PLAYERS[0]
    _random_play(compile(game), game.start(seats, game.edition(), game.options()), seats)(1)


def _start(game: Game, place: str) -> float:
    """Seconds that a new process needs to its first compiled game, with the cache in `place`."""
    env = {**os.environ, cache.VARIABLE: place}
    done = subprocess.run([sys.executable, "-c", START, game.name], env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


def _rate(work: Callable[[int], int], runs: int = RUNS) -> float:
    """Steps a second: `work(n)` plays n games (or so) and returns the steps; the median of `runs` runs."""
    work(1)
    games = 1
    while True:  # as many as take long enough to be measured
        began = time.thread_time()
        work(games)
        if (spent := time.thread_time() - began) > SECONDS / 4:
            break
        games *= 2
    games = max(1, round(games * SECONDS / spent))
    rates = []
    for _ in range(runs):
        began = time.thread_time()
        steps = work(games)
        rates.append(steps / (time.thread_time() - began))
    return statistics.median(rates)


def _random_play(engine: Engine, state: Any, seats: int) -> Callable[[int], int]:
    template, states = engine.states(state, 1), engine.states(state, 1)
    rng, out = engine.integers(RNG_SIZE), engine.integers(engine.game.rules.MAX_LEGAL)
    totals = engine.integers(seats)

    def play(n: int) -> int:
        steps, _ = engine.drivers.random_games(template, states, rng, out, totals, 1, 0, n, MOST)
        return int(steps)

    return play


def _greedy_play(engine: Engine, state: Any, seats: int) -> Callable[[int], int]:
    template, buffers, rng = engine.states(state, 1), engine.buffers(state), engine.integers(RNG_SIZE)
    bots = engine.integers(seats)
    for seat in range(seats):
        bots[seat] = drivers.GREEDY

    def play(n: int) -> int:
        states, lengths = engine.states(state, n), engine.integers(n)
        totals, shares = engine.integers(n, seats), engine.reals(n, seats)
        engine.drivers.play_games(template, states, bots, rng, 1, 0, n, MOST, *buffers, totals, shares, lengths)
        return int(sum(lengths))

    return play


def _batch(game: Game, seats: int) -> Callable[[int], int]:
    from parlour.engine.batch import Batch

    batch = Batch(game, LANES, players=seats, auto_reset=True)

    def play(n: int) -> int:
        for _ in range(n):
            batch.step(batch.random_actions())
        return n * LANES

    return play


def _compared(game: Game, state: Any, seats: int) -> Iterator[tuple[str, float, str]]:
    """The same games in C++, where `benchmarks/GAME.cpp` and a compiler are at hand; their checksum must be the same.

    The two take turns, so that a machine that is slower for a while is so for both: the ratio is the number to trust.
    """
    source = COMPARED / f"{game.name}.cpp"
    if not source.is_file():
        return
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        print(f"No C++ compiler here: {game.name} is not compared with C++.", file=sys.stderr)
        return
    from parlour.engine.compiled import compile

    engine, n = compile(game), 500
    template, states = engine.states(state, 1), engine.states(state, 1)
    buffers = (engine.integers(RNG_SIZE), engine.integers(game.rules.MAX_LEGAL), engine.integers(seats))
    rates, ratios = [], []
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as place:
        program = str(Path(place) / game.name)
        flags = ["-O3", "-march=native", "-std=c++17"]
        subprocess.run([compiler, *flags, str(source), "-o", program], check=True, capture_output=True)
        for _ in range(2 * RUNS):
            began = time.thread_time()
            ours = engine.drivers.random_games(template, states, *buffers, 1, 0, n, MOST)
            spent = time.thread_time() - began
            numbers = [str(number) for number in (seats, 1, n, *flatten(state))]
            line = subprocess.run([program, *numbers], check=True, capture_output=True, text=True).stdout
            steps, check, seconds = line.split()
            if (int(steps), int(check)) != tuple(map(int, ours)):
                raise AssertionError(f"{source.name} plays other games than {game.name}'s rules do")
            rates.append(int(steps) / float(seconds))
            ratios.append(float(seconds) / spent)
    yield "C++ -O3", statistics.median(rates), "steps/s"
    yield "compiled : C++ -O3", statistics.median(ratios), "ratio"
