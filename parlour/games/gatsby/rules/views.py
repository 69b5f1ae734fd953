"""What each seat sees of Gatsby (GA-24)."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import HIDDEN, Buffer
from parlour.games.gatsby.rules import knowledge as k
from parlour.games.gatsby.rules import tables as t
from parlour.games.gatsby.rules.holdings import characters_of, tile_of, tiles_at


def observation(state: Any, player: int, out: Buffer) -> int:
    """What the seat sees, itself first (a spectator: seat 1 first): the turn, the stack, tokens, characters, tiles."""
    me = player if player >= 0 else 0
    out[0] = (state.player - me) % 2
    out[1] = state.turns
    out[2] = state.last
    out[3] = state.force
    out[4] = state.forced
    out[5] = state.used_rows
    out[6] = state.ending
    out[7] = state.winner if state.winner < 0 else (state.winner - me) % 2
    out[8] = state.size
    out[9] = state.depth
    for i in range(4):
        out[10 + i] = state.quarters[i]
    n = 14
    for i in range(2):
        seat = me if i == 0 else 1 - me
        out[n] = state.level[seat]
        out[n + 1] = state.supply[seat]
        out[n + 2] = characters_of(state, seat)
        out[n + 3] = tiles_at(state, t.ASIDE_HIDDEN + seat)
        out[n + 4] = tiles_at(state, t.DISCARDED + seat)
        n += 5
    for i in range(t.STACK):
        out[n] = state.stack[i] if i < state.depth else -1
        n += 1
    for space in range(t.N_SPACES):
        out[n] = (state.tokens[me] >> space & 1) + 2 * (state.tokens[1 - me] >> space & 1)
        n += 1
    seen = [0] * t.N_CHARACTERS
    k.recall(state, player, seen)
    for slot in range(t.N_SLOTS):
        out[n] = state.owner[slot] if state.owner[slot] < 0 else (state.owner[slot] - me) % 2
        out[n + 1] = k.sure(seen, slot)
        out[n + 2] = (state.up >> slot & 1) + 2 * (state.fresh >> slot & 1)
        n += 3
    for c in range(t.N_CHARACTERS):
        out[n] = seen[c]
        n += 1
    for tile in range(t.N_TILES):  # whose place is another code for each seat; seat codes are even for `me`
        place = state.tile[tile]
        if not k.tile_known(state, tile, player):
            place = t.IN_PILE
        elif place >= t.ON_SPACE and place < t.IN_USE:
            place = place & ~1 | (place & 1) ^ me
        out[n] = place
        n += 1
    return n


def observed_action(state: Any, action: int, player: int) -> int:
    """GA-24: tiles drawn, looks and exchanges of face-down characters are seen by one player only."""
    part = state.stack[state.depth - 1]
    kind, arg = part & t.KIND, part >> 5
    seat = state.player
    if kind == t.CLAIM:
        seat = state.owner[arg]
    if player == seat:
        return action
    if kind == t.DRAW or kind == t.LOOK or kind == t.CLAIM:
        return HIDDEN
    if kind == t.KEEP and tile_of(state, seat) >= 0:
        return HIDDEN
    if kind == t.EXCHANGE and not (state.up >> t.first_of(arg) | state.up >> t.second_of(arg)) & 1:
        return HIDDEN
    return action
