"""Family Trade: what a hand is: its size, whether it is three sets, and which good it lacks if it is
one card short."""

from __future__ import annotations

from typing import Any

from parlour.games.family_trade.rules.pieces import MARKET_MAKE, N_GOODS, N_KINDS
from parlour.games.family_trade.rules.state import BATTLE_ROYALE, NONE


def cards_of(counts: Any) -> int:
    """Return how many cards there are, by these counts of the nine kinds."""
    cards = 0
    for kind in range(N_KINDS):
        cards += counts[kind]
    return cards


def hand_size(state: Any, seat: int) -> int:
    """FT-26: return how many cards a seat holds."""
    return cards_of(state.hand[seat])


def wanted(hand: Any) -> int:
    """FT-10: return the good that makes three sets of eight cards, or NONE. `hand`: counts by kind,
    here and below."""
    found = NONE
    if hand[MARKET_MAKE]:
        return NONE
    for good in range(N_GOODS):
        left = hand[good] % 3
        if left == 1 or (left == 2 and found != NONE):
            return NONE
        if left == 2:
            found = good
    return found


def announces(state: Any, kind: int) -> bool:
    """FT-10: return whether "one to go" is said with this discard of the seat on turn."""
    if state.ruleset == BATTLE_ROYALE or state.announced >> state.player & 1:
        return False
    if stays_dealt(state, kind):
        return False
    hand = state.hand[state.player]
    short = 0
    for other in range(N_KINDS):
        left = hand[other] - (1 if other == kind else 0)
        if other == MARKET_MAKE:
            short += 9 * left
        elif left % 3 == 1:
            short += 9
        elif left % 3 == 2:
            short += 1
    return bool(short == 1)


def stays_dealt(state: Any, kind: int) -> bool:
    """FT-11: return whether this discard leaves the hand of the seat on turn as it was dealt, so that it need not be
    announced; only WHILE_KEPT."""
    return bool(state.untouched >> state.player & 1 and kind == state.drawn)


def complete(hand: Any) -> bool:
    """FT-8, FT-9: return whether nine cards are three sets; in Battle Royale (FT-22), whether three are one."""
    if hand[MARKET_MAKE]:
        return False
    for good in range(N_GOODS):
        if hand[good] % 3:
            return False
    return True


def nine_alike(hand: Any) -> bool:
    """FT-15: return whether these are nine identical cards."""
    for good in range(N_GOODS):
        if hand[good] == 9:
            return True
    return False
