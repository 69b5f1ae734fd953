"""What a network sees of Facets of Fortune: the same whatever the markets are called, within the limits it names."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour.core.match import Match
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.study import features

GAME = find("facets-of-fortune")


def renamed(state: Any, names: list[int]) -> Any:
    """Return the position with market c in the place of market names[c]."""
    other = copy(state)

    def kind(card: int) -> int:
        colour = r.colour_of(card)
        if colour == r.NOBODY:
            return card
        return r.FREE + names[colour] if card >= r.FREE else 3 * names[colour] + r.number_of(card) - 1

    for colour, name in enumerate(names):
        for of in ("board", "marker", "closed", "stops"):
            getattr(other, of)[name] = getattr(state, of)[colour]
        for seat in range(state.players):
            other.own[seat][name] = state.own[seat][colour]
    for seat in range(state.players):
        for place in range(state.held[seat]):
            other.hand[seat][place] = kind(state.hand[seat][place])
    other.card = kind(state.card)
    other.first = names[state.first] if state.first != r.NOBODY else r.NOBODY
    return other


def seen(state: Any, seat: int) -> list[int]:
    found = [0] * features.ACTIVE
    n = features.features(state, seat, found)
    assert n <= features.ACTIVE
    assert all(0 <= one < features.FEATURES for one in found[:n])
    return sorted(found[:n])


@pytest.mark.parametrize("dead_cards", ["unusable", "wild"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_ff_1_markets_are_told_apart_only_by_what_is_on_them(players: int, dead_cards: str) -> None:
    choice, every = Random(players), set[int]()
    for seed in range(3):
        match = Match(GAME, players, seed=seed, options={"dead_cards": dead_cards})
        while not match.over:
            match.play(choice.choice(match.legal_action_ids()))
            names = choice.sample(range(4), 4)
            for seat in range(players):
                here = seen(match.state, seat)
                assert seen(renamed(match.state, names), seat) == here
                every |= set(here)
    assert len(every) > 300, "positions differ in what is seen"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ff_7_players_are_told_apart_by_their_place_in_turn_order(players: int) -> None:
    """With every seat's things moved to the next in turn order, each seat sees what the one before it saw."""
    choice = Random(players)
    for seed in range(2):
        match = Match(GAME, players, seed=seed)
        while not match.over:
            match.play(choice.choice(match.legal_action_ids()))
            state, moved = match.state, copy(match.state)
            for seat in range(players):
                after = r.seat_after(state, seat, 1)
                moved.money[after], moved.held[after] = state.money[seat], state.held[seat]
                moved.holds[after], moved.bought[after] = state.holds[seat], state.bought[seat]
                moved.own[after][:], moved.hand[after][:] = state.own[seat], state.hand[seat]
            moved.player = r.seat_after(state, state.player, 1)
            for seat in range(players):
                assert seen(moved, r.seat_after(state, seat, 1)) == seen(state, seat)
