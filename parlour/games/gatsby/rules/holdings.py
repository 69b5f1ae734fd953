"""Where characters and Special Action tiles are, and which player has them."""

from __future__ import annotations

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.state import State

OUTLINE = ("tiles_at",)


def tiles_at(state: State, place: int) -> int:
    """Return how many Special Action tiles are in such a place."""
    n = 0
    for tile in range(p.N_TILES):
        if state.tile[tile] == place:
            n += 1
    return n


def tile_of(state: State, seat: int) -> int:
    """Return the Special Action tile on this player's space, or -1."""
    for tile in range(p.N_TILES):
        if state.tile[tile] == s.ON_SPACE + seat:
            return tile
    return -1


def characters_of(state: State, seat: int) -> int:
    """Return how many characters this player has taken."""
    n = 0
    for slot in range(p.N_SLOTS):
        if state.owner[slot] == seat:
            n += 1
    return n


def change_places(state: State, first: int, second: int) -> None:
    """GA-14: exchange two characters; each stays face up or face down."""
    one = state.char[first]
    state.char[first] = state.char[second]
    state.char[second] = one
    if (state.up >> first ^ state.up >> second) & 1:
        state.up ^= 1 << first | 1 << second
