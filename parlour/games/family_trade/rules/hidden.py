"""Family Trade: what a seat sees (FT-26). What it cannot know is dealt again by dealing.py."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import HIDDEN, UNSEEN, Buffer
from parlour.games.family_trade.rules.hands import announces, complete, hand_size
from parlour.games.family_trade.rules.state import (
    ASK,
    DEAL,
    DRAW,
    N_GOODS,
    N_KINDS,
    NOBODY,
    NONE,
    SEATS,
    TURN,
    State,
)  # fmt: skip

MORE = 64  # more than any action: what comes on top of one in observed_action
OUT = 9  # the action, in rules.py, of going out
PASS = 10  # the action, in rules.py, that lets a discard lie


def observation(state: Any, player: int, out: Buffer) -> int:
    """FT-26: what the seat sees, itself first: 23 numbers of the game, by seat, prices, and cards by kind."""
    secret = state.phase == ASK and state.asked != player
    out[0] = state.players
    out[1] = state.ruleset
    out[2] = state.honour
    out[3] = DRAW if secret else state.phase
    out[4] = (state.player - player) % state.players
    out[5] = (state.dealer - player) % state.players
    out[6] = state.run
    out[7] = state.turns
    out[8] = state.jackpot
    out[9] = state.deck_size
    out[10] = state.row_size
    out[11] = state.remade
    out[12] = state.drawn if state.player == player else NONE
    out[13] = state.called
    out[14] = _place(state, state.discarder, player)
    out[15] = state.row[state.row_size - 1] if state.offered else NONE
    out[16] = _place(state, state.winner, player)
    out[17] = _place(state, state.source, player)
    out[18] = state.rerolled
    out[19] = state.rolling
    out[20] = state.worth
    out[21] = state.deals
    out[22] = state.ended
    n = 23
    for i in range(SEATS):
        seat = (player + i) % state.players
        there = i < state.players
        out[n] = state.money[seat] if there else 0
        out[n + 1] = hand_size(state, seat) if there else 0
        out[n + 2] = state.announced >> seat & 1 if there else 0
        out[n + 3] = state.acted >> seat & 1 if there else 0
        n += 4
    for good in range(N_GOODS):
        out[n] = state.price[good]
        n += 1
    for kind in range(N_KINDS):
        out[n] = state.dumped[kind]
        out[n + 1] = state.shuffled[kind]
        out[n + 2] = state.won[kind]
        out[n + 3] = state.hand[player * N_KINDS + kind] if player >= 0 else 0
        out[n + 4] = state.gone[player * N_KINDS + kind] if player >= 0 else 0
        n += 5
    return n


def _place(state: Any, seat: int, player: int) -> int:
    return NOBODY if seat == NOBODY else (seat - player) % state.players


def card_goes_to(state: State) -> int:
    """FT-7, FT-8, FT-21: who gets the next card, when one is due."""
    if state.phase == DEAL:
        return (state.dealer + state.dealt) % state.players
    return state.player


def observed_action(state: Any, action: int, player: int) -> int:
    """FT-26: a card is seen by who gets it; that somebody let a discard lie is seen by nobody else.

    What a move of another shows of his hand is in the number: "one to go" with a discard (FT-10), and all cards of who
    goes out (FT-13, FT-22).
    """
    if state.phase == DEAL or state.phase == DRAW:
        return HIDDEN if action < N_KINDS and card_goes_to(state) != player else action
    if state.phase == ASK and action == PASS and state.asked != player:
        return UNSEEN
    if state.phase == TURN and player != state.player:
        if action < N_KINDS:
            return action + MORE if announces(state, action) else action
        if action == OUT and complete(state.hand, state.player * N_KINDS):
            return action + MORE * _shown(state, state.player)
    elif state.phase == ASK and player != state.asked:
        return action + MORE * _shown(state, state.asked)
    return action


def _shown(state: Any, seat: int) -> int:
    """A hand as a number: a digit for each good."""
    number = 1
    for good in range(N_GOODS):
        number = 10 * number + state.hand[seat * N_KINDS + good]
    return number
