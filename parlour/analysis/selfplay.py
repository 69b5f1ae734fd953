"""Games of searches against each other, each with a network or without: to learn from, and to see which is better.

A block plays some games, and is a pure function (`parlour.analysis.blocks`). Each decision is a search from the
position of that moment, with an empty tree; a seat's search deals again what the seat cannot know. With no simulations,
nothing is searched (`parlour.analysis.unsearched`).
"""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from parlour import bots
from parlour.analysis.plans import Given, Plan
from parlour.bots.search import Tree, settings
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import GameState
from parlour.engine import search, weights
from parlour.engine.compiled import CompiledEngine, compile
from parlour.engine.weights import Weights

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Features = npt.NDArray[np.int16] | npt.NDArray[np.int32]

HERE = __name__
UNSEARCHED = "parlour.analysis.unsearched"
LONGEST = 4_000  # decisions of a game; then all share the win
SEARCHES = 1 << 32  # the streams of chance of searches begin here, those of games at 0


class Side(msgspec.Struct, frozen=True):
    """How a side decides: its simulations for each decision, and its network's file (base64), "" for the outlook.

    With 0 simulations it looks one decision ahead, and is `greedy` without a network (`random` without a policy).
    """

    simulations: int
    net: str = ""

    @classmethod
    def of(cls, simulations: int, net: Weights | None) -> Side:
        """Return a side with a network or without."""
        return cls(simulations, "" if net is None else base64.b64encode(net.written()).decode("ascii"))

    def weights(self, game: Game) -> Weights | None:
        """Return the network, if there is one."""
        return weights.read(base64.b64decode(self.net), game) if self.net else None


class Series(msgspec.Struct, frozen=True):
    """Games to play. Game g has the seed's draws number g // rounds, with rounds = players for two sides (so each side
    has each seat once), or 1; and one of the editions, in turn.

    With one side all seats are the same. With two, the first has one seat, and the second has the others. A decision
    is drawn by the visits with the chance `drawn`, and among all that are legal with the chance `random`; else the
    most visited is made. Positions are kept with `keep`. `trace`: how much more a position learns from far later ones
    than from the next, without a search.
    """

    game: tuple[str, str]  # name and package
    players: int
    editions: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: int
    sides: tuple[Side, ...]
    drawn: float = 0.0
    random: float = 0.0
    keep: bool = False
    trace: float = 0.0

    def plan(self, games: int, size: int) -> Plan:
        """Return the plan that plays this number of games, or the next that is whole rounds of seats, in blocks of
        `size` rounds."""
        per, whole = size * self.rounds, -(-games // self.rounds) * self.rounds
        blocks = [{"first": at, "games": min(per, whole - at)} for at in range(0, whole, per)]
        module = HERE if any(side.simulations for side in self.sides) else UNSEARCHED
        return Plan(f"{module}:block", msgspec.to_builtins(self), blocks, (self.game[0],))

    @property
    def rounds(self) -> int:
        """The number of games with the same draws."""
        return self.players if len(self.sides) > 1 else 1

    def start(self, game: Game, draw: int) -> GameState:
        """Return the state in which the games with these draws begin."""
        edition = game.named(self.editions[draw % len(self.editions)])
        started: GameState = game.start(self.players, edition, game.options(dict(self.options)))
        return started


@dataclass(frozen=True, eq=False)
class Games:
    """What was played: by game, the `shares` of the win (games, seats) and the seat of the first side (`first`); the
    processor's seconds that each side searched, and its simulations. Of the positions that were kept: the `features`
    of each, as the player to move sees it (n, most; the rest is -1), that `player`, the `outlooks` of the policy, the
    `values` of the search, by seat (n, seats each), and the `game`, by its place in `shares`."""

    shares: Floats
    first: Ints
    seconds: Floats
    simulations: Ints
    features: Features
    player: Ints
    outlooks: Floats
    values: Floats
    game: Ints

    def written(self) -> bytes:
        """Return all of it as bytes."""
        file = io.BytesIO()
        np.savez_compressed(file, **{name: getattr(self, name) for name in self.__dataclass_fields__})
        return file.getvalue()

    @classmethod
    def read(cls, data: bytes) -> Games:
        """Return what `written` wrote."""
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return cls(**{name: file[name] for name in cls.__dataclass_fields__})


def block(common: Given, given: Given) -> bytes:
    """Play some games of a series."""
    series = msgspec.convert(common, Series)
    where = msgspec.convert(given, dict[str, int])
    return _Table(series).play(range(where["first"], where["first"] + where["games"])).written()


def untimed(result: bytes) -> bytes:
    """Return a result without its times."""
    found = Games.read(result)
    found.seconds[:] = 0.0
    return found.written()


@cache
def loaded(name: str, package: str) -> tuple[Game, CompiledEngine]:
    """Return a game and its compiled engine."""
    game = Game(name, package)
    return game, compile(game)


class _Position(NamedTuple):
    """A position that is kept: a packed state (1), the player to move, what the search says of it, and its game."""

    state: npt.NDArray[np.void]
    player: int
    value: tuple[float, ...]
    game: int = 0


class _Table:
    """Plays the games of a series, one after the other."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.game, self.engine = loaded(*series.game)
        self.nets = [side.weights(self.game) for side in series.sides]
        engine, rules = self.engine, self.game.rules
        start = series.start(self.game, 0)
        self.states = engine.states(start, 1)
        self.out, self.one = engine.integers(rules.MAX_LEGAL), engine.integers(1)
        self.rng = engine.integers(RNG_SIZE)
        self.trees = [Tree.make(self.game, engine, start, series.players, net) for net in self.nets]
        plan = bots.plan(self.game, "expert")
        self.settings = [settings(plan, self.game, tree) for tree in self.trees]
        self.seconds, self.simulations = np.zeros(len(self.trees)), np.zeros(len(self.trees), np.int64)

    def play(self, numbers: range) -> Games:
        """Play the games of these numbers."""
        series, seats = self.series, self.series.players
        shares, firsts = np.zeros((len(numbers), seats)), np.zeros(len(numbers), np.int64)
        kept: list[_Position] = []
        for place, number in enumerate(numbers):
            firsts[place] = number % series.rounds
            positions = self._game(number, int(firsts[place]), shares[place])
            kept += [one._replace(game=place) for one in positions]
        features, outlooks = self._gathered(kept)
        return Games(
            shares, firsts, self.seconds, self.simulations, features, np.array([one.player for one in kept], np.int64),
            outlooks, np.array([one.value for one in kept], np.float64).reshape(-1, seats),
            np.array([one.game for one in kept], np.int64),
        )  # fmt: skip

    def _game(self, number: int, first: int, share: Floats) -> list[_Position]:
        """Play a game; write each seat's share of the win, and return the positions to keep."""
        series, drivers, states, out = self.series, self.engine.drivers, self.states, self.out
        draw, chance = number // series.rounds, Random(f"{series.seed}/{number}")
        states[0] = self.engine.states(series.start(self.game, draw), 1)[0]
        seed_rng(self.rng, series.seed, draw)
        for side, tree in enumerate(self.trees):
            seed_rng(tree.rng, series.seed, SEARCHES + number * len(self.trees) + side)
        kept: list[_Position] = []
        decisions = 0
        player, count = drivers.look(states, out)
        while player != TERMINAL and decisions < LONGEST:
            if player == CHANCE:
                drivers.sample_many(states, self.rng, self.one)
                action = int(self.one[0])
            elif count == 1:
                action = int(out[0])
            else:
                decisions += 1
                legal = [int(action) for action in out[:count]]
                side = min(len(self.trees) - 1, int(player != first))
                visits, value = self._searched(side, player, legal)
                if series.keep:
                    kept.append(_Position(states.copy(), player, value))
                action = _chosen(legal, visits, chance, series)
            player, count = drivers.advance(states, action, out)
        if player == TERMINAL:
            drivers.results(states, 0, self.engine.integers(series.players), share)
        else:
            share[:] = 1.0 / series.players
        return kept

    def _searched(self, side: int, player: int, legal: Sequence[int]) -> tuple[list[int], tuple[float, ...]]:
        """Search the position for a seat; return how often each legal decision was tried, and each seat's share."""
        tree, simulations = self.trees[side], self.series.sides[side].simulations
        tree.states[0] = self.states[0]
        for seat in range(self.series.players):
            tree.sums[seat] = 0.0
        given = tree.states, tree.rng, tree.arrays, tree.desk, tree.buffers, *self.settings[side]
        tree.clear()
        self.engine.search.run(player, 0, *given)  # compiles, or finds machine code in the cache, off the clock
        begun = time.thread_time()
        self.engine.search.run(player, simulations, *given)
        self.seconds[side] += time.thread_time() - begun
        self.simulations[side] += simulations
        nodes, children = tree.arrays[0], tree.children()
        visits = [
            int(nodes[children[key]][search.VISITS]) if (key := action * search.SEATS + player) in children else 0
            for action in legal
        ]
        whole = sum(map(float, tree.sums))
        return visits, tuple(float(one) / whole for one in tree.sums)

    def _gathered(self, kept: Sequence[_Position]) -> tuple[npt.NDArray[np.int32], Floats]:
        """Return the features of positions and the policy's outlooks, by seat."""
        n, seats, layout = len(kept), self.series.players, weights.layout(self.game)
        outlooks = np.zeros((n, seats))
        if not n:
            return np.zeros((0, 0), np.int32), outlooks
        zero = weights.nothing(self.game, seats, base=False)
        table, counts = np.full((n, layout.most), -1, np.int64), np.zeros(n, np.int64)
        states = np.concatenate([one.state for one in kept])
        players = np.array([one.player for one in kept], np.int64)
        self.engine.nets.gather(states, players, self.engine.net(zero), table, counts, outlooks)
        return table[:, : counts.max()].astype(np.int32), outlooks


def _chosen(legal: Sequence[int], visits: Sequence[int], chance: Random, series: Series) -> int:
    """Return a decision: the most visited, or sometimes one that is drawn."""
    mark = chance.random()
    if mark < series.random:
        return chance.choice(legal)
    if mark < series.random + series.drawn and any(visits):
        return chance.choices(legal, visits)[0]
    return legal[visits.index(max(visits))]
