"""Family Trade: what a seat sees now, in numbers. `__init__.py` names and bounds them."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.games.family_trade.rules.hands import hand_size
from parlour.games.family_trade.rules.hidden import asks_another
from parlour.games.family_trade.rules.pieces import N_GOODS, N_KINDS, SEATS
from parlour.games.family_trade.rules.state import DRAW, NOBODY, NONE, State


def observation(state: State, player: int, out: Buffer) -> int:
    """FT-26: write what the seat sees: 23 numbers of the game, seats (itself first, or seat 0 for a
    spectator), prices, and cards by kind."""
    own = max(player, 0)
    out[0] = state.players
    out[1] = state.ruleset
    out[2] = state.honour
    out[3] = DRAW if asks_another(state, player) else state.phase
    out[4] = (state.player - own) % state.players
    out[5] = (state.dealer - own) % state.players
    out[6] = state.run
    out[7] = state.turns
    out[8] = state.jackpot
    out[9] = state.deck_size
    out[10] = state.row_size
    out[11] = state.remade
    out[12] = state.drawn if state.player == player else NONE
    out[13] = state.called
    out[14] = _place(state, state.discarder, own)
    out[15] = state.row[state.row_size - 1] if state.offered else NONE
    out[16] = _place(state, state.winner, own)
    out[17] = _place(state, state.source, own)
    out[18] = state.rerolled
    out[19] = state.rolling
    out[20] = state.worth
    out[21] = state.deals
    out[22] = state.ended
    n = 23
    for i in range(SEATS):
        seat = (own + i) % state.players
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
        out[n + 3] = state.hand[player][kind] if player >= 0 else 0
        out[n + 4] = state.gone[player][kind] if player >= 0 else 0
        n += 5
    out[n] = state.dealt_hand
    out[n + 1] = state.untouched >> player & 1 if player >= 0 else 0
    return n + 2


def _place(state: State, seat: int, own: int) -> int:
    return NOBODY if seat == NOBODY else (seat - own) % state.players
