"""Family Trade: what a hand is one card short of, and who may be asked about a discard."""

from __future__ import annotations

from typing import Any

from parlour.games.family_trade.rules.state import BATTLE_ROYALE, MARKET_MAKE, N_GOODS, N_KINDS, NOBODY, NONE, State


def wanted(hand: Any, first: int) -> int:
    """FT-10: the good that makes three sets of the eight cards that hand[first:] counts, or NONE."""
    found = NONE
    if hand[first + MARKET_MAKE]:
        return NONE
    for good in range(N_GOODS):
        left = hand[first + good] % 3
        if left == 1 or (left == 2 and found != NONE):
            return NONE
        if left == 2:
            found = good
    return found


def announces(state: Any, kind: int) -> bool:
    """FT-10: whether "one to go" is said with this discard of the seat on turn."""
    if state.ruleset == BATTLE_ROYALE or state.announced >> state.player & 1:
        return False
    first = state.player * N_KINDS
    short = 0
    for other in range(N_KINDS):
        left = state.hand[first + other] - (1 if other == kind else 0)
        if other == MARKET_MAKE:
            short += 9 * left
        elif left % 3 == 1:
            short += 9
        elif left % 3 == 2:
            short += 1
    return bool(short == 1)


def complete(hand: Any, first: int) -> bool:
    """FT-8, FT-9: nine cards that are three sets; in Battle Royale (FT-22) three that are one."""
    if hand[first + MARKET_MAKE]:
        return False
    for good in range(N_GOODS):
        if hand[first + good] % 3:
            return False
    return True


def can_take(state: Any, seat: int, kind: int) -> bool:
    """FT-11, FT-12, FT-22: whether the discard `kind` lets `seat` go out."""
    if kind == MARKET_MAKE:  # FT-9
        return False
    first = seat * N_KINDS
    if state.ruleset == BATTLE_ROYALE:
        return bool(state.hand[first + kind] == 2)
    if state.acted >> seat & 1 and not state.announced >> seat & 1:
        return False
    return wanted(state.hand, first) == kind


def may_ask(state: Any) -> bool:
    """FT-26: whether, by what everybody knows, anybody might be asked about the last discard now.

    The same whether or not somebody is in fact asked, until a card is drawn or the discard is taken.
    """
    if not state.offered:
        return False
    kind = state.row[state.row_size - 1]
    if out_of_sight(state, kind) < 2:  # FT-10, FT-22: two of them at least are in a hand that it finishes
        return False
    for seat in range(state.players):
        if seat != state.discarder and might_take(state, seat, kind):
            return True
    return False


def might_take(state: Any, seat: int, kind: int) -> bool:
    """FT-10, FT-11, FT-22: whether, by what everybody knows of this seat, the discard `kind` may finish its hand."""
    if state.ruleset == BATTLE_ROYALE:
        return True
    if state.announced >> seat & 1:
        return not state.unfit[seat] >> kind & 1
    return not state.acted >> seat & 1


def out_of_sight(state: Any, kind: int) -> int:
    """FT-26: cards of a kind that lie neither on the dump nor were shown by who went out: everybody can count them."""
    cards = state.deck[kind]
    for seat in range(state.players):
        cards += state.hand[seat * N_KINDS + kind] + state.gone[seat * N_KINDS + kind]
    return int(cards)


def next_asked(state: State, after: int) -> int:
    """FT-12: the first seat, from the one after `after` round to the discarder, that can take the last discard."""
    kind = state.row[state.row_size - 1]
    seat = (after + 1) % state.players
    while seat != state.discarder:
        if can_take(state, seat, kind):
            return seat
        seat = (seat + 1) % state.players
    return NOBODY


def hand_size(state: Any, seat: int) -> int:
    """FT-26: how many cards a seat holds."""
    size = 0
    for kind in range(N_KINDS):
        size += state.hand[seat * N_KINDS + kind]
    return size
