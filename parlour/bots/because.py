"""Why a decision is advised: the ground that sets it apart most (`parlour.core.contract.Grounds`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from parlour.bots.advice import Advice, Choice
from parlour.bots.view import View
from parlour.core.contract import ALIKE, Ground
from parlour.core.game import Game
from parlour.core.struct import GameState

COMPARED = 64  # other decisions at most, from the first to the last evenly
LEAST = 0.05  # of a ground's weight: the least by which it sets a decision apart


def with_grounds(game: Game, view: View, advice: Advice, top: int) -> Advice:
    """Return the advice with the ground of each of its `top` choices, where the game knows one."""
    if game.grounds is None or len(advice.choices) < 2:
        return advice
    state, legal = view.state(game), sorted(choice.action for choice in advice.choices)
    weights = _weights(game, state, _some(legal))

    def explained(choice: Choice) -> Choice:
        return replace(choice, ground=_telling(game, state, choice.action, weights))

    return replace(advice, choices=(*map(explained, advice.choices[:top]), *advice.choices[top:]))


def ground_of(game: Game, state: GameState, action: int) -> Ground | None:
    """Return the ground that most sets the legal decision `action` apart from the others in `state`;
    None if no ground does. It uses nothing that the deciding seat cannot know."""
    if game.grounds is None:
        return None
    legal = [0] * game.rules.MAX_LEGAL
    others = _some(legal[: game.rules.legal_actions(state, legal)])
    return _telling(game, state, action, _weights(game, state, others))


def ground_against(game: Game, state: GameState, action: int, other: int) -> Ground | None:
    """Return the ground that most sets the legal decision `action` apart from one `other`; None if none does. It uses
    nothing that the deciding seat cannot know."""
    if game.grounds is None:
        return None
    found = _telling(game, state, action, _weights(game, state, [action, other]))
    return None if found is None or found.what == ALIKE else found


def _telling(game: Game, state: GameState, action: int, weights: dict[int, dict[str, float]]) -> Ground | None:
    """Return the ground with the largest margin over the mean of the same in the other decisions; else that they
    are alike."""
    assert game.grounds is not None
    others = [found for other, found in weights.items() if other != action]
    best, most = None, 0.0
    for ground in game.grounds.grounds(state, action):
        if ground.what == ALIKE and best is None:
            best = ground
        usual = sum(found.get(ground.what, 0.0) for found in others) / max(1, len(others))
        margin = ground.weight - usual
        if margin > max(most, LEAST * ground.weight):
            best, most = ground, margin
    return best


def _weights(game: Game, state: GameState, actions: Sequence[int]) -> dict[int, dict[str, float]]:
    """action -> what -> the largest weight of such a ground."""
    assert game.grounds is not None
    found: dict[int, dict[str, float]] = {}
    for action in actions:
        found[action] = defaultdict(float)
        for ground in game.grounds.grounds(state, action):
            found[action][ground.what] = max(found[action][ground.what], ground.weight)
    return found


def _some(legal: Sequence[int]) -> Sequence[int]:
    """Return at most COMPARED of them."""
    return legal[:: -(-len(legal) // COMPARED)]
