"""Compare plain with compiled play: the same random games in both, compared at every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import copy, flatten
from parlour.engine.compiled import compile
from parlour.engine.packing import flat

LONGEST = 4096  # steps kept of one game


class Divergence(AssertionError):
    """The two engines differ; the message says where."""


@dataclass(frozen=True)
class Compared:
    """How much was compared."""

    games: int
    steps: int
    finished: int  # games compared to their end


def lockstep(game: Game, start: Any, players: int, games: int, seed: int = 1, first: int = 0) -> Compared:
    """Play random games from number `first` on in both engines, from the plain state `start`.

    Raises Divergence if they differ. At each step it compares the player, the list of legal
    actions, the action or outcome drawn, the generator's state and the whole state afterwards; at
    the end of each game, scores and returns.
    """
    engine, rules = compile(game), game.rules
    template, states = engine.states(start, 1), engine.states(start, LONGEST + 1)
    fast_rng, rng = engine.integers(RNG_SIZE), [0] * RNG_SIZE
    lists, marks = engine.integers(LONGEST, rules.MAX_LEGAL), engine.integers(LONGEST, 3 + RNG_SIZE)
    out = [0] * rules.MAX_LEGAL
    steps = finished = 0
    for number in range(first, first + games):
        length = engine.inspection.trace(states, template, fast_rng, lists, marks, seed, number)
        rows, noted = flat(states[: length + 1]).tolist(), marks[:length].tolist()
        seed_rng(rng, seed, number)
        state = copy(start)
        for i in range(length):
            where = f"{game.name}, seed {seed}, game {number}, step {i}"
            _same(where, "the state", rows[i], flatten(state))
            player = rules.current_player(state)
            n = rules.legal_actions(state, out)
            _same(where, "the player", noted[i][0], player)
            _same(where, "the legal actions", lists[i, : noted[i][1]].tolist(), out[:n])
            action = rules.sample_chance(state, rng) if player == CHANCE else out[random_below(rng, n)]
            _same(where, "the action or outcome", noted[i][2], action)
            _same(where, "the generator", noted[i][3:], rng)
            rules.apply(state, action)
        _same(f"{game.name}, seed {seed}, game {number}, end", "the state", rows[length], flatten(state))
        if rules.current_player(state) == TERMINAL:
            finished += 1
            _compare_results(game, engine, states, length, state, players)
        steps += length
    return Compared(games, steps, finished)


def _compare_results(game: Game, engine: Any, states: Any, place: int, state: Any, players: int) -> None:
    points, shares = engine.integers(players), engine.reals(players)
    engine.drivers.results(states, place, points, shares)
    plain_points, plain_shares = [0] * players, [0.0] * players
    game.rules.scores(state, plain_points)
    game.rules.returns(state, plain_shares)
    _same(game.name, "the scores", points.tolist(), plain_points)
    _same(game.name, "the returns", shares.tolist(), plain_shares)


def _same(where: str, what: str, compiled: Any, plain: Any) -> None:
    if compiled != plain:
        raise Divergence(f"{where}: {what} differs: compiled {compiled}, plain {plain}")
