"""Whose decision it is, and what is possible: a space, an action, a bonus, a part of an action."""

from __future__ import annotations

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.holdings import tile_of, tiles_at
from parlour.games.gatsby.rules.parts import part_of
from parlour.games.gatsby.rules.places import beside, cabaret_room, gaps, next_to_any, row_room, row_starts, top
from parlour.games.gatsby.rules.state import State

OUTLINE = ("targets",)


def current_player(state: State) -> int:
    """GA-9, GA-14: return the active player, or the other one if they choose the action of this turn;
    CHANCE or TERMINAL if no player decides."""
    kind = state.due_kind[state.due - 1]
    if kind == s.OVER:
        return TERMINAL
    if kind <= s.REVEAL:
        return CHANCE
    return 1 - state.player if kind == s.FORCED else state.player


def legal_actions(state: State, out: Buffer) -> int:
    """GA-26: write the legal actions into `out`, ascending; return how many there are."""
    at = state.due - 1
    kind = state.due_kind[at]
    n = 0
    if kind >= s.START:
        spaces = targets(state, kind, state.due_arg[at])
        for space in range(p.N_SPACES):  # written and then counted or not: nothing to guess for a processor
            out[n] = space
            n += spaces >> space & 1
    elif kind == s.ACTION or kind == s.FORCED:
        for action in range(s.OWN_SPECIAL + 1):
            if may_act(state, action):
                out[n] = s.MAIN + action
                n += 1
    elif kind == s.BONUS or kind == s.EXCHANGE:
        out[0] = s.NO
        out[1] = s.YES
        n = 2
    elif kind == s.KEEP or kind == s.STAY:
        for tile in range(p.N_TILES):
            place = state.tile[tile]
            if place == s.IN_HAND or (kind == s.STAY and (place == s.KEPT or place == s.ON_SPACE + state.player)):
                out[n] = s.TILE + tile
                n += 1
    elif kind == s.PAIR:
        for pair in range(p.N_PAIRS):
            if state.owner[p.first_of(pair)] < 0 and state.owner[p.second_of(pair)] < 0:
                out[n] = s.TWO + pair
                n += 1
    return n


def may_act(state: State, action: int) -> bool:
    """GA-9: return whether the active player could choose action 0 to 3 (A to D) or 4, their Special."""
    tile = tile_of(state, state.player) if action == s.OWN_SPECIAL else 0
    if tile < 0 or must_move(state, action):
        return False
    for i in range(3):
        kind = part_of(action, tile, i)
        if kind and possible(state, kind, 0):
            return True
    return False


def must_move(state: State, action: int) -> bool:
    """GA-9: return whether the action token is on this action, which it must leave; it need not leave a
    personal space."""
    return action == state.last and action < s.OWN_SPECIAL


def possible(state: State, kind: int, arg: int) -> bool:
    """GA-9, GA-25: return whether a part can be carried out, or a bonus offered, now."""
    bonus = 0
    if kind == s.BONUS:
        bonus = arg
        if bonus == p.EXTRA:
            kind = s.PLACE
        elif bonus == p.SWAP:
            kind = s.OWN
    if kind == s.SAME or (kind >= s.START and kind <= s.OTHER):
        return targets(state, kind, arg) != 0
    if kind == s.STEP or bonus == p.CLIMB:
        return bool(state.level[state.player] < top(state))
    if bonus == p.FORCE:
        return not state.force
    return bonus != p.SPECIAL or tiles_at(state, s.IN_PILE) > 0


def targets(state: State, kind: int, arg: int) -> int:
    """GA-10 to GA-16: return the spaces that may be chosen for a placing, or tokens for a swap; 0 if the
    part is left out."""
    if kind == s.OWN:
        return int(state.tokens[state.player] if state.tokens[1 - state.player] else 0)
    if kind == s.OTHER:
        return int(state.tokens[1 - state.player])
    if not state.supply[state.player]:  # GA-13
        return 0
    if kind == s.CABARET:
        return next_to_any(state)
    if kind == s.NEXT:  # GA-9 A: next to the space before
        return beside(1 << arg - 1) & cabaret_room(state) if arg else 0
    if kind == s.START or kind == s.ANYWHERE:
        return cabaret_room(state)
    if kind == s.RACETRACK:
        return row_starts(state, state.used_rows)
    if kind == s.ROW:
        return row_starts(state, 0)
    if kind == s.SAME:
        room = row_room(state, arg - 1) if arg else 0
        return room & -room
    if kind == s.GAP:
        return gaps(state)
    return next_to_any(state) | row_starts(state, 0)  # PLACE
