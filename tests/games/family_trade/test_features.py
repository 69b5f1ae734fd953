"""What a network sees of Family Trade: only what the seat may know, within the limits that it names."""

from __future__ import annotations

from random import Random

import pytest

from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.family_trade import rules
from parlour.games.family_trade.study import features, money, policy

GAME = find("family-trade")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("ruleset", GAME.rulesets)
def test_ft_26_no_feature_depends_on_what_a_seat_cannot_see(ruleset: str, players: int) -> None:
    """Each seat sees the same, and the same odds, in the position and in another deal of what it cannot know."""
    choice, rng, seen = Random(f"{ruleset}{players}"), [0] * RNG_SIZE, set[int]()
    for seed in range(2):
        match = Match(GAME, players, seed=seed, options={"ruleset": ruleset})
        for step in range(400):
            if match.over:
                break
            seed_rng(rng, seed, step)
            for seat in range(players):
                dealt = copy(match.state)
                rules.resample(dealt, seat, rng)
                here, there = ([0] * features.ACTIVE for _ in range(2))
                n = features.features(match.state, seat, here)
                assert features.features(dealt, seat, there) == n <= features.ACTIVE
                assert here == there
                assert all(0 <= one < features.FEATURES for one in here[:n])
                assert policy.public_odds(dealt, seat) == policy.public_odds(match.state, seat)
                seen |= set(here[:n])
            match.play(choice.choice(match.legal_action_ids()))
    assert len(seen) > 300, "positions differ in what is seen"


def test_ft_14_ft_16_the_odds_count_what_a_player_who_goes_out_is_paid() -> None:
    """The dealer has gone out in the second deal of a run: twice the sets and the Jackpot, from the one who
    discarded; and deals again."""
    state = GAME.start(2, GAME.edition(), GAME.options())
    state.price[:] = [3] * 8
    state.phase, state.winner, state.source, state.dealer, state.run, state.jackpot = rules.REROLL, 0, 1, 0, 2, 40
    state.hand[0][:] = [3, 3, 3, 0, 0, 0, 0, 0, 0]
    state.won[:] = state.hand[0]
    found = [0.0] * rules.SEATS
    scale = money.stakes(state, found)
    best = max(0.0, *(money.mean(state, good) - 10 for good in range(3)))
    worth = 2 * (3 * 10 + best)
    unit = money.market(state)
    assert unit == money.CHEAP, "a mean set brings 10, which is less"
    assert found[1] == 500 - worth
    assert found[0] == pytest.approx(500 + worth + 40 + unit * (money.DEALER[0] + 2 * money.RUN[0]))
    assert scale == pytest.approx(money.MARKETS[0] * unit * 2)


def test_ft_15_the_bank_pays_for_nine_alike_even_if_the_last_was_claimed() -> None:
    state = GAME.start(2, GAME.edition(), GAME.options())
    state.price[:] = [3] * 8
    state.phase, state.winner, state.source, state.dealer, state.run = rules.REROLL, 0, 1, 1, 1
    state.hand[0][:] = [9, 0, 0, 0, 0, 0, 0, 0, 0]
    found, valued = [0.0] * rules.SEATS, [0.0] * rules.SEATS
    money.stakes(state, found)
    assert found[1] == 500, "the other loses nothing"
    policy.standing(state, 1.0, valued)
    state.source = rules.NOBODY
    drawn = [0.0] * rules.SEATS
    policy.standing(state, 1.0, drawn)
    assert valued == drawn, "drawn or claimed, it is worth the same"
