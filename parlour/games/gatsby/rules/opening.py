"""The beginning of a game (GA-6 to GA-8), and of another one after a draw (GA-23)."""

from __future__ import annotations

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import scoring
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.parts import push
from parlour.games.gatsby.rules.places import count
from parlour.games.gatsby.rules.state import State


def lay_out(state: State) -> None:
    """GA-6 to GA-8: empty the board, and make due all parts before the first turn, in their order."""
    for slot in range(p.N_SLOTS):
        state.char[slot] = -1
        state.owner[slot] = -1
    for quarter in range(p.QUARTERS):
        state.quarters[quarter] = -1
    push(state, s.START, 0)
    push(state, s.KEEP, 0)
    push(state, s.DRAW, 2)
    push(state, s.FLIP, 0)
    for i in range(len(p.OPEN_SLOTS)):
        push(state, s.CHARACTER, p.open_slot(len(p.OPEN_SLOTS) - 1 - i))
    for i in range(p.QUARTERS):
        push(state, s.QUARTER, p.QUARTERS - 1 - i)


def undecided(state: State) -> bool:
    """GA-23: return whether another game is to decide, when everything taken has been shown."""
    return bool(
        state.play_off
        and state.ending == s.PRESTIGE
        and state.games < s.MOST_GAMES - 1
        and scoring.margin(state, 0, state.up) == 0
    )


def play_again(state: State) -> None:
    """GA-23: empty the board, take all pieces back, and begin another game; the tile of its first quarter is already
    drawn."""
    for seat in range(2):
        state.supply[seat] += count(state.tokens[seat])
        state.tokens[seat] = 0
        state.level[seat] = 0
    state.stars[0] = 0
    for space in range(p.RACE):  # the Cabaret's tiles are laid again
        state.bonus[space] = 0
    for tile in range(p.N_TILES):
        state.tile[tile] = s.IN_PILE
    state.up = 0
    state.noted = 0
    state.due = 0
    state.player = 0
    state.games += 1
    state.turns = 0
    state.last = -1
    state.force = 0
    state.forced = 0
    state.used_rows = 0
    state.fresh = 0
    state.placed[0] = 0
    state.ending = s.GOES_ON
    lay_out(state)
    state.due -= 1
