"""What each seat sees of Gatsby (GA-24)."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.hidden import recall, sure, tile_known
from parlour.games.gatsby.rules.holdings import characters_of, tiles_at
from parlour.games.gatsby.rules.state import State


def observation(state: State, player: int, out: Buffer) -> int:
    """Write what the seat sees, itself first (or seat 0 for a spectator): the turn, what is due, tokens,
    characters, tiles.

    The facts name the numbers. What is due is kind | argument << 5, a number for each part.
    """
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
    out[9] = state.due
    for i in range(4):
        out[10 + i] = state.quarters[i]
    n = 14
    for i in range(2):
        seat = me if i == 0 else 1 - me
        out[n] = state.level[seat]
        out[n + 1] = state.supply[seat]
        out[n + 2] = characters_of(state, seat)
        out[n + 3] = tiles_at(state, s.ASIDE_HIDDEN + seat)
        out[n + 4] = tiles_at(state, s.DISCARDED + seat)
        n += 5
    for i in range(s.STACK):
        out[n] = state.due_kind[i] | state.due_arg[i] << 5 if i < state.due else -1
        n += 1
    for space in range(p.N_SPACES):
        out[n] = (state.tokens[me] >> space & 1) + 2 * (state.tokens[1 - me] >> space & 1)
        n += 1
    seen = [0] * p.N_CHARACTERS
    recall(state, player, seen)
    for slot in range(p.N_SLOTS):
        out[n] = state.owner[slot] if state.owner[slot] < 0 else (state.owner[slot] - me) % 2
        out[n + 1] = sure(seen, slot)
        out[n + 2] = (state.up >> slot & 1) + 2 * (state.fresh >> slot & 1)
        n += 3
    for c in range(p.N_CHARACTERS):
        out[n] = seen[c]
        n += 1
    for tile in range(p.N_TILES):  # the code of a place with a seat is even for `me`
        place = state.tile[tile]
        if not tile_known(state, tile, player):
            place = s.IN_PILE
        elif place >= s.ON_SPACE and place < s.IN_USE:
            place = place & ~1 | (place & 1) ^ me
        out[n] = place
        n += 1
    out[n] = state.setup_bonus
    out[n + 1] = state.play_off
    out[n + 2] = state.games
    return n + 3
