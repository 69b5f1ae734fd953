"""What each player has: characters, Special tiles, prestige."""

from __future__ import annotations

from typing import Any

from parlour.games.gatsby.rules import tables as t

OUTLINE = ("tiles_at",)


def tiles_at(state: Any, place: int) -> int:
    """How many Special tiles are in such a place."""
    n = 0
    for tile in range(t.N_TILES):
        if state.tile[tile] == place:
            n += 1
    return n


def tile_of(state: Any, seat: int) -> int:
    """The Special tile on this player's space, or -1."""
    for tile in range(t.N_TILES):
        if state.tile[tile] == t.ON_SPACE + seat:
            return tile
    return -1


def prestige_of(state: Any, seat: int, known: int) -> int:
    """GA-23: the prestige of the characters at the places `known` that he took, and a point for each tile kept."""
    total = 0
    for slot in range(t.N_SLOTS):
        if state.owner[slot] == seat and known >> slot & 1:
            total += state.prestige[state.char[slot]]
    for tile in range(t.N_TILES):
        place = state.tile[tile]
        if place == t.ON_SPACE + seat or place == t.ASIDE + seat or place == t.ASIDE_HIDDEN + seat:
            total += 1
    return total


def characters_of(state: Any, seat: int) -> int:
    """How many characters this player has taken."""
    n = 0
    for slot in range(t.N_SLOTS):
        if state.owner[slot] == seat:
            n += 1
    return n
