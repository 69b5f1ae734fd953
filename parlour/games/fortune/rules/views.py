"""What a seat of Fortune sees, as numbers; all see the same, each from their own place."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.games.fortune.rules.chance import next_card
from parlour.games.fortune.rules.pieces import N_CARDS, N_DICE, N_FACES
from parlour.games.fortune.rules.state import SEATS, State, face_at


def observation(state: State, player: int, out: Buffer) -> int:
    """Write what the facts name (`Facts.observed`), in that order.

    Seats are counted from `player`, or from seat 0 for a spectator.
    """
    own = max(player, 0)
    out[0] = state.players
    out[1] = state.phase
    out[2] = (state.player - own) % state.players
    out[3] = state.turns
    out[4] = state.final_left
    out[5] = state.target
    out[6] = state.at_least
    out[7] = state.turned
    out[8] = state.rolls
    out[9] = state.spell
    out[10] = state.island
    out[11] = state.rolled
    out[12] = state.fate
    out[13] = state.worth
    out[14] = state.loss
    out[15] = state.round_limit
    n = 16
    for i in range(SEATS):
        out[n] = state.scores[(own + i) % state.players] if i < state.players else 0
        n += 1
    for kind in range(N_CARDS):
        out[n] = state.unseen[kind]
        n += 1
    for kind in range(N_CARDS):
        out[n] = 1 if kind == state.card else 0
        n += 1
    for face in range(N_FACES):
        out[n] = state.count[face]
        n += 1
    for i in range(N_DICE):
        out[n] = face_at(state, i)
        n += 1
    out[n] = next_card(state)
    return n + 1
