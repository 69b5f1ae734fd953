"""GA-6, GA-26: the outcomes of chance, and their effects."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.hidden import note
from parlour.games.gatsby.rules.holdings import change_places
from parlour.games.gatsby.rules.opening import play_again
from parlour.games.gatsby.rules.parts import push
from parlour.games.gatsby.rules.state import State

OUTLINE = ("happen",)


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """GA-6, GA-26: write all outcomes, which are equally likely, and return how many there are.

    A face that a player knows has one outcome.
    """
    at = state.due - 1
    kind, arg = state.due_kind[at], state.due_arg[at]
    n = 0
    if kind == s.OVER or kind > s.REVEAL:
        return 0
    for outcome in range(_most(kind, arg)):
        if _may_come(state, kind, arg, outcome):
            out[n] = outcome
            weights[n] = 1
            n += 1
    return n


def _most(kind: int, arg: int) -> int:
    """Return the number of quarters, seats, tiles or characters: outcomes are numbered from 0 up to it."""
    if kind == s.QUARTER:
        return p.QUARTERS
    if kind == s.FLIP:
        return 2
    return p.N_TILES if kind == s.DRAW or (kind == s.REVEAL and arg >= p.N_SLOTS) else p.N_CHARACTERS


def _may_come(state: State, kind: int, arg: int, outcome: int) -> bool:
    """Return whether the chance event `kind`, `arg` can have this outcome."""
    if kind == s.QUARTER:
        for quarter in range(arg % s.AGAIN):
            if state.quarters[quarter] == outcome:
                return False
        return True
    if kind == s.FLIP:
        return True
    if kind == s.DRAW:
        return bool(state.tile[outcome] == s.IN_PILE)
    if kind == s.REVEAL and arg >= p.N_SLOTS:
        return bool(state.tile[outcome] == s.ASIDE_HIDDEN + arg - p.N_SLOTS)
    if state.char[arg] >= 0:
        return bool(state.char[arg] == outcome)
    for slot in range(p.N_SLOTS):
        if state.char[slot] == outcome:
            return False
    return True


def sample_chance(state: State, rng: Buffer) -> int:
    """Draw one outcome with its probability."""
    at = state.due - 1
    kind, arg = state.due_kind[at], state.due_arg[at]
    most = _most(kind, arg)
    if most == p.N_CHARACTERS and state.char[arg] >= 0:
        return int(state.char[arg])
    outcome = random_below(rng, most)
    while not _may_come(state, kind, arg, outcome):
        outcome = random_below(rng, most)
    return outcome


# Effects -----------------------------------------------------------------------------------------
def happen(state: State, kind: int, arg: int, outcome: int) -> None:
    """GA-26: apply an outcome of the chance event `kind`, `arg`, which is no longer due."""
    if kind == s.QUARTER:
        if arg == s.AGAIN:
            play_again(state)
        _lay(state, arg % s.AGAIN, outcome)
    elif kind == s.CHARACTER:
        state.char[arg] = outcome
        state.up |= 1 << arg
        if arg == p.open_slot(5):
            _order(state)
    elif kind == s.FLIP:  # GA-8: the other one prepares first
        state.player = 1 - outcome
    elif kind == s.DRAW:
        state.tile[outcome] = s.IN_HAND
        if arg > 1:
            push(state, s.DRAW, arg - 1)
    elif kind == s.REVEAL and arg >= p.N_SLOTS:
        state.tile[outcome] -= s.ASIDE_HIDDEN - s.ASIDE
    else:
        state.char[arg] = outcome
        seat = state.player
        if kind == s.CLAIM:
            seat = state.owner[arg]
        elif kind == s.REVEAL:
            seat = s.PUBLIC
            state.up |= 1 << arg
        note(state, s.SEEN, seat, arg, outcome)


def _lay(state: State, quarter: int, tile: int) -> None:
    """GA-3: lay a Cabaret tile, not turned, in its quarter."""
    side = state.size // 2
    state.quarters[quarter] = tile
    for row in range(side):
        for column in range(side):
            content = state.cells[tile][row * p.SIDE + column]
            space = (row + quarter // 2 * side) * p.GRID + column + quarter % 2 * side
            if content == p.STAR:
                state.stars[0] |= 1 << space
            else:
                state.bonus[space] = content


def _order(state: State) -> None:
    """GA-7: move the better characters to level 12 and to row 1, and record that both players saw the six."""
    if state.prestige[state.char[p.FINANCE]] > state.prestige[state.char[p.FINANCE + 3]]:
        change_places(state, p.FINANCE, p.FINANCE + 3)
    if state.prestige[state.char[p.TRACK + 4]] > state.prestige[state.char[p.TRACK]]:
        change_places(state, p.TRACK, p.TRACK + 4)
    for i in range(6):
        note(state, s.SEEN, s.PUBLIC, p.open_slot(i), state.char[p.open_slot(i)])
