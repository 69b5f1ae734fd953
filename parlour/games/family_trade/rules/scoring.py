"""Family Trade: what going out is worth, its payment, the bank of Battle Royale, and the score."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.games.family_trade.rules.hands import nine_alike
from parlour.games.family_trade.rules.pieces import N_GOODS
from parlour.games.family_trade.rules.state import BATTLE_ROYALE, NOBODY, State


def scores(state: State, out: Buffer) -> None:
    """FT-5: write the money of each seat, in full. FT-17, FT-25: most money wins, and equals share."""
    for seat in range(state.players):
        out[seat] = state.money[seat] * 1000


def multiplier(state: Any) -> int:
    """FT-15, FT-16, FT-22: return by how much the total of the winner is multiplied."""
    if state.ruleset == BATTLE_ROYALE or state.winner != state.dealer or nine_alike(state.hand[state.winner]):
        return 1
    times: int = state.run
    return times


def total(state: Any) -> int:
    """FT-13, FT-15, FT-16: return what the cards of the winner are worth at the present prices."""
    hand = state.hand[state.winner]
    if nine_alike(hand):
        whole: int = state.nine_alike
        return whole
    worth = 0
    for good in range(N_GOODS):
        sets = hand[good] // 3
        if sets:
            worth += sets * state.ladder[state.price[good]]
    return worth * multiplier(state)


def pay(state: Any) -> None:
    """FT-5, FT-14, FT-15, FT-22: pay what going out is worth; money may fall below zero."""
    winner = state.winner
    worth = total(state)
    nine = nine_alike(state.hand[winner])
    state.worth = worth
    state.times = multiplier(state)
    state.took = 0
    state.money[winner] += worth
    if state.ruleset == BATTLE_ROYALE:
        return
    if worth > 0:
        state.took = state.jackpot
        state.money[winner] += state.jackpot
        state.jackpot = 0
    if state.source != NOBODY and not nine:  # also a negative total: the other receives
        state.money[state.source] -= worth
    elif worth < 0:
        state.jackpot -= worth


def tens_left(state: Any) -> int:
    """FT-25: count the 10,000 bills left in the bank, with every positive sum in the fewest bills. At
    zero or below they have run out."""
    left: int = state.tens
    for seat in range(state.players):
        left -= max(state.money[seat], 0) % 50 // 10
    return left


def fifties_left(state: Any) -> int:
    """FT-25: count the 50,000 bills left in the bank."""
    left: int = state.fifties
    for seat in range(state.players):
        left -= max(state.money[seat], 0) // 50
    return left
