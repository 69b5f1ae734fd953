"""FT-24, FT-26: what is remembered of earlier decks in Battle Royale, and new deals from it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour.core.contract import CHANCE
from parlour.core.struct import copy
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules import decks, lineage
from tests.games.family_trade.hunters import hunts
from tests.games.family_trade.table import ROYALE
from tests.games.family_trade.test_views import fits, rng_of


def by_deck(state: r.State, viewer: int) -> list[Any]:
    """Of each past deck, how many cards each seat took, and which the others took together: `viewer` knows that."""
    known: list[Any] = []
    for deck in range(state.past):
        rows = [state.taken[36 * deck + 9 * seat : 36 * deck + 9 * seat + 9] for seat in range(state.players)]
        assert min(map(min, rows)) >= 0
        others = [list(row) for seat, row in enumerate(rows) if seat != viewer]
        known.append(([sum(row) for row in rows], [sum(kinds) for kinds in zip(*others, strict=True)]))
    return known


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.suite("4")
def test_ft_24_ft_26_a_new_deal_keeps_what_each_seat_took_from_each_deck_and_can_be_played_on(players: int) -> None:
    random, rng, most, dealt = Random(players), rng_of(players), 0, 0
    for seed in range(1, 4):
        for state in hunts(ROYALE, players, seed, 2500):
            most = max(most, state.past)
            assert state.trailed <= len(state.trail)
            if state.past < 2 or random.random() > 0.02:
                continue
            other, viewer = copy(state), random.randrange(players)
            r.resample(other, viewer, rng)
            fits(state, other, viewer)
            if other.past == state.past:  # else no draw fitted
                assert by_deck(other, viewer) == by_deck(state, viewer)
                dealt += 1
            for _ in range(300):
                player, legal = r.current_player(other), [0] * r.MAX_LEGAL
                if player == CHANCE:
                    r.apply(other, r.sample_chance(other, rng))
                elif player >= 0:
                    r.apply(other, random.choice(legal[: r.legal_actions(other, legal)]))
                by_deck(other, viewer)
                assert min(other.deck) >= 0
    assert 4 < most <= decks.PAST
    assert dealt > 10


def test_ft_24_ft_26_all_earlier_decks_count_as_one_where_no_draw_of_decks_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lineage, "TRIES", 0)
    random, rng, dealt = Random(1), rng_of(1), 0
    for state in hunts(ROYALE, 3, 1, 2500):
        if state.past > 1 and random.random() < 0.1:
            other = copy(state)
            r.resample(other, 0, rng)
            fits(state, other, 0)
            assert other.past == 1
            by_deck(other, 0)
            dealt += 1
    assert dealt > 10
