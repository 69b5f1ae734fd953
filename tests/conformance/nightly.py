"""Many random games of every game, ruleset, edition and number of players, compiled, each step looked at.

    python -m tests.conformance.nightly                       10,000 games for each; some minutes
    python -m tests.conformance.nightly fortune --games 500   one game, fewer
    python -m tests.conformance.nightly --models              instead: rules beside models, a million positions each

What is looked at is in `parlour/engine/inspection.py`: legal actions, chance, resampling, returns, buffers, the bound.
Three states of each game are also held against `tests/conformance/conserved.py`. The exit status is 1 when something
does not hold; what is printed then says how to play that game again.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from parlour.analysis.shapes import Shape, shapes
from parlour.core.rng import RNG_SIZE
from parlour.engine import compile, inspection
from parlour.engine.simulate import CHUNK, MOST, in_chunks
from tests.conformance.cases import every_game
from tests.conformance.conserved import CONSERVED
from tests.models import nightly as models


class Broken(AssertionError):
    """A game does not keep its word; the message says which and where."""


@dataclass(frozen=True)
class Inspected:
    """What was looked at: a row for each game, columns as in `inspection`."""

    rows: list[list[int]]

    @property
    def steps(self) -> int:
        """Of all games together."""
        return sum(row[inspection.STEPS] for row in self.rows)

    @property
    def longest(self) -> int:
        """The number of the game with most steps."""
        return max(range(len(self.rows)), key=lambda game: self.rows[game][inspection.STEPS])


def inspect(
    shape: Shape, games: int, seed: int = 1, threads: int | None = None,
    conserved: Callable[[Any], tuple[Any, ...]] | None = None, engine: Any = None,
) -> Inspected:  # fmt: skip
    """Play `games` random games and look at them; Broken at the first fault. `engine`: compiled unless given."""
    import numpy as np

    game, rules = shape.game, shape.game.rules
    conserved = conserved or CONSERVED[game.name]
    engine = engine or compile(game)
    start = shape.start()
    bound = rules.bound(start)
    named = [len(getattr(game.events, name, ())) for name in ("EVENTS", "ENDINGS", "COUNTS")]
    rows: Any = np.zeros((games, inspection.COLUMNS), np.int64)
    python = threading.Lock()  # what is conserved is asked in Python, which one thread at a time can do anyway

    def room() -> tuple[Any, ...]:
        def guarded(size: int) -> Any:
            buffer = engine.integers(size + inspection.GUARD)
            for i in range(len(buffer)):
                buffer[i] = inspection.UNTOUCHED
            return buffer

        work = [guarded(n) for n in (rules.MAX_LEGAL, rules.MAX_LEGAL, rules.MAX_OUTCOMES, rules.MAX_OUTCOMES)]
        seen = [guarded(rules.OBSERVATION_SIZE), guarded(rules.OBSERVATION_SIZE)]
        states = [engine.states(start, n) for n in (1, 2, CHUNK * inspection.KEPT)]
        rngs = engine.integers(RNG_SIZE), engine.integers(RNG_SIZE)
        return (*states, *rngs), (*work, *seen, engine.reals(shape.players))

    def chunk(room: tuple[Any, ...], first: int, size: int) -> int:
        states, buffers = room
        played = engine.inspection.inspect_games(
            *states, shape.players, seed, first, size, MOST, bound, *named, *buffers, rows[first : first + size]
        )
        for i in range(played):
            fault, _, steps = rows[first + i][:3]
            if fault:
                raise Broken(f"{shape}, seed {seed}, game {first + i}, step {steps}: {inspection.FAULTS[fault]}")
        with python:
            for i in range(size):
                found = [conserved(engine.plain(states[2][i * inspection.KEPT + k])) for k in range(inspection.KEPT)]
                if found != found[:1] * inspection.KEPT:
                    raise Broken(f"{shape}, seed {seed}, game {first + i}: pieces were lost or made: {found}")
        return size

    in_chunks(room, chunk, games, threads=threads)
    return Inspected(rows.tolist())


def wanted(names: list[str]) -> Iterator[Shape]:
    """Every ruleset, edition and number of players of the games named, or of all."""
    for game in every_game():
        if not names or game.name in names:
            yield from shapes(game)


def main() -> int:
    """Inspect what the command line names; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.nightly", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("game", nargs="*", choices=[[], *(game.name for game in every_game())], metavar="GAME")
    parser.add_argument("--games", type=int, default=10_000, help="random games of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", action="store_true", help="hold the rules against their models instead")
    parser.add_argument("--positions", type=int, default=1_000_000, help="of each game, with --models")
    told = parser.parse_args()
    if told.models:
        return 1 if models.main(told.game, told.positions, told.seed) else 0
    broken = 0
    for shape in wanted(told.game):
        try:
            done = inspect(shape, told.games, told.seed)
            _, decisions, steps = done.rows[done.longest][:3]
            print(
                f"{shape!s:<44} {len(done.rows):>7,} games {done.steps:>13,} steps; "
                f"the longest, number {done.longest:,}: {decisions:,} decisions, {steps:,} steps",
                flush=True,
            )
        except Broken as error:
            broken += 1
            print(f"BROKEN {error}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
