"""What the search's leaves of Gatsby say: odds that are sure of a won game and move the right way."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.games.gatsby import rules as r
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.study import policy
from tests.games.gatsby.table import GATSBY, Table


def chance(state: Any, player: int) -> float:
    """Return the share of the win that `player` may expect."""
    odds = [policy.outlook(state, seat) for seat in range(2)]
    return odds[player] / sum(odds)


def game(seed: int) -> list[Any]:
    """A random game: the state at each decision, and the last one."""
    state = GATSBY.start(2, GATSBY.edition(), GATSBY.options())
    rng, out, seen = [0] * RNG_SIZE, [0] * r.MAX_LEGAL, []
    seed_rng(rng, seed, 0)
    while (player := r.current_player(state)) != TERMINAL:
        if player == CHANCE:
            r.apply(state, r.sample_chance(state, rng))
        else:
            seen.append(GATSBY.rules.State(**{name: _copied(getattr(state, name)) for name in state.__slots__}))
            r.apply(state, out[random_below(rng, r.legal_actions(state, out))])
    return [*seen, state]


def _copied(value: Any) -> Any:
    return list(value) if isinstance(value, list) else value


def test_odds_are_those_of_one_against_the_other_and_within_bounds() -> None:
    for state in game(3)[:-1]:
        assert policy.lead(state, 0) == pytest.approx(-policy.lead(state, 1))
        assert chance(state, 0) + chance(state, 1) == pytest.approx(1.0)
        assert 0.01 < chance(state, 0) < 0.99


def test_a_game_that_is_over_is_as_good_as_won() -> None:
    for seed in range(4):
        last = game(seed)[-1]
        shares = [0.0, 0.0]
        r.returns(last, shares)
        for seat in range(2):
            assert chance(last, seat) == pytest.approx(shares[seat], abs=0.01)


def test_ga_22_characters_bring_odds_the_third_of_a_suit_most() -> None:
    before = Table().state
    fair = chance(before, 0)
    before.owner[p.TRACK] = 0
    one = chance(before, 0)
    before.char[p.TRACK + 1], before.owner[p.TRACK + 1] = before.char[p.TRACK] + 1, 0
    two = chance(before, 0)
    assert fair < one < two
    step = policy.lead(before, 0)
    before.char[p.NORTH_EAST], suit = before.char[p.TRACK] + 2, before.char[p.NORTH_EAST]
    before.tokens[0] |= 0b1111
    third = policy.lead(before, 0)
    before.char[p.NORTH_EAST] = suit
    assert third > policy.lead(before, 0)
    assert third > step


def test_ga_23_prestige_and_tiles_count() -> None:
    state = Table().state
    state.owner[p.TRACK] = 1
    less = chance(state, 1)
    state.char[p.TRACK] = 0  # the first of Stage, three points
    assert chance(state, 1) > less
    more = chance(state, 0)
    state.tile[5] = s.ASIDE
    assert chance(state, 0) > more
