"""Measure how fast this machine plays: the median of several runs of each kind of work.

Work runs on one core. Seconds are processor time, so that other load disturbs the result little.
Only start-up is measured in the time that a person waits.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from parlour.core.edition import EditionLike
from parlour.core.game import Game
from parlour.core.mechanics import Mechanics
from parlour.core.rng import RNG_SIZE
from parlour.core.state import State
from parlour.core.struct import flatten
from parlour.engine import cache, drivers
from parlour.engine.interpreted import Engine, interpret
from parlour.engine.work import Games, Results
from parlour.games import all_games, find

RUNS = 5
SECONDS = 0.3  # that one run should take
TURNS = 20  # of each number of threads, in a run that compares them
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


FLAGS = (("-O3",), ("-O3", "-march=native"))  # we compare with the faster of the two

Work = Callable[[int], int]  # does this number of pieces, returns the number of steps


class Rate(NamedTuple):
    """The median, the lowest and the highest of several runs."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: list[float]) -> Rate:
        return cls(statistics.median(values), min(values), max(values))


class Row(NamedTuple):
    """One measurement: `rate` in `unit`, the median of several runs, with the extremes."""

    game: str
    players: int
    work: str
    rate: float
    unit: str
    low: float
    high: float


def run(game: str | Game | None = None, players: int | None = None) -> list[Row]:
    """Measure one game, or all of them. A step is one decision with the chance after it.

    Takes about 20 s per game. Raises UnknownName, BadSetup.
    """
    chosen = list(all_games().values()) if game is None else [game if isinstance(game, Game) else find(game)]
    return [row for one in chosen for row in measure(one, players)]


def measure(game: Game, players: int | None = None, edition: EditionLike | None = None) -> Iterator[Row]:
    """Yield the measurements of `run` for one game as they are made; those beside C++ are of the first edition only."""
    from parlour.engine.compiled import compile

    seats = players or game.facts.players[0]
    box = game.edition(edition)
    state = game.start(seats, box, game.options())

    def row(work: str, rate: Rate, unit: str = "steps/s") -> Row:
        return Row(game.name, seats, work, rate.median, unit, rate.low, rate.high)

    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as place:
        yield row("start, nothing compiled yet", Rate.of([_start(game, place)]), "s")
        yield row("start, compiled before", Rate.of([_start(game, place) for _ in range(RUNS)]), "s")
    fast, slow = compile(game), interpret(game)
    yield row("random play, compiled", measured(random_play(fast, state, seats)))
    yield row("random play, plain", measured(random_play(slow, state, seats)))
    if game.policy is not None:
        yield row("greedy play, compiled", measured(_greedy_play(fast, state, seats)))
        yield row("greedy play, plain", measured(_greedy_play(slow, state, seats), runs=1))
    yield row("one position, compiled", measured(one_position(game, seats, compiled=True, edition=box)))
    yield row("one position, plain", measured(one_position(game, seats, compiled=False, edition=box)))
    yield row(f"batch of {LANES}, random steps", measured(batch(game, seats, edition=box)))
    yield row(f"batch of {LANES}, actions chosen and checked", measured(batch(game, seats, fused=False, edition=box)))
    seen = f"batch of {LANES}, random steps, observed and masked"
    yield row(seen, measured(seen_batch(game, seats, edition=box)))
    if (os.cpu_count() or 1) > 1:
        yield row(f"{seen}, two threads : one", shared(game, seats, edition=box), "ratio")
    if edition is None:
        yield from (row(f"random play, {name}", rate, unit) for name, rate, unit in _compared(game, state, seats))


def start(game: Game) -> None:
    """Import, compile or load, and play the first game."""
    from parlour.engine.compiled import compile

    seats = game.facts.players[0]
    random_play(compile(game), game.start(seats, game.edition(), game.options()), seats)(1)


def _start(game: Game, place: str) -> float:
    """Return the seconds that a new process needs to its first compiled game.

    Its cache is in `place`.
    """
    from parlour.engine.compiled import require_compiler

    require_compiler()
    env = {**os.environ, cache.VARIABLE: place}
    done = subprocess.run([sys.executable, "-c", START, game.name], env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


def measured(work: Work, runs: int = RUNS, seconds: float = SECONDS) -> Rate:
    """Return steps per second of `work`, in `runs` runs of about `seconds` each."""
    pieces = enough(work, seconds)
    return Rate.of([once(work, pieces) for _ in range(runs)])


def enough(work: Work, seconds: float = SECONDS) -> int:
    """Return how many pieces of `work` take about `seconds`, at least one; also warms them up."""
    work(1)
    pieces = 1
    while True:
        began = time.thread_time()
        work(pieces)
        if (spent := time.thread_time() - began) > seconds / 4:
            return max(1, round(pieces * seconds / spent))
        pieces *= 2


def once(work: Work, pieces: int) -> float:
    """Return steps per second of processor time, measured once."""
    began = time.thread_time()
    steps = work(pieces)
    return steps / (time.thread_time() - began)


def random_play(engine: Engine, state: Any, seats: int) -> Work:
    """Return work that plays whole random games, one after the other."""
    template, states = engine.states(state, 1), engine.states(state, 1)
    rng, out = engine.integers(RNG_SIZE), engine.integers(engine.game.rules.MAX_LEGAL)
    totals = engine.integers(seats)

    def play(n: int) -> int:
        steps, _ = engine.drivers.random_games(template, states, rng, out, totals, Games(1, 0, n, MOST))
        return int(steps)

    return play


def _greedy_play(engine: Engine, state: Any, seats: int) -> Work:
    template, buffers, rng = engine.states(state, 1), engine.buffers(state), engine.integers(RNG_SIZE)
    bots = engine.integers(seats)
    for seat in range(seats):
        bots[seat] = drivers.GREEDY

    def play(n: int) -> int:
        states, lengths = engine.states(state, n), engine.integers(n)
        totals, shares = engine.integers(n, seats), engine.reals(n, seats)
        engine.drivers.play_games(
            template, states, bots, rng, Games(1, 0, n, MOST), buffers, Results(totals, shares, lengths)
        )
        return int(sum(lengths))

    return play


def one_position(game: Game, seats: int, compiled: bool, edition: EditionLike | None = None) -> Work:
    """Return work that plays whole random games in a `State`, from Python; a step is an action, chance included."""
    mechanics: type[Mechanics] = Mechanics
    if compiled:
        from parlour.engine.single import CompiledMechanics

        mechanics = CompiledMechanics
    first, draw = State(mechanics(game, seats, edition, None)), random.Random(1).random

    def play(n: int) -> int:
        steps = 0
        for _ in range(n):
            state = first.clone()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                steps += 1
        return steps

    return play


def batch(game: Game, seats: int, fused: bool = True, edition: EditionLike | None = None) -> Work:
    """Return work that makes random steps of LANES games side by side, each called from Python.

    `fused` chooses and makes each action in one call; otherwise the actions are chosen, checked and
    made separately.
    """
    from parlour.engine.batch import Batch

    lanes = Batch(game, LANES, players=seats, edition=edition, auto_reset=True)

    def play(n: int) -> int:
        for _ in range(n):
            if fused:
                lanes.random_step()
            else:
                lanes.step(lanes.random_actions())
        return n * LANES

    return play


def seen_batch(
    game: Game, seats: int, lanes: int = LANES, threads: int = 1, edition: EditionLike | None = None
) -> Work:
    """Return work that makes random steps of `lanes` games, each of which writes what the seat to decide sees and may
    do into arrays that it keeps: int32 numbers and int8 masks."""
    import numpy as np

    from parlour.engine.batch import Batch

    batch = Batch(game, lanes, players=seats, edition=edition, auto_reset=True, threads=threads)
    batch.write_to(
        observations=np.zeros((lanes, game.rules.OBSERVATION_SIZE), np.int32),
        legal_mask=np.zeros((lanes, game.rules.N_ACTIONS), np.int8),
    )

    def play(n: int) -> int:
        for _ in range(n):
            batch.random_step()
        return n * lanes

    return play


def shared(game: Game, seats: int, turns: int = TURNS, edition: EditionLike | None = None) -> Rate:
    """Return how many times as much two threads do as one, of `seen_batch`, in real time.

    They take short turns, and each is as fast as its best turns were, as other programs may want the second core.
    """
    works = [seen_batch(game, seats, threads=threads, edition=edition) for threads in (1, 2)]
    pieces = enough(works[0], SECONDS / 10)
    found: list[float] = []
    for _ in range(RUNS):
        best = [0.0, 0.0]
        for _ in range(turns):
            for which, work in enumerate(works):
                began = time.perf_counter()
                steps = work(pieces)
                best[which] = max(best[which], steps / (time.perf_counter() - began))
        found.append(best[1] / best[0])
    return Rate.of(found)


def _compared(game: Game, state: Any, seats: int) -> Iterator[tuple[str, Rate, str]]:
    """Play the same games in C++, if `benchmarks/GAME.cpp` and a compiler exist.

    The checksums must agree. The two programs take turns, so that a slow phase of the machine
    affects both: trust the ratio.
    """
    source = COMPARED / f"{game.name}.cpp"
    if not source.is_file():
        return
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        print(f"No C++ compiler here: {game.name} is not compared with C++.", file=sys.stderr)
        return
    from parlour.engine.compiled import compile

    engine, n = compile(game), 2000
    template, states = engine.states(state, 1), engine.states(state, 1)
    buffers = (engine.integers(RNG_SIZE), engine.integers(game.rules.MAX_LEGAL), engine.integers(seats))
    numbers = [str(number) for number in (seats, 1, n, *flatten(state))]
    found: dict[str, tuple[list[float], list[float]]] = {}
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as place:
        for flags in FLAGS:
            program = str(Path(place) / f"{game.name}{''.join(flags)}")
            made = [compiler, *flags, "-std=c++17", str(source), "-o", program]
            subprocess.run(made, check=True, capture_output=True)
            rates, ratios = found[" ".join(("C++", *flags))] = ([], [])
            for _ in range(RUNS):
                began = time.thread_time()
                ours = engine.drivers.random_games(template, states, *buffers, Games(1, 0, n, MOST))
                spent = time.thread_time() - began
                line = subprocess.run([program, *numbers], check=True, capture_output=True, text=True).stdout
                steps, check, seconds = line.split()
                if (int(steps), int(check)) != tuple(map(int, ours)):
                    raise AssertionError(f"{source.name} plays other games than {game.name}'s rules do")
                rates.append(int(steps) / float(seconds))
                ratios.append(float(seconds) / spent)
    name, (rates, ratios) = max(found.items(), key=lambda item: statistics.median(item[1][0]))
    yield name, Rate.of(rates), "steps/s"
    yield f"compiled : {name}", Rate.of(ratios), "ratio"
