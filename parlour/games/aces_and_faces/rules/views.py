"""AF-15: what a seat or a spectator sees, as numbers. `parlour.games.aces_and_faces.FACTS` names them and says how
large they get."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.games.aces_and_faces.rules.hidden import row_of
from parlour.games.aces_and_faces.rules.pieces import N_CARDS, N_KINDS, size
from parlour.games.aces_and_faces.rules.state import SEATS, SLOT, State


def observation(state: State, player: int, out: Buffer) -> int:
    """AF-15: write the turn, the pieces, sizes of hands, where each card may be and what is left, from this seat on."""
    own = max(player, 0)
    out[0] = state.phase
    out[1] = (state.player - own) % state.players
    out[2] = state.turns
    out[3] = state.players
    out[4] = state.squares
    out[5] = state.number
    out[6] = state.guess
    out[7] = state.named
    out[8] = state.rival if state.rival < 0 else (state.rival - own) % state.players
    out[9] = state.first
    out[10] = state.second
    out[11] = state.top
    out[12] = state.left
    for i in range(SEATS):
        out[13 + i] = state.position[(own + i) % state.players] if i < state.players else -1
        out[13 + SEATS + i] = size(state.hands[(own + i) % state.players]) if i < state.players else 0
    n = 13 + 2 * SEATS
    may = state.may[row_of(player)]
    for card in range(N_CARDS):
        places = may[card]
        seats = places & ~(1 << SLOT)
        out[n] = seats >> own | seats << (state.players - own) & (1 << state.players) - 1 | places ^ seats
        n += 1
    for kind in range(N_KINDS):
        out[n] = state.unseen[kind]
        n += 1
    return n
