"""Family Trade: whose decision it is, and what is possible: discards, going out, prices, dice."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.games.family_trade.rules.hands import complete, wanted
from parlour.games.family_trade.rules.pieces import MARKET_MAKE, N_GOODS, N_KINDS, N_STEPS
from parlour.games.family_trade.rules.state import (
    AGAIN,
    ASK,
    BATTLE_ROYALE,
    CHOOSE_MARKET,
    DOWN,
    FIRST_DISCARD,
    KEEP,
    MAKE,
    MARKET_MAKING,
    NO_STEP,
    NOBODY,
    OUT,
    OVER,
    PASS,
    REROLL,
    ROLL_ALL,
    STAND,
    TURN,
    UP,
    WHILE_KEPT,
    State,
)  # fmt: skip


def current_player(state: State) -> int:
    """Return the seat on turn, the seat that is asked, the winner of the deal or its dealer; CHANCE for
    cards and dice."""
    phase = state.phase
    if phase == OVER:
        return TERMINAL
    if phase in (TURN, MAKE):
        return state.player
    if phase == ASK:
        return state.asked
    if phase == REROLL:
        return state.winner
    return state.dealer if phase == CHOOSE_MARKET else CHANCE


def legal_actions(state: State, out: Buffer) -> int:
    """Write the legal decisions into `out`, ascending; return how many there are, 0 when chance is due
    or the game is over."""
    phase = state.phase
    if phase == TURN:
        return _legal_turn(state, out)
    n = 0
    if phase == ASK:  # FT-12
        out[0] = OUT
        out[1] = PASS
        n = 2
    elif phase == CHOOSE_MARKET:  # FT-6
        out[0] = KEEP
        out[1] = ROLL_ALL
        n = 2
    elif phase == MAKE:  # FT-9: no step beyond an end of the ladder
        out[0] = NO_STEP
        n = 1
        for good in range(N_GOODS):
            if state.price[good] < N_STEPS - 1:
                out[n] = UP + good
                n += 1
        for good in range(N_GOODS):
            if state.price[good] > 0:
                out[n] = DOWN + good
                n += 1
    elif phase == REROLL:  # FT-13, FT-20
        out[0] = STAND
        n = 1
        for good in range(N_GOODS):
            if state.ruleset == MARKET_MAKING or state.hand[state.winner][good]:
                out[n] = AGAIN + good
                n += 1
    return n


def _legal_turn(state: State, out: Buffer) -> int:
    """FT-8, FT-10, FT-12, FT-22: write the discards, and going out if the cards allow it or (FT-19) if
    a false claim is possible."""
    hand = state.hand[state.player]
    n = 0
    if state.announced >> state.player & 1:
        out[0] = state.drawn
        n = 1
    else:
        for kind in range(N_KINDS):
            if hand[kind]:
                out[n] = kind
                n += 1
    if state.honour:
        if not state.called:
            out[n] = OUT
            n += 1
    elif complete(hand):
        out[n] = OUT
        n += 1
    return n


def can_take(state: Any, seat: int, kind: int) -> bool:
    """FT-11, FT-12, FT-22: return whether the discard `kind` lets `seat` go out."""
    if kind == MARKET_MAKE:  # FT-9
        return False
    if state.ruleset == BATTLE_ROYALE:
        return bool(state.hand[seat][kind] == 2)
    if not state.announced >> seat & 1 and not may_wait(state, seat):
        return False
    return wanted(state.hand[seat]) == kind


def may_wait(state: Any, seat: int) -> bool:
    """FT-11: return whether a seat may take a discard with a hand that it has not announced."""
    if state.dealt_hand == WHILE_KEPT:
        return bool(state.untouched >> seat & 1)
    return state.dealt_hand == FIRST_DISCARD and not state.acted >> seat & 1


def next_asked(state: State, after: int) -> int:
    """FT-12: return the first seat, from the one after `after` round to the discarder, that can take
    the last discard."""
    kind = state.row[state.row_size - 1]
    seat = (after + 1) % state.players
    while seat != state.discarder:
        if can_take(state, seat, kind):
            return seat
        seat = (seat + 1) % state.players
    return NOBODY
