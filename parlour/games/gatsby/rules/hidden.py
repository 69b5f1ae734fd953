"""What each player sees (GA-24): draws, looks and exchanges as they happen, and what each may know of
characters and tiles.

A face is not drawn before a player looks at it, so a face that no player has seen is in no state.
What has been seen is kept as a list of looks and exchanges; what a seat knows follows from those
that it saw.
"""

from __future__ import annotations

from parlour.core.contract import HIDDEN, Buffer
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.holdings import tile_of
from parlour.games.gatsby.rules.state import State

OUTLINE = ("recall",)


def observed_action(state: State, action: int, player: int) -> int:
    """GA-24: return a step as this player sees it.

    Only one player sees tiles drawn, looks and exchanges of face-down characters.
    """
    at = state.due - 1
    kind, arg = state.due_kind[at], state.due_arg[at]
    seat = state.player
    if kind == s.CLAIM:
        seat = state.owner[arg]
    if player == seat:
        return action
    if kind == s.DRAW or kind == s.LOOK or kind == s.CLAIM:
        return HIDDEN
    if kind == s.KEEP and tile_of(state, seat) >= 0:
        return HIDDEN
    if kind == s.EXCHANGE and both_down(state, arg):
        return HIDDEN
    return action


def both_down(state: State, pair: int) -> bool:
    """Return whether two characters are both face down."""
    return not (state.up >> p.first_of(pair) | state.up >> p.second_of(pair)) & 1


def may_undo(before: State, _action: int, after: State) -> bool:
    """GA-24: return whether a step can be taken back: not if it showed a tile drawn in secret or ended
    the turn, because characters are then taken."""
    kind = before.due_kind[before.due - 1]
    shows_a_tile = kind == s.STAY or (kind == s.KEEP and tile_of(before, before.player) < 0)
    return not shows_a_tile and after.turns == before.turns and after.games == before.games


def tile_known(state: State, tile: int, player: int) -> bool:
    """GA-24: return whether `player` knows where this tile is."""
    place = state.tile[tile]
    if place == s.IN_PILE:
        return False
    if place == s.IN_HAND or place == s.KEPT:
        return bool(player == state.player)
    if place == s.ASIDE_HIDDEN or place == s.ASIDE_HIDDEN + 1:
        return bool(player == place - s.ASIDE_HIDDEN)
    if place == s.DISCARDED or place == s.DISCARDED + 1:
        return bool(player == place - s.DISCARDED)
    return True


# Looks and exchanges -----------------------------------------------------------------------------
def note(state: State, kind: int, seat: int, place: int, rest: int) -> None:
    """GA-24: record what happened to characters: SEEN, MOVED or HIDDEN_MOVE, and which seat saw it (or
    PUBLIC)."""
    state.log[state.noted] = kind | seat << 2 | place << 4 | rest << 8
    state.noted += 1


def recall(state: State, player: int, seen: Buffer) -> None:
    """GA-24: write for each character the mask of places where it may be, as `player` knows; 0 if they
    never saw it.

    An exchange that they were not shown makes "in this place" into "in one of these two".
    """
    for c in range(p.N_CHARACTERS):
        seen[c] = 0
    for i in range(state.noted):
        entry = state.log[i]
        kind, seat, place, rest = entry & 3, entry >> 2 & 3, entry >> 4 & 15, entry >> 8 & 15
        here, there = 1 << place, 1 << rest
        if kind == s.SEEN:
            shown = here if seat == player or seat == s.PUBLIC else 0
            for c in range(p.N_CHARACTERS):
                seen[c] &= ~shown
            seen[rest] = shown if shown else seen[rest]
        elif kind == s.HIDDEN_MOVE and seat != player:
            _rule_out(seen)  # first: a place that becomes "one of two" no longer excludes others
            for c in range(p.N_CHARACTERS):
                if seen[c] & (here | there):
                    seen[c] |= here | there
        elif kind == s.MOVED or entry >> 12:
            for c in range(p.N_CHARACTERS):
                known = seen[c]
                seen[c] = (known & ~here & ~there) | (known >> place & 1) << rest | (known >> rest & 1) << place
    _rule_out(seen)


def _rule_out(seen: Buffer) -> None:
    """GA-24: exclude from each place that certainly has one character all the others."""
    doubtful = 0
    for c in range(p.N_CHARACTERS):
        doubtful |= seen[c] & (seen[c] - 1)
    if not doubtful:  # most often: then each is in one place, or was never seen
        return
    certain, before = 0, -1
    while certain != before:
        before = certain
        for c in range(p.N_CHARACTERS):
            if seen[c] & (seen[c] - 1):
                seen[c] &= ~certain
            if not seen[c] & (seen[c] - 1):
                certain |= seen[c]


def sure(seen: Buffer, slot: int) -> int:
    """Return the character that, by `seen`, is certainly at `slot`, or -1."""
    for c in range(p.N_CHARACTERS):
        if seen[c] == 1 << slot:
            return c
    return -1
