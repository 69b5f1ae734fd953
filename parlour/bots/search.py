"""Tree search for one seat: its budget (`Plan`), and the tree itself, kept between decisions."""

from __future__ import annotations

import os
import time
from collections.abc import MutableSequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random

from parlour.bots.advice import Advice, Choice
from parlour.bots.nets import of_view
from parlour.bots.view import View
from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import GameState
from parlour.engine import drivers, search
from parlour.engine.interpreted import Engine
from parlour.engine.weights import Weights
from parlour.engine.work import Buffers, Net

Reals = MutableSequence[float]
# whether the engine is compiled; `View.table`; whether a network judges
_Table = tuple[bool, tuple[int, ...], bool]
ROLLOUTS = {"uniform": drivers.RANDOM, "greedy": drivers.GREEDY}
DEEPEST = 64  # decisions in the tree on one path
NODES = 400_000  # rows of one tree; 56 bytes each
PLAIN_NODES = 20_000
SLICE = 64  # simulations between two looks at the clock; one in plain Python
TO_THE_END = 100_000
COMPARED = 3  # of the most visited decisions, which are examined alike
SEARCHING = 0.5  # share of the time that is over when they are examined
FOLLOWING = 4  # decisions of a line at most
LIKELY = 0.5  # share of the simulations that a decision of a line needs, of all those that got there
FOLLOWED = 50  # simulations at a decision, below which a line ends


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search searches.

    It makes `simulations` in all, or as many as fit in `seconds` if that is less. Each goes through
    the tree, then plays `rollout` ("uniform" or "greedy") for `length` decisions, then takes the
    policy's `outlook`; without an outlook and a network it plays to the end. A node grows after `expand` visits.
    With `net` a network judges instead of the outlook, where the game has one (`parlour.bots.nets`).
    With a `temperature` above 0 it also says which decisions look good; else the policy's values do.
    `explore`, `urgency` and `temperature`: see `parlour.engine.search`. `threads` trees are searched side by side
    and counted together (0: one for each core). The bot makes the most visited choice.
    """

    simulations: int = 2000
    seconds: float | None = None
    rollout: str = "uniform"
    length: int = 0
    expand: int = 2
    explore: float = 1.0
    urgency: float = 0.1
    temperature: float = 0.0
    threads: int = 1
    net: bool = True


@dataclass
class Tree:
    """The tree of one thread, with everything that searches it."""

    engine: Engine
    arrays: tuple[MutableSequence[Buffer], MutableSequence[Reals], Buffer]
    desk: tuple[Buffer, Buffer, Buffer, Reals, Reals, Reals, Net]
    buffers: Buffers
    states: MutableSequence[GameState]
    rng: Buffer

    @classmethod
    def make(cls, game: Game, engine: Engine, state: GameState, players: int, weights: Weights | None = None) -> Tree:
        """Return an empty tree for NODES nodes (fewer in plain Python, where space costs time).

        `weights`: of the network that judges positions; the policy's outlook without.
        """
        n, most = (NODES if engine.compiled else PLAIN_NODES), game.rules.MAX_LEGAL
        arrays = (engine.integers(n, search.NODE), engine.reals(n, search.WORTHS), engine.integers(search.HEAD))
        path, actors, places = engine.integers(DEEPEST), engine.integers(DEEPEST), engine.integers(most)
        shares, reward, sums = engine.reals(most), engine.reals(players), engine.reals(players)
        desk = (path, actors, places, shares, reward, sums, engine.net(weights))
        return cls(engine, arrays, desk, engine.buffers(state), engine.states(state, 2), engine.integers(RNG_SIZE))

    @property
    def judged(self) -> bool:
        """Whether a network judges positions."""
        return len(self.desk[6].rows) > 0

    def look(self, state: GameState) -> None:
        """Start simulations from `state` (plain)."""
        self.states[0] = self.engine.states(state, 1)[0]
        for seat in range(len(self.sums)):
            self.sums[seat] = 0.0

    @property
    def sums(self) -> Reals:
        """Each player's winnings in the simulations from here."""
        return self.desk[5]

    def clear(self) -> None:
        """Forget everything."""
        self.engine.search.begin(*self.arrays)

    @property
    def room(self) -> float:
        """The share of the nodes that is free."""
        return 1.0 - float(self.arrays[2][search.USED]) / len(self.arrays[0])

    def children(self, node: int | None = None) -> dict[int, int]:
        """Return the children of a node (by default the root): key -> node."""
        nodes = self.arrays[0]
        child = int(nodes[int(self.arrays[2][search.ROOT]) if node is None else node][search.FIRST])
        found = {}
        while child != search.NONE:
            found[int(nodes[child][search.KEY])] = child
            child = int(nodes[child][search.NEXT])
        return found

    def follow(self, seat: int, actions: tuple[int, ...]) -> bool:
        """Make the node reached by `actions` of `seat` the root; return False if there is no such node."""
        node: int = int(self.arrays[2][search.ROOT])
        for action in actions:
            found = self.children(node).get(action * search.SEATS + seat)
            if found is None:
                return False
            node = found
        self.arrays[2][search.ROOT] = node
        return True


@dataclass
class Searcher:
    """Searches positions of one game under one plan.

    It keeps the tree while the same seat continues to decide and nothing else has happened: no
    chance and no other player's move. Only then is what was learnt below a decision still true of
    the position after it. `afresh`: it keeps nothing, so what was asked before plays no part.
    """

    game: Game
    plan: Plan
    afresh: bool = False
    _trees: dict[_Table, list[Tree]] = field(default_factory=dict, repr=False)
    _at: tuple[*_Table, int, int] | None = field(default=None, repr=False)
    _trail: tuple[int, ...] = field(default=(), repr=False)

    def explore(self, view: View, engine: Engine) -> Advice:
        """Search the position, with the tree that was kept; return every legal decision, the most visited first."""
        trees = self._ready(view, engine)
        until = None if self.plan.seconds is None else time.monotonic() + self.plan.seconds
        return self._spread(trees, view, engine, until)

    def examine(self, view: View, engine: Engine, *beside: int) -> Advice:
        """Search the position with a new tree, then compare some decisions by equally many visits. Return every legal
        decision, the compared ones first, and of these the one with the highest chance first.

        The search compares the COMPARED most visited, two or more drawn from the others, and the decisions `beside`.
        What it finds about the others does not depend on those.
        """
        self._at = None
        trees, begun, seconds = self._ready(view, engine), time.monotonic(), self.plan.seconds
        found = self._spread(trees, view, engine, None if seconds is None else begun + SEARCHING * seconds)
        chosen, drawn = to_compare(found, view, *beside)
        for place, action in enumerate(chosen):
            now = time.monotonic()
            until = None if seconds is None else now + (begun + seconds - now) / (len(chosen) - place)
            more = found.best.visits - found.of(action).visits
            self._search(trees, view.seat, engine, more, until, action)
        looked = _counted([choice.action for choice in found.choices], view.seat, trees)
        best = sorted((looked.of(action) for action in chosen), key=lambda choice: -(choice.chance or 0.0))
        best = [replace(one, line=line_after(self.game, view, trees[0], one.action)) for one in best]
        rest = (choice for choice in found.choices if choice.action not in chosen)
        return replace(found, choices=(*best, *rest), compared=len(best), drawn=drawn)

    def _spread(self, trees: list[Tree], view: View, engine: Engine, until: float | None) -> Advice:
        """Spend the plan's simulations on all legal decisions, as the search sees fit."""
        out = [0] * self.game.rules.MAX_LEGAL
        legal = out[: self.game.rules.legal_actions(view.state(self.game), out)]
        if len(legal) > 1:
            self._search(trees, view.seat, engine, self.plan.simulations, until)
        return _counted(legal, view.seat, trees)

    def _ready(self, view: View, engine: Engine) -> list[Tree]:
        state = view.state(self.game)
        weights = of_view(self.game, view) if self.plan.net else None
        key = (engine.compiled, view.table, weights is not None)
        count = self.plan.threads or os.cpu_count() or 1
        if key not in self._trees:
            self._trees.clear()
            self._trees[key] = [Tree.make(self.game, engine, state, view.players, weights) for _ in range(count)]
            self._at = None
        trees = self._trees[key]
        at = (*key, view.seat, view.origin)
        known, self._at = not self.afresh and self._at == at and view.trail[: len(self._trail)] == self._trail, at
        since, self._trail = view.trail[len(self._trail) :], view.trail
        for number, tree in enumerate(trees):
            tree.look(state)
            seed_rng(tree.rng, view.seed, number)
            if not (known and tree.room > 0.5 and tree.follow(view.seat, since)):
                tree.clear()
        return trees

    def _search(
        self, trees: list[Tree], seat: int, engine: Engine, simulations: int, end: float | None, only: int = search.NONE
    ) -> None:
        how, tune = settings(self.plan, self.game, trees[0], only)

        def work(tree: Tree, simulations: int) -> None:
            step = simulations if end is None else SLICE if engine.compiled else 1
            while simulations > 0 and (end is None or time.monotonic() < end):
                some = min(step, simulations)
                engine.search.run(seat, some, tree.states, tree.rng, tree.arrays, tree.desk, tree.buffers, how, tune)
                simulations -= some

        each = -(-simulations // len(trees))
        if len(trees) == 1:
            return work(trees[0], each)
        with ThreadPoolExecutor(len(trees)) as pool:
            list(pool.map(work, trees, [each] * len(trees)))


def settings(plan: Plan, game: Game, tree: Tree, only: int = search.NONE) -> tuple[Buffer, Reals]:
    """Return how the tree is searched under a plan: `how` and `tune` of `engine.search.run`.

    Where nothing judges positions, a simulation that has left the tree plays to the end.
    """
    how, tune = tree.engine.integers(search.HOW), tree.engine.reals(search.TUNE)
    how[search.ROLLOUT] = ROLLOUTS[plan.rollout]
    how[search.LENGTH] = plan.length if tree.judged or hasattr(game.policy, "outlook") else TO_THE_END
    how[search.EXPAND], how[search.GUIDED], how[search.ONLY] = plan.expand, int(game.policy is not None), only
    tune[search.EXPLORE], tune[search.URGENCY] = plan.explore, plan.urgency
    tune[search.TEMPERATURE] = plan.temperature
    return how, tune


def line_after(game: Game, view: View, tree: Tree, action: int) -> tuple[int, ...]:
    """Return the actions that most likely follow a decision: each was made in more than LIKELY of the simulations that
    got there.

    A line ends before chance, where the game is over, and at a decision that the seat of the view would not see.
    """
    rules, state = game.rules, view.state(game)
    node = tree.children().get(action * search.SEATS + view.seat)
    rules.apply(state, action)
    found: list[int] = []
    while node is not None and len(found) < FOLLOWING:
        player = rules.current_player(state)
        if player in (CHANCE, TERMINAL):
            break
        out = [0] * rules.MAX_LEGAL
        legal = out[: rules.legal_actions(state, out)]
        if len(legal) == 1 and player != view.seat:  # the search has no node for it
            action = legal[0]
        else:
            likely = _likely(game, state, view.seat, legal, tree, node)
            if likely is None:
                break
            action, node = likely
        rules.apply(state, action)
        found.append(action)
    return tuple(found)


def _likely(game: Game, state: GameState, seat: int, legal: list[int], tree: Tree, node: int) -> tuple[int, int] | None:
    """Return the decision that the search expects at a node, and the node after it; None if it expects no single one,
    or one that the seat would not see."""
    player = game.rules.current_player(state)
    visits = {key: int(tree.arrays[0][child][search.VISITS]) for key, child in tree.children(node).items()}
    seen = [
        (one if player == seat else game.rules.observed_action(state, one, seat)) * search.SEATS + player
        for one in legal
    ]
    whole, most = sum(visits.values()), max(visits, key=lambda key: visits[key], default=search.NONE)
    if whole < FOLLOWED or visits[most] <= LIKELY * whole or seen.count(most) != 1:
        return None
    return legal[seen.index(most)], tree.children(node)[most]


def to_compare(found: Advice, view: View, *beside: int) -> tuple[list[int], int]:
    """Return the decisions of an advice to compare, its first ones first, and the one of them that was drawn to
    represent all that are not compared; NONE if all are."""
    actions = [choice.action for choice in found.choices]
    chosen, others = actions[:COMPARED], sorted(actions[COMPARED:])
    drawn = Random(view.seed).sample(others, min(max(2, 1 + len(beside)), len(others)))
    chosen += drawn  # one more, because what is beside represents only itself
    chosen += [action for action in dict.fromkeys(beside) if action not in (search.NONE, *chosen)]
    return chosen, next((action for action in drawn if action not in beside), search.NONE)


def _counted(legal: list[int], seat: int, trees: list[Tree]) -> Advice:
    """Add up the results of the trees, the most visited decision first."""
    visits, worth = dict.fromkeys(legal, 0), dict.fromkeys(legal, 0.0)
    sums = [sum(float(tree.sums[player]) for tree in trees) for player in range(len(trees[0].sums))]
    for tree in trees:
        nodes, worths, _ = tree.arrays
        children = tree.children()
        for action in legal:
            node = children.get(action * search.SEATS + seat)
            if node is not None:
                visits[action] += int(nodes[node][search.VISITS])
                worth[action] += float(worths[node][search.WORTH])
    choices = tuple(
        Choice(action, worth[action] / visits[action] if visits[action] else None, visits[action])
        for action in sorted(legal, key=lambda action: (-visits[action], -worth[action]))
    )
    whole = sum(sums)
    return Advice(seat, choices, sum(visits.values()), tuple(one / whole for one in sums) if whole else ())
