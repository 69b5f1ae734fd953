"""AF-13, AF-16: what wins, and how the game is shared."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.games.aces_and_faces.rules.pieces import LINES, N_LINES, size
from parlour.games.aces_and_faces.rules.state import NOBODY, OVER, State


def complete(hand: int) -> bool:
    """AF-13: return whether a hand has four of a kind or four from the same suit."""
    for i in range(N_LINES):
        if hand & LINES[i] == LINES[i]:
            return True
    return False


def scores(state: State, out: Buffer) -> None:
    """Write how many cards each seat holds."""
    for seat in range(state.players):
        out[seat] = size(state.hands[seat])


def returns(state: State, out: Any) -> None:
    """AF-13, AF-16: write 1 for the winner, or equal shares."""
    for seat in range(state.players):
        out[seat] = 0.0
        if state.phase == OVER:
            if state.winner == NOBODY:
                out[seat] = 1.0 / state.players
            elif state.winner == seat:
                out[seat] = 1.0
