"""The engine in plain Python, and everything that both engines share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from parlour.core.game import Game
from parlour.core.struct import copiers, copy
from parlour.engine import (
    drivers,
    inspection,
    lanes,
    learned,
    luck,
    net,
    no_events,
    no_policy,
    no_shortcuts,
    probing,
    search,
    solved,
    survey,
)  # fmt: skip
from parlour.engine.link import Linker
from parlour.engine.weights import Weights, layout
from parlour.engine.work import Buffers, Close, Luck, Net

M = ModuleType
Bound = tuple[M, M, M, M, M, M, M, M, M, M, M, M, M | None]
# Python calls these; the first is bound before the others.
LOOPS = (drivers, net, lanes, survey, inspection, search, solved, probing, luck, learned)


@dataclass(frozen=True)
class Engine:
    """A game's functions and the loops over them, bound together; also makes states and buffers.

    `rules`, `policy`, `drivers`, `nets`, `lanes`, `survey`, `inspection`, `search`, `solved`, `probing`,
    `luck`, `learned` and `solver` (None if the game has none) have the names of their source modules. Plain: a
    state is a `State`, buffers are lists. Compiled: states are packed, buffers are arrays, and
    Python can only call the loops (`drivers` to `learned`) and what a module lists as ENTRIES.
    """

    game: Game
    rules: Any
    policy: Any
    drivers: Any
    nets: Any
    lanes: Any
    survey: Any
    inspection: Any
    search: Any
    solved: Any
    probing: Any
    luck: Any
    learned: Any
    solver: Any
    compiled: bool = False

    def states(self, template: Any, n: int) -> Any:
        """Return `n` independent copies of the plain state `template`, in an indexable."""
        return [copy(template) for _ in range(n)]

    def integers(self, *shape: int) -> Any:
        """Return a buffer of zeros, of one or two dimensions."""
        return _zeros(0, shape)

    def reals(self, *shape: int, fill: float = 0.0) -> Any:
        """Return a buffer of floats, of one or two dimensions."""
        return _zeros(fill, shape)

    def plain(self, state: Any) -> Any:
        """Return a state of this engine as an ordinary `State`."""
        return copy(state)

    def buffers(self, template: Any) -> Buffers:
        """Return the buffers that `drivers.choose` needs besides state and rng."""
        rules = self.game.rules
        return Buffers(
            self.integers(rules.MAX_LEGAL),
            self.integers(rules.MAX_OUTCOMES),
            self.integers(rules.MAX_OUTCOMES),
            self.states(template, 3),
            self.reals(max(1, self.policy.MEMO), fill=drivers.UNKNOWN),
        )

    def table(self, numbers: Any, bits: int) -> Any:
        """Return a table of ints of `bits` bits with these numbers, from an array of two dimensions."""
        del bits
        return [[int(number) for number in row] for row in numbers]

    def net(self, weights: Weights | None) -> Net:
        """Return a network with these weights; without any, what says that there is no network."""
        if weights is None:
            none = self.table([[0]], 16), self.table([[0]], 32), self.table([[0]], 64)
            rows, last, plans = none[0][:0], none[1], none[2][:0]
            return Net(rows, last, 0, self.integers(1), self.table([[0]], 32)[0], self.integers(1), plans)
        inputs, hidden = layout(self.game), weights.hidden
        plans = self.table(inputs.plans or [[0]], 64)
        return Net(
            self.table(weights.rows, 16),
            self.table(weights.last, 32),
            int(weights.base),
            self.integers(inputs.most),
            self.table([[0] * hidden], 32)[0],
            self.integers(self.game.rules.OBSERVATION_SIZE or 1),
            plans if inputs.plans else plans[:0],
        )

    def close(self, players: int, games: int, kinds: int, script: Sequence[int] = ()) -> Close:
        """Return what `survey.watch_games` needs to look closely at `games` games, or (for 0) not to.

        `kinds`: how many kinds of events the game has. `script`: the steps of a match to look at, see `Close`.
        """
        rules = self.game.rules
        uses = rules.N_ACTIONS + kinds
        steps = self.integers(len(script))
        for place, action in enumerate(script):
            steps[place] = action
        return Close(
            kinds,
            self.reals(games, survey.CLOSE),
            self.integers(uses, survey.USES),
            steps,
            self.integers(players),
            self.reals(players, survey.TRACK),
            self.integers(players, uses),
            self.integers(rules.OBSERVATION_SIZE),
            self.integers(survey.SEEN if games else 1, 2),
            self.integers(survey.NOW),
        )

    def luck_of(self, template: Any, players: int, games: int, budget: int, script: Sequence[int] = ()) -> Luck:
        """Return what `luck.lucky_games` needs for `games` games, or for the steps of a match (`script`)."""
        rules = self.game.rules
        levels = budget.bit_length() + 1  # each that lists its outcomes leaves at most half of its budget to the next
        wide = max(rules.MAX_OUTCOMES, rules.MAX_LEGAL)
        steps = self.integers(len(script) + 1 if script else 0)
        for place, action in enumerate((*script, luck.UNKNOWN) if script else ()):
            steps[place] = action
        return Luck(
            budget,
            steps,
            self.reals(games, players),
            self.states(template, levels + 1),
            self.integers(levels, wide),
            self.integers(levels, wide),
            self.integers(levels, luck.LEVEL),
            self.reals(levels),
            self.reals(players),
            self.reals(players),
        )


def bind(game: Game, linker: Linker, assign: Callable[..., Any], job: Callable[..., Any] | None = None) -> Bound:
    """Link everything that an `Engine` of `game` holds, in its order. `job`: what `lanes` calls `bind`."""
    rules = linker.link(_module(game.rules))
    _complete(rules, linker.link(no_shortcuts, {"rules": rules}))
    policy = _completed(linker, game.policy, no_policy)
    watched = _completed(linker, game.events, no_events)
    solver = linker.link(_module(game.solver)) if game.solver else None
    bound = {"rules": rules, "policy": policy, "watched": watched, "solver": solver, "assign": assign, "bind": job}
    first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth = (
        linker.link(one, bound) for one in LOOPS
    )
    return rules, policy, first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, solver


def _completed(linker: Linker, own: ModuleType | None, neutral: ModuleType) -> ModuleType:
    """Link the game's own module, and take whatever it lacks from `neutral`."""
    other = linker.link(neutral)
    if own is None:
        return other
    made = linker.link(own)
    _complete(made, other)
    return made


def _complete(own: ModuleType, neutral: ModuleType) -> None:
    for name, value in vars(neutral).items():
        vars(own).setdefault(name, value)


def interpret(game: Game) -> Engine:
    """Return the engine that runs the rules as they are."""
    return _interpret(game, _module(game.rules))


@cache
def _interpret(game: Game, _rules: ModuleType) -> Engine:
    def same(value: Any) -> Any:
        return value

    return Engine(game, *bind(game, Linker(same, same), copiers(game.rules.State).assign))


def original(name: str) -> ModuleType:
    """Return the module from which the linked copy called `name` was made."""
    return sys.modules[name]


def _module(rules: Any) -> ModuleType:
    assert isinstance(rules, ModuleType)
    return rules


def _zeros(zero: Any, shape: tuple[int, ...]) -> Any:
    if len(shape) == 1:
        return [zero] * shape[0]
    return [[zero] * shape[1] for _ in range(shape[0])]
