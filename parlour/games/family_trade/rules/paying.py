"""Family Trade: what going out is worth, who pays whom, and the bank of Battle Royale."""

from __future__ import annotations

from typing import Any

from parlour.games.family_trade.rules.state import BATTLE_ROYALE, N_GOODS, N_KINDS, NOBODY


def nine_alike(state: Any) -> bool:
    """FT-15: whether the winner shows nine identical cards."""
    for good in range(N_GOODS):
        if state.hand[state.winner * N_KINDS + good] == 9:
            return True
    return False


def multiplier(state: Any) -> int:
    """FT-15, FT-16, FT-22: by how much the total of the winner is multiplied."""
    if state.ruleset == BATTLE_ROYALE or state.winner != state.dealer or nine_alike(state):
        return 1
    times: int = state.run
    return times


def total(state: Any) -> int:
    """FT-13, FT-15, FT-16: what the cards of the winner are worth with the prices as they are."""
    if nine_alike(state):
        whole: int = state.nine_alike
        return whole
    worth = 0
    for good in range(N_GOODS):
        sets = state.hand[state.winner * N_KINDS + good] // 3
        if sets:
            worth += sets * state.ladder[state.price[good]]
    return worth * multiplier(state)


def pay(state: Any) -> None:
    """FT-5, FT-14, FT-15, FT-22: settle; money may go below zero."""
    winner = state.winner
    worth = total(state)
    nine = nine_alike(state)
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
    """FT-25: 10,000 bills in the bank, every positive sum in fewest bills; at zero or below they have run out."""
    left: int = state.tens
    for seat in range(state.players):
        left -= max(state.money[seat], 0) % 50 // 10
    return left


def fifties_left(state: Any) -> int:
    """FT-25: 50,000 bills in the bank."""
    left: int = state.fifties
    for seat in range(state.players):
        left -= max(state.money[seat], 0) // 50
    return left
