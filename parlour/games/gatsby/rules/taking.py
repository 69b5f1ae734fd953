"""The end of a turn: taking characters (GA-15 to GA-21), and the end of the game (GA-22, GA-23)."""

from __future__ import annotations

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import scoring
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.holdings import tiles_at
from parlour.games.gatsby.rules.parts import push
from parlour.games.gatsby.rules.places import count, is_open, joined, majority, row_bits
from parlour.games.gatsby.rules.state import State

OUTLINE = ("rally", "judge")


def rally(state: State) -> None:
    """GA-15, GA-17 to GA-21: take characters; their owners then look at those that are face down."""
    player = state.player
    for tile in range(p.N_TILES):
        if state.tile[tile] == s.IN_USE:
            state.tile[tile] = s.GONE
    state.used_rows = 0  # before it is tested which actions the next player can choose
    state.fresh = 0
    for i in range(2):  # the active player first
        seat = player if i == 0 else 1 - player
        for path in range(2):  # GA-17
            if state.owner[path] < 0 and joined(state, seat, path):
                _take(state, path, seat)
        if state.owner[p.STARS] < 0 and state.tokens[seat] & state.stars[0] == state.stars[0]:  # GA-18
            _take(state, p.STARS, seat)
        for floor in range(p.FLOORS):  # GA-19
            if state.owner[p.FINANCE + floor] < 0 and state.level[seat] >= state.char_level[floor]:
                _take(state, p.FINANCE + floor, seat)
    for row in range(p.ROWS):  # GA-20
        if is_open(state, row):
            seat = majority(state, row)
            if seat >= 0:
                _take(state, p.TRACK + row, seat)
                _give_back(state, row)
    push(state, s.JUDGE, 0)
    for i in range(p.N_SLOTS):
        slot = p.N_SLOTS - 1 - i
        if state.fresh >> slot & 1 and not state.up >> slot & 1:
            push(state, s.CLAIM, slot)


def _take(state: State, slot: int, seat: int) -> None:
    state.owner[slot] = seat
    state.fresh |= 1 << slot


def _give_back(state: State, row: int) -> None:
    """GA-20: return the tokens of a finished row to their owners."""
    spaces = row_bits(state, row)
    for seat in range(2):
        state.supply[seat] += count(state.tokens[seat] & spaces)
        state.tokens[seat] &= ~spaces


def judge(state: State) -> None:
    """GA-22, GA-23: end the game after a sudden victory or if a place has no characters; else pass the
    turn."""
    state.turns += 1
    state.winner = scoring.winner(state, 0)
    if state.winner >= 0:
        state.ending = scoring.has_won(state, state.winner, 0)
    elif _emptied(state):
        state.ending = s.PRESTIGE
    else:
        next_turn(state)
        return
    push(state, s.OVER, 0)  # GA-24: all that was taken or set aside is shown first
    for seat in range(2):
        for _ in range(tiles_at(state, s.ASIDE_HIDDEN + seat)):
            push(state, s.REVEAL, p.N_SLOTS + seat)
    for i in range(p.N_SLOTS):
        slot = p.N_SLOTS - 1 - i
        if state.owner[slot] >= 0 and not state.up >> slot & 1:
            push(state, s.REVEAL, slot)


def next_turn(state: State) -> None:
    """GA-9: begin the other player's turn; GA-14: its action may be chosen for them."""
    state.player = 1 - state.player
    push(state, s.FORCED if state.force else s.ACTION, 0)


def _emptied(state: State) -> bool:
    """GA-23: return whether some place has no character left."""
    cabaret = finance = track = True
    for slot in range(p.N_SLOTS):
        if state.owner[slot] < 0:
            if slot < p.FINANCE:
                cabaret = False
            elif slot < p.TRACK:
                finance = False
            else:
                track = False
    return cabaret or finance or track
