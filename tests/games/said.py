"""What is said for decisions in games that are played sensibly, for tests that hold each of it to be true."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from parlour import bots
from parlour.analysis.shapes import Shape, shapes
from parlour.bots import View
from parlour.core.contract import Ground
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import copy


def said(game: Game, games: int, most: int = 250, each: int = 12) -> Iterator[tuple[Any, int, Ground]]:
    """Positions of every ruleset and number of players with a decision in each and what speaks for it.

    At most `each` decisions of a position are looked at, and `most` steps of a game.
    """
    assert game.grounds is not None
    for shape in shapes(game, edition=game.edition().name):
        for seed in range(games):
            for state, legal in _positions(shape, seed, most):
                for action in random.Random(seed).sample(legal, min(each, len(legal))):
                    for ground in game.grounds.grounds(state, action):
                        yield state, action, ground


def _positions(shape: Shape, seed: int, most: int) -> Iterator[tuple[Any, list[int]]]:
    match = Match(shape.game, shape.players, edition=shape.edition, options=shape.options, seed=seed)
    choice, greedy = random.Random(seed), bots.find(shape.game, "greedy")
    while not match.over and match.version < most:
        legal = match.legal_action_ids()
        yield match.state, legal
        odd = choice.random() < 0.3
        match.play(choice.choice(legal) if odd else greedy.choose(View.of(match, match.current_player)))


def then(game: Game, state: Any, *actions: int) -> Any:
    """Return the state after these decisions or outcomes."""
    after = copy(state)
    for action in actions:
        game.rules.apply(after, action)
    return after


def outcomes(game: Game, state: Any) -> list[int]:
    """Return what chance may bring now."""
    out, weights = [0] * game.rules.MAX_OUTCOMES, [0] * game.rules.MAX_OUTCOMES
    return out[: game.rules.chance_outcomes(state, out, weights)]


def share(game: Game, state: Any, seat: int) -> float:
    """Return the seat's share of the win."""
    found = [0.0] * state.players
    game.rules.returns(state, found)
    return found[seat]
