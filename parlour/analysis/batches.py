"""Simulations and statistics in blocks of games: in a file that continues, and on the machines of a cluster.

`parlour.simulate` and `parlour.analysis.statistics.gather` play the same games on this machine at once; what they
return is the same. Only the intervals of uses may differ, as the games of each block are counted in parts of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from parlour import bots as known
from parlour.analysis import statistics
from parlour.analysis.blocks import Notice, Plan, Status, Where, cores, cut, run
from parlour.analysis.shapes import Shape
from parlour.analysis.statistics import Statistics, Watched
from parlour.bots import outside, simulation, solved
from parlour.bots.own import SECONDS
from parlour.core.edition import Edition
from parlour.core.errors import BadSetup, whole
from parlour.engine.simulate import Interrupted, Simulation
from parlour.games import find

COMPILED, STEPWISE = 5_000, 5  # games of a block, where loops are compiled and where they are not
HERE = __name__

Arrays: TypeAlias = list[NDArray[Any]]  # each of its own type
Told: TypeAlias = Callable[[int, int, str], object]  # games so far, games in all, and which worker does how much


class Common(msgspec.Struct, frozen=True):
    """What the blocks of a batch have in common."""

    game: str
    edition: str
    parts: dict[str, object]
    players: int
    options: dict[str, str]
    bots: tuple[str, ...]
    seed: int
    clock: float
    base: str = ""  # of an edition of your own; it changes no game, but is shown with what is read from a file

    @property
    def box(self) -> Edition:
        return Edition.of(self.edition, self.parts)

    @property
    def shape(self) -> Shape:
        return Shape(find(self.game), self.box, self.players, self.options)


class Part(msgspec.Struct, frozen=True):
    """The games of a block."""

    first: int
    games: int

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.games)


@dataclass(frozen=True)
class Batch:
    """Games between bots that are set up in one way. `bots`: one for each seat, or one for all, each by a name that
    other machines know too; `clock`: seconds for a decision of those of your own.

    Raises when made: BadSetup (a bot that is an object), UnknownName, and what `Shape.start` raises.
    """

    shape: Shape
    bots: tuple[str, ...]
    seed: int = 1
    clock: float = SECONDS

    def __post_init__(self) -> None:
        if find(self.shape.game.name) != self.shape.game:
            raise BadSetup(f"Other processes find another {self.shape.game.name} than this one.")
        for bot in outside.seated(self.bots, self.shape.players):
            outside.chooser(self.shape.game, bot)
        self.shape.start()

    @property
    def name(self) -> str:
        """A name for its file: of the shape and the bots."""
        who = dict.fromkeys(self.bots) if len(set(self.bots)) == 1 else self.bots
        return re.sub(r"[^\w=.-]+", "-", f"{self.shape} {' '.join(who)}")

    @property
    def compiled(self) -> bool:
        """Whether compiled loops know each bot. Only then a game is the same on each machine: others have a clock."""
        game = self.shape.game
        return set(self.bots) <= {*known.simulated(game), *solved.names(game)}

    def plan(self, work: str, games: int, size: int) -> Plan:
        """Return the plan to play these games with a function of this module, `size` in a block (0: as is usual)."""
        if whole(games, "The number of games") < 1:
            raise BadSetup("At least one game is needed.")
        if whole(size, "The size of a block") < 0:
            raise BadSetup(f"A block has at least one game, not {size}.")
        shape, seated = self.shape, outside.seated(self.bots, self.shape.players)
        game = shape.game
        common = Common(
            game.name, shape.box.name, shape.box.parts, shape.players, game.options(shape.options),
            tuple(map(outside.label, seated)), self.seed, self.clock, shape.box.base,
        )  # fmt: skip
        blocks = cut(games, size or (COMPILED if self.compiled else STEPWISE))
        return Plan(f"{HERE}:{work}", msgspec.to_builtins(common), blocks, (game.name,))


@dataclass(frozen=True)
class Spread:
    """How the games of a batch are spread: where, kept in which file, `size` games in a block, and which share of the
    blocks is audited. `notice` and `told` receive what happens."""

    where: Where
    file: Path | None = None
    size: int = 0
    audit: float = 0.0
    notice: Notice | None = None
    told: Told | None = None


# What workers do -----------------------------------------------------------------------------------
def simulated(common: Mapping[str, object], block: Mapping[str, object]) -> bytes:
    """Play the games of a block. Return their arrays, as `parlour.engine.simulate.Simulation` has them."""
    given, part = msgspec.convert(common, Common), msgspec.convert(block, Part)
    found = simulation.simulate(
        find(given.game), given.players, bots=given.bots, games=part.numbers, seed=given.seed,
        edition=given.box, options=given.options, threads=cores(), clock=given.clock,
    )  # fmt: skip
    turns = [] if found.turns is None else [found.turns]
    return packed([found.scores, found.returns, found.lengths, found.finished, *turns], found.faults)


def watched(common: Mapping[str, object], block: Mapping[str, object]) -> bytes:
    """Play the games of a block. Return how they went, as `parlour.analysis.statistics.Watched` has it."""
    given, part = msgspec.convert(common, Common), msgspec.convert(block, Part)
    found = statistics.watch(given.shape, given.bots, part.numbers, given.seed, threads=cores(), clock=given.clock)
    return packed([found.scores, found.returns, found.rows], found.faults)


def watched_closely(common: Mapping[str, object], block: Mapping[str, object]) -> bytes:
    """Do as `watched` does, and return the uses in each part of the games as the last array."""
    given, part = msgspec.convert(common, Common), msgspec.convert(block, Part)
    shape, bots, numbers = given.shape, given.bots, part.numbers
    found = statistics.watch(shape, bots, numbers, given.seed, threads=cores(), clock=given.clock, closely=True)
    assert found.uses is not None, "they were asked for"
    return packed([found.scores, found.returns, found.rows, found.uses], found.faults)


# What is made of it --------------------------------------------------------------------------------
def simulate(batch: Batch, games: int, spread: Spread) -> Simulation:
    """Play games in blocks; return what `parlour.simulate` returns for them. Raises what `blocks.run` raises; on
    Ctrl-C, `Interrupted` with the Simulation of the first blocks."""
    shape = batch.shape
    plan = batch.plan("simulated", games, spread.size)
    names = tuple(map(outside.label, outside.seated(batch.bots, shape.players)))

    def made(results: Sequence[bytes]) -> Simulation:
        (scores, returns, lengths, finished, *turns), faults = joined(results)
        found = msgspec.convert(faults, tuple[tuple[int, int, str], ...])
        return Simulation(
            shape.game.name, shape.box.name, shape.game.options(shape.options), names, batch.seed, scores, returns,
            lengths, turns[0] if turns else None, finished, found,
        )  # fmt: skip

    return _played(plan, games, spread, made, batch.compiled)


def gather(batch: Batch, games: int, spread: Spread, *, closely: bool = False) -> Statistics:
    """Play games in blocks; return what `statistics.gather` returns for them. Raises what `simulate` raises."""
    plan = batch.plan("watched_closely" if closely else "watched", games, spread.size)
    names = tuple(map(outside.label, outside.seated(batch.bots, batch.shape.players)))

    def made(results: Sequence[bytes]) -> Statistics:
        (scores, returns, rows, *uses), faults = joined(results)
        seen = Watched(scores, returns, rows, tuple(map(str, faults)), uses[0] if uses else None)
        return statistics.count(batch.shape, names, batch.seed, seen)

    return _played(plan, games, spread, made, batch.compiled)


R = TypeVar("R")


def _played(plan: Plan, games: int, spread: Spread, made: Callable[[Sequence[bytes]], R], pure: bool) -> R:
    if spread.audit and not pure:
        raise BadSetup("An audit needs bots that decide the same on every machine; these have a clock.")

    def tell(status: Status) -> None:
        if spread.told is not None:
            spread.told(round(games * status.done / status.total), games, status.words)

    results: dict[int, bytes] = {}
    try:
        for number, data in run(
            plan, spread.where, spread.file, audit=spread.audit, progress=tell, notice=spread.notice
        ):
            results[number] = data
    except KeyboardInterrupt:
        whole = next((number for number in range(len(plan.blocks)) if number not in results), len(plan.blocks))
        first = [results[number] for number in range(whole)]
        played = sum(int(str(block["games"])) for block in plan.blocks[:whole])
        raise Interrupted(played, made(first) if first else None) from None
    return made([results[number] for number in range(len(plan.blocks))])


class Header(msgspec.Struct):
    """The first line of a result: the type and shape of each array, and what is not an array."""

    arrays: list[tuple[str, tuple[int, ...]]]
    notes: list[object]


def packed(arrays: Arrays, notes: Iterable[object] = ()) -> bytes:
    """Return arrays as bytes: a line of JSON, then their values in the order of bytes that is usual (little-endian)."""
    little = [array.astype(array.dtype.newbyteorder("<"), copy=False) for array in arrays]
    header = Header([(array.dtype.str, array.shape) for array in little], list(notes))
    return msgspec.json.encode(header) + b"\n" + b"".join(array.tobytes() for array in little)


def unpacked(data: bytes) -> tuple[Arrays, list[object]]:
    """Return what was packed; the arrays can be read only. Raises ValueError for other bytes."""
    line, _, values = data.partition(b"\n")
    header = msgspec.json.decode(line, type=Header)
    arrays, at = [], 0
    for kind, shape in header.arrays:
        array = np.frombuffer(values, kind, math.prod(shape), at).reshape(shape)
        arrays.append(array)
        at += array.nbytes
    return arrays, header.notes


def joined(results: Sequence[bytes]) -> tuple[Arrays, list[object]]:
    """Return the arrays of several blocks, put together in this order."""
    parts = [unpacked(data) for data in results]
    columns = zip(*(arrays for arrays, _ in parts), strict=True)
    return [np.concatenate(column) for column in columns], [note for _, notes in parts for note in notes]
