"""What is true of all games of Facets of Fortune, tried on random ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import copy
from parlour.games.facets_of_fortune import rules as r
from tests.games.facets_of_fortune.table import GAME


def steps(seed: int) -> Iterator[tuple[Any, int, Any]]:
    """A random game: before, action, after."""
    options = GAME.options({"dead_cards": ("unusable", "wild")[seed % 2]})
    state = GAME.start(2 + seed % 3, GAME.edition(), options)
    rng, out = [0] * RNG_SIZE, [0] * r.MAX_LEGAL
    seed_rng(rng, seed, 0)
    while (player := r.current_player(state)) != TERMINAL:
        before = copy(state)
        action = (
            r.sample_chance(state, rng) if player == CHANCE else out[random_below(rng, r.legal_actions(state, out))]
        )
        r.apply(state, action)
        yield before, action, state


@pytest.mark.parametrize("seed", range(12))
def test_ff_29_gems_move_only_by_cards_crashes_and_heists_and_nobody_owes(seed: int) -> None:
    for before, action, after in steps(seed):
        assert min(after.money) >= 0
        if after.own != before.own:
            played = before.phase in (r.TRADE, r.CHOOSE, r.TAKE, r.SWITCH_2, r.DEFEND, r.PICK)
            free = before.phase == r.PLAY and r.CARD + r.FREE <= action < r.CARD + r.EXCHANGE
            assert played or free or after.crashed
        gained = sum(after.money) - sum(before.money)
        if gained > 0 and before.phase != r.START:
            assert before.phase == r.TRADE or (before.phase == r.DRAW and gained % r.BONUS == 0)


@pytest.mark.parametrize("seed", range(12))
def test_ff_17_each_turn_ends_with_three_cards_and_ff_26_a_closed_market_is_empty(seed: int) -> None:
    for _, _, after in steps(seed):
        if after.phase == r.ROLL:
            assert all(after.held[seat] == 3 for seat in range(after.players))
            assert after.due == 0
        for colour in range(r.N_COLOURS):
            if after.closed[colour]:
                assert (after.board[colour], after.marker[colour], after.stops[colour]) == (0, 0, 0)
                assert not any(own[colour] for own in after.own)
            assert 0 <= after.marker[colour] <= r.TOP


@pytest.mark.parametrize("seed", range(6))
def test_ff_25_the_bonus_is_that_of_counting_by_hand(seed: int) -> None:
    """A second reading: names of cards in the hand at the first and after the last card of each deal."""

    def triples(state: Any, seat: int) -> list[int]:
        hand = [r.KINDS[kind] for kind in state.hand[seat][: state.held[seat]]]
        return [sum(card in (f"{c}-1", f"{c}-2", f"{c}-3") for card in hand) // 3 for c in r.COLOURS]

    first: list[int] = []
    for before, _, after in steps(seed):
        if after.phase == r.DRAW and (before.phase != r.DRAW or before.player != after.player):
            first = triples(after, after.player)
        if before.phase == r.DRAW and (after.phase != r.DRAW or after.player != before.player):
            seat = before.player
            last = triples(after, seat)
            paid = sum(max(new - old, 0) for new, old in zip(last, first if first else [0] * 4, strict=True))
            if before.deal == r.OPENING:
                paid = sum(last)
            assert after.money[seat] - before.money[seat] == 100_000 * paid


def test_ff_31_random_games_end_far_within_the_bound() -> None:
    longest = max(sum(1 for _ in steps(seed)) for seed in range(30))
    assert longest * 10 < GAME.rules.bound(r.State())
