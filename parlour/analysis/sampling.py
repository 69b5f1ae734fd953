"""Games that are measured: a setup, who plays, and what was seen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from parlour import bots as known
from parlour.analysis.retracing import retrace
from parlour.analysis.shapes import Shape
from parlour.analysis.statistics import Numbers, Shares
from parlour.bots import outside
from parlour.bots.own import SECONDS
from parlour.bots.stepwise import Table
from parlour.core.edition import Edition, EditionLike
from parlour.core.errors import BadSetup
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.engine import simulate, survey
from parlour.engine.simulate import Progress
from parlour.games import find

Floats = NDArray[np.float64]


class Asked(TypedDict):
    """All that decides the games of a setup, as JSON has it. `game` is its name and its package."""

    game: list[str]
    edition: str
    parts: dict[str, object]
    options: dict[str, str]
    players: int
    bots: list[str]
    seed: int
    clock: float


class Games(TypedDict):
    """Games of a block: the number of the first, and how many."""

    first: int
    games: int


@dataclass(frozen=True)
class Setup:
    """A game as it is set up, the bots by seat (by name), and the seed. Game `number` of a seed has the same chance in
    every setup, as far as the setups ask for the same."""

    shape: Shape
    bots: tuple[str, ...]
    seed: int = 1
    clock: float = SECONDS

    def __post_init__(self) -> None:
        if len(self.bots) == 1:
            object.__setattr__(self, "bots", self.bots * self.shape.players)
        if len(self.bots) != self.shape.players:
            raise BadSetup(f"{len(self.bots)} bots were named for {self.shape.players} seats; name one for each.")
        for bot in self.bots:
            outside.chooser(self.shape.game, bot)
        self.shape.start()

    @classmethod
    def make(
        cls, game: str | Game, players: int | None = None, *, edition: EditionLike | None = None,
        options: Chosen | None = None, bots: str | Sequence[str] | None = None, seed: int = 1, clock: float = SECONDS,
    ) -> Setup:  # fmt: skip
        """Return a setup: the fewest players unless their number is given, the best bots that are compiled unless
        bots are named. Raises UnknownName, BadSetup."""
        found = game if isinstance(game, Game) else find(game)
        named = known.simulated(found)[:1] if bots is None else (bots,) if isinstance(bots, str) else tuple(bots)
        chosen = found.read(options)
        found.options(chosen)
        seats = found.facts.players[0] if players is None else players
        return cls(Shape(found, found.edition(edition), seats, chosen), tuple(named), seed, clock)

    @property
    def compiled(self) -> bool:
        """Whether compiled loops know all its bots."""
        return set(self.bots) <= {*known.simulated(self.shape.game)}

    @property
    def who(self) -> str:
        """The bots in words: one name where all are alike."""
        return ", ".join(self.bots if len(set(self.bots)) > 1 else self.bots[:1])

    def asked(self) -> Asked:
        """Return all that decides its games, for JSON: the `common` of its blocks."""
        shape = self.shape
        return {
            "game": [shape.game.name, shape.game.package], "edition": shape.box.name, "parts": shape.box.parts,
            "options": dict(shape.options), "players": shape.players, "bots": list(self.bots), "seed": self.seed,
            "clock": self.clock,
        }  # fmt: skip

    @staticmethod
    def of(asked: Asked) -> Setup:
        """Return the setup that `asked` describes."""
        box = Edition.of(asked["edition"], asked["parts"])
        shape = Shape(_game(*asked["game"][:2]), box, asked["players"], asked["options"])
        return Setup(shape, tuple(asked["bots"]), asked["seed"], asked["clock"])


@cache
def _game(name: str, package: str) -> Game:
    return Game(name, package)


@dataclass(frozen=True, eq=False)
class Sample:
    """What was seen in games; row g of the first four is game g, the columns are those of `parlour.engine.survey`.

    scores: (games, players) int64, in the game's points. returns: (games, players) float64, shares of the win. rows:
    (games, columns) int64. close: (games, CLOSE) float64. uses: (actions and events, USES) int64, summed over games.
    """

    scores: Numbers
    returns: Shares
    rows: Numbers
    close: Floats
    uses: Numbers

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.rows)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games ended by the rules, and were not cut short or lost by a bot's fault."""
        ended: NDArray[np.bool_] = self.rows[:, survey.ENDING] != survey.UNKNOWN
        return ended

    def to_bytes(self) -> bytes:
        """Return the sample as bytes: a line of JSON with the shapes and types of the arrays, then the arrays."""
        arrays = [np.ascontiguousarray(getattr(self, field.name)) for field in fields(self)]
        head = json.dumps([[array.dtype.str, array.shape] for array in arrays]).encode()
        return head + b"\n" + b"".join(array.tobytes() for array in arrays)

    @staticmethod
    def of(data: bytes) -> Sample:
        """Return the sample that `to_bytes` has written."""
        head, _, rest = data.partition(b"\n")
        arrays, place = [], 0
        for kind, size in json.loads(head):
            count = int(np.prod(size))
            arrays.append(np.frombuffer(rest, np.dtype(kind), count, place).reshape(size))
            place += count * np.dtype(kind).itemsize
        return Sample(*arrays)


def joined(samples: Sequence[Sample]) -> Sample:
    """Return several samples of one setup as one, their games in this order."""
    return Sample(
        np.concatenate([one.scores for one in samples]), np.concatenate([one.returns for one in samples]),
        np.concatenate([one.rows for one in samples]), np.concatenate([one.close for one in samples]),
        np.sum([one.uses for one in samples], axis=0),
    )  # fmt: skip


def play(
    setup: Setup, first: int, games: int, progress: Progress | None = None, threads: int | None = None, *,
    plain: bool = False,
) -> Sample:  # fmt: skip
    """Play games `first` to `first + games - 1` of a setup in this process.

    Compiled and on all cores if compiled loops know each bot, otherwise (and if `plain`) step by step on one. Raises
    Interrupted with a Sample of the games so far, None before the first.
    """
    game = setup.shape.game
    try:
        if setup.compiled and not plain:
            policies = [known.driver(game, name) for name in setup.bots]
            numbers, start = range(first, first + games), setup.shape.start()
            return Sample(*simulate.measure(game, start, policies, numbers, setup.seed, progress, threads))
        return _step_by_step(setup, first, games, progress)
    except simulate.Interrupted as stop:
        stop.result = Sample(*stop.result) if isinstance(stop.result, simulate.Measured) else stop.result
        raise


def _step_by_step(setup: Setup, first: int, games: int, progress: Progress | None) -> Sample:
    shape = setup.shape
    options = shape.game.options(shape.options)
    table = Table(shape.game, shape.box, options, setup.bots, setup.seed, setup.clock)
    scores: list[list[int]] = []
    returns: list[Sequence[float]] = []
    traced = []
    try:
        for number in range(games):
            played = table.play(first + number)
            scores.append(played.match.scores)
            returns.append(played.returns)
            traced.append(retrace(played.match))
            if progress is not None:
                progress(number + 1, games)
    finally:
        table.close()
    return Sample(
        np.array(scores, np.int64), np.array(returns, np.float64), np.array([one.row for one in traced], np.int64),
        np.array([one.close for one in traced], np.float64),
        np.sum([one.uses for one in traced], axis=0, dtype=np.int64),
    )  # fmt: skip


def block(common: Asked, numbers: Games) -> bytes:
    """Play one block of a setup (`parlour.analysis.blocks`): `common` is `Setup.asked`, `numbers` the first game and
    how many. Return the sample as bytes."""
    from parlour.analysis.plans import cores

    return play(Setup.of(common), numbers["first"], numbers["games"], threads=cores()).to_bytes()
