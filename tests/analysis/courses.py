"""A second implementation of luck: every course of a small game, with its exact chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.game import Game
from parlour.core.struct import copy


def worth(game: Game, state: Any) -> list[Fraction]:
    """Return each seat's share of the win, as it looks or as it is."""
    seats = range(getattr(state, "players", 2))
    if game.rules.current_player(state) == TERMINAL:
        found = [0.0 for _ in seats]
        game.rules.returns(state, found)
        return [Fraction(one).limit_denominator(6) for one in found]
    assert game.policy is not None
    odds = [Fraction(game.policy.outlook(state, seat)) for seat in seats]
    return [one / sum(odds) for one in odds]


def after(game: Game, state: Any, action: int) -> Any:
    landed = copy(state)
    game.rules.apply(landed, action)
    return landed


def possible(game: Game, state: Any) -> list[tuple[Fraction, int]]:
    """Return what may happen next with its chance; decisions are even."""
    n_outcomes, n_legal = game.rules.MAX_OUTCOMES, game.rules.MAX_LEGAL
    out, weights = [0] * max(n_outcomes, n_legal), [1] * max(n_outcomes, n_legal)
    if game.rules.current_player(state) == CHANCE:
        n = game.rules.chance_outcomes(state, out, weights)
    else:
        n = game.rules.legal_actions(state, out)
    return [(Fraction(weights[i], sum(weights[:n])), out[i]) for i in range(n)]


def settled(game: Game, state: Any) -> Iterator[tuple[Fraction, tuple[int, ...], Any]]:
    """Yield every way in which the chance due here can fall."""
    if game.rules.current_player(state) != CHANCE:
        yield Fraction(1), (), state
        return
    for chance, outcome in possible(game, state):
        for more, steps, end in settled(game, after(game, state, outcome)):
            yield chance * more, (outcome, *steps), end


Line = tuple[Fraction, tuple[int, ...], list[Fraction], Any]  # its chance, its steps, the luck of each seat, its end


def lines(game: Game, state: Any, known: Sequence[bool], most: int) -> Iterator[Line]:
    """Yield every course of a game of at most `most` decisions. Seats that are not `known` prefer the later of two
    decisions, two to one."""
    player = game.rules.current_player(state)
    seats = range(getattr(state, "players", 2))
    if player == TERMINAL or (player != CHANCE and most == 0):
        yield Fraction(1), (), [Fraction(0) for _ in seats], state
        return
    left = most - (player != CHANCE)
    if player == CHANCE or known[player]:
        ways = [
            (chance * more, (action, *steps), end)
            for chance, action in possible(game, state)
            for more, steps, end in settled(game, after(game, state, action))
        ]
        mean = [sum((chance * worth(game, end)[seat] for chance, _, end in ways), Fraction(0)) for seat in seats]
        for chance, steps, end in ways:
            had = [one - other for one, other in zip(worth(game, end), mean, strict=True)]
            for more, rest, later, last in lines(game, end, known, left):
                yield chance * more, (*steps, *rest), [a + b for a, b in zip(had, later, strict=True)], last
        return
    choices = [action for _, action in possible(game, state)]
    for place, action in enumerate(choices):
        chance = Fraction(1 + place, sum(range(1, len(choices) + 1)))
        for more, rest, later, last in lines(game, after(game, state, action), known, left):
            yield chance * more, (action, *rest), later, last
