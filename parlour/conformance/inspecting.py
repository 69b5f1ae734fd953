"""Many random games of one shape, plain or compiled, each step looked at (`parlour.engine.inspection`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parlour.analysis.shapes import Shape
from parlour.conformance.faults import Fault
from parlour.core.rng import RNG_SIZE
from parlour.engine import compile, inspection
from parlour.engine.simulate import CHUNK, MOST, in_chunks


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
    """Play `games` random games and look at them; Fault at the first that is wrong, or in which what `conserved` tells
    of a state changes. `engine`: compiled unless given."""
    import numpy as np

    game, rules = shape.game, shape.game.rules
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
                raise Fault(f"{shape}, seed {seed}, game {first + i}, step {steps}: {inspection.FAULTS[fault]}")
        if conserved is None:
            return size
        with python:
            for i in range(size):
                found = [conserved(engine.plain(states[2][i * inspection.KEPT + k])) for k in range(inspection.KEPT)]
                if found != found[:1] * inspection.KEPT:
                    raise Fault(f"{shape}, seed {seed}, game {first + i}: pieces were lost or made: {found}")
        return size

    in_chunks(room, chunk, games, threads=threads)
    return Inspected(rows.tolist())
