"""Many random games of one shape, plain or compiled, with every step inspected
(`parlour.engine.inspection`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from parlour.analysis.shapes import Shape
from parlour.conformance.faults import Fault
from parlour.core.contract import Buffer
from parlour.core.loading import explained
from parlour.core.rng import RNG_SIZE
from parlour.core.struct import GameState, flatten
from parlour.engine import compile, guarded, inspection, interpret
from parlour.engine.interpreted import Engine
from parlour.engine.simulate import CHUNK, MOST, in_chunks
from parlour.engine.work import Desk, Games, Limits

ENDS = 2  # less than CHUNK
ERRORS = (ArithmeticError, LookupError, ValueError)  # errors that compiled rules may raise


States = Sequence[GameState]
Workspace = tuple[tuple[States, States, States], tuple[Buffer, Buffer], Desk]


@dataclass(frozen=True)
class Inspected:
    """The games inspected: a row for each, with the columns of `inspection`."""

    rows: list[list[int]]
    ends: list[list[int]]  # for each of the first ENDS games, all numbers of its last state

    @property
    def steps(self) -> int:
        """The steps of all games together."""
        return sum(row[inspection.STEPS] for row in self.rows)

    @property
    def longest(self) -> int:
        """The number of the game with the most steps."""
        return max(range(len(self.rows)), key=lambda game: self.rows[game][inspection.STEPS])


def inspect(
    shape: Shape, games: int, seed: int = 1, threads: int | None = None,
    conserved: Callable[[GameState], tuple[object, ...]] | None = None, engine: Engine | None = None,
) -> Inspected:  # fmt: skip
    """Play `games` random games and inspect them. `engine` is the compiled one unless given.

    Raises Fault at the first game with a fault, or in which the value of `conserved` changes.
    """
    import numpy as np

    game, rules = shape.game, shape.game.rules
    engine = engine or compile(game)
    start = shape.start()
    named = [len(getattr(game.events, name, ())) for name in ("EVENTS", "ENDINGS", "COUNTS")]
    limits = Limits(shape.players, rules.bound(start), *named)
    ends: list[list[int]] = []
    rows = np.zeros((games, inspection.COLUMNS), np.int64)
    python = threading.Lock()  # `conserved` is Python, which only one thread at a time can run anyway

    def workspace() -> Workspace:
        def buffer(size: int) -> Buffer:
            made: Buffer = engine.integers(size + inspection.GUARD)
            for i in range(len(made)):
                made[i] = inspection.UNTOUCHED
            return made

        work = [buffer(n) for n in (rules.MAX_LEGAL, rules.MAX_LEGAL, rules.MAX_OUTCOMES, rules.MAX_OUTCOMES)]
        seen = [buffer(rules.OBSERVATION_SIZE), buffer(rules.OBSERVATION_SIZE)]
        first, playing, kept = (engine.states(start, n) for n in (1, 2, CHUNK * inspection.KEPT))
        rngs = engine.integers(RNG_SIZE), engine.integers(RNG_SIZE)
        desk = Desk._make((*work, *seen, engine.reals(shape.players)))
        return (first, playing, kept), rngs, desk

    def chunk(workspace: Workspace, first: int, size: int) -> int:
        states, rngs, desk = workspace
        try:
            games = Games(seed, first, size, MOST)
            played = engine.inspection.inspect_games(states, rngs, games, limits, desk, rows[first : first + size])
        except ERRORS as error:
            under_way = first + max((i for i in range(size) if rows[first + i].any()), default=0)
            raise Fault(f"{shape}, seed {seed}, game {under_way}: {_why(error, shape, seed, under_way)}") from error
        for i in range(played):
            fault, _, steps = rows[first + i][:3]
            if fault:
                raise Fault(f"{shape}, seed {seed}, game {first + i}, step {steps}: {guarded.said(game, fault)}")
        for i in range(min(size, ENDS - first)):
            ends.append(flatten(engine.plain(states[2][i * inspection.KEPT + inspection.KEPT - 1])))
        if conserved is None:
            return size
        with python:
            for i in range(size):
                found = [conserved(engine.plain(states[2][i * inspection.KEPT + k])) for k in range(inspection.KEPT)]
                if found != found[:1] * inspection.KEPT:
                    raise Fault(f"{shape}, seed {seed}, game {first + i}: pieces were lost or added: {found}")
        return size

    in_chunks(workspace, chunk, games, threads=threads)
    return Inspected(rows.tolist(), ends)


def _why(error: Exception, shape: Shape, seed: int, number: int) -> str:
    """Return a sentence about an error in a game. Compiled code does not say in which line, so play
    the game again in plain Python."""
    game = shape.game
    try:
        guarded.inspect(interpret(game), shape.start(), shape.players, seed, number, MOST)
    except guarded.Unplayable as found:
        return found.why
    return explained(error, f"{game.place('rules.py')}, compiled", game)
