"""What each seat sees of Gatsby (GA-24)."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.hidden import recall
from parlour.games.gatsby.rules.state import State

OWN, SEAT = 14, 5  # where the numbers of the own seat begin, and how many a seat has: those of the other follow
PLACES = OWN + 2 * SEAT + s.STACK + p.N_SPACES  # of characters, three numbers for each
KNOWN = PLACES + 3 * p.N_SLOTS
UNUSED = 0  # a number that is written last, and takes what belongs nowhere

# Tables instead of questions: a processor that guesses the answer to each is wrong half the time.
# Where the one place of a mask has its character; UNUSED for all other masks
SURE_AT = tuple(
    PLACES + 3 * (mask.bit_length() - 1) + 1 if mask.bit_count() == 1 else UNUSED for mask in range(1 << p.N_SLOTS)
)
CODES = s.KEPT + 1
# viewer (0 and 1: a seat that is not active; 2 and 3: that is; 4: a spectator) * CODES + the place of a tile -> as the
# viewer sees it, the code of a place with a seat even for the own one
TILE_SEEN = tuple(
    s.IN_PILE
    if (place in (s.IN_HAND, s.KEPT) and viewer not in (2, 3))
    or (s.ASIDE_HIDDEN <= place < s.IN_USE and (viewer == 4 or (place ^ viewer) & 1))
    else place ^ (viewer & 1)
    if s.ON_SPACE <= place < s.IN_USE
    else place
    for viewer in range(5)
    for place in range(CODES)
)
# seat * CODES + the place of a tile -> what counts it: tiles set aside face down, or discarded; UNUSED if nothing does
TILE_COUNTED = tuple(
    OWN + SEAT * ((place ^ seat) & 1) + (3 if place < s.DISCARDED else 4)
    if s.ASIDE_HIDDEN <= place < s.IN_USE
    else UNUSED
    for seat in range(2)
    for place in range(CODES)
)


def observation(state: State, player: int, out: Buffer) -> int:
    """Write what the seat sees, itself first (or seat 0 for a spectator): the turn, what is due, tokens,
    characters, tiles.

    The facts name the numbers. What is due is kind | argument << 5, a number for each part.
    """
    me = player if player >= 0 else 0
    other = 1 - me
    recall(state, player, out)  # first, at the front, which is written over; this needs no buffer of its own
    for c in range(p.N_CHARACTERS):
        out[KNOWN + c] = out[c]
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
    n = OWN
    for i in range(2):
        seat = me if i == 0 else other
        out[n] = state.level[seat]
        out[n + 1] = state.supply[seat]
        out[n + 3] = 0
        out[n + 4] = 0
        n += SEAT
    for i in range(s.STACK):
        out[n + i] = state.due_kind[i] | state.due_arg[i] << 5 if i < state.due else -1
    n += s.STACK
    mine, others = state.tokens[me], state.tokens[other]
    for space in range(p.N_SPACES):
        out[n + space] = (mine >> space & 1) + 2 * (others >> space & 1)
    n = PLACES
    taken, all_taken = 0, 0
    for slot in range(p.N_SLOTS):
        owner = state.owner[slot]
        taken += owner == me
        all_taken += owner >= 0
        out[n] = owner if owner < 0 else owner ^ me
        out[n + 1] = -1
        out[n + 2] = (state.up >> slot & 1) + 2 * (state.fresh >> slot & 1)
        n += 3
    out[OWN + 2] = taken
    out[OWN + SEAT + 2] = all_taken - taken
    for c in range(p.N_CHARACTERS - 1, -1, -1):  # of several that a place certainly has, the first one stays
        out[SURE_AT[out[KNOWN + c]]] = c
    n += p.N_CHARACTERS
    viewer = 4 if player < 0 else me + 2 * (player == state.player)
    for tile in range(p.N_TILES):
        place = state.tile[tile]
        out[TILE_COUNTED[me * CODES + place]] += 1
        out[n + tile] = TILE_SEEN[viewer * CODES + place]
    n += p.N_TILES
    out[n] = state.setup_bonus
    out[n + 1] = state.play_off
    out[n + 2] = state.games
    out[UNUSED] = (state.player - me) % 2
    return n + 3
