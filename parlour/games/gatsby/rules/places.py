"""Gatsby: the three places; Cabaret and Racetrack as sets of spaces (masks of bits)."""

from __future__ import annotations

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules.state import State

OUTLINE = ("joined", "row_starts", "majority")


def top(state: State) -> int:
    """GA-5: return the highest level of the Finance Center, where its last character is."""
    return state.char_level[p.FLOORS - 1]


def beside(spaces: int) -> int:
    """Return the spaces of the six-by-six grid that are orthogonally next to one of `spaces` (Cabaret
    bits only)."""
    right = (spaces << 1) & ~p.FIRST_COLUMN
    left = (spaces & ~p.FIRST_COLUMN) >> 1
    return right | left | spaces << p.GRID | spaces >> p.GRID


def cabaret_room(state: State) -> int:
    """Return the empty Cabaret spaces."""
    return int(p.cabaret(state.size) & ~(state.tokens[0] | state.tokens[1]))


def next_to_any(state: State) -> int:
    """GA-10: return the empty Cabaret spaces next to a token of either player."""
    return cabaret_room(state) & beside((state.tokens[0] | state.tokens[1]) & p.CABARET_BITS)


def is_open(state: State, row: int) -> bool:
    """GA-12: return whether a row is open: its character has not been taken."""
    return bool(state.owner[p.TRACK + row] < 0)


def row_bits(state: State, row: int) -> int:
    """Return all spaces of a row."""
    return int(p.row_spaces(state.lengths[row]) << row * p.LANE)


def row_room(state: State, row: int) -> int:
    """GA-12: return the empty spaces of a row, or no spaces if it is closed."""
    return row_bits(state, row) & ~(state.tokens[0] | state.tokens[1]) if is_open(state, row) else 0


def row_starts(state: State, without: int) -> int:
    """GA-12: return the leftmost empty space of each open row that has one, except for the rows of the
    mask `without`."""
    found = 0
    for row in range(p.ROWS):
        if not without >> row & 1:
            room = row_room(state, row)
            found |= room & -room
    return found


def gaps(state: State) -> int:
    """GA-16, S11: return every empty space of every open row."""
    found = 0
    for row in range(p.ROWS):
        found |= row_room(state, row)
    return found


def row_of(space: int) -> int:
    return (space - p.RACE) // p.LANE


def edge(state: State, path: int, far: int) -> int:
    """GA-3: return an edge of the Cabaret: the north-east path joins rows, the north-west path columns."""
    last = state.size - 1 if far else 0
    line = p.FIRST_ROW << last * p.GRID if path == p.NORTH_EAST else p.FIRST_COLUMN << last
    return int(line & p.cabaret(state.size))


def joined(state: State, seat: int, path: int) -> bool:
    """GA-17: return whether a chain of this player's tokens joins the two edges of a path."""
    own = state.tokens[seat] & p.CABARET_BITS
    reached = own & edge(state, path, 0)
    goal = edge(state, path, 1)
    grown = 0
    while reached != grown and not reached & goal:
        grown = reached
        reached |= beside(reached) & own
    return bool(reached & goal)


def count(spaces: int) -> int:
    """Return how many spaces are in a set."""
    n = 0
    while spaces:
        spaces &= spaces - 1
        n += 1
    return n


def majority(state: State, row: int) -> int:
    """GA-20: return the seat with more tokens on a full row, or -1 if it is not full."""
    whole = row_bits(state, row)
    mine, theirs = state.tokens[0] & whole, state.tokens[1] & whole
    if mine | theirs != whole:
        return -1
    return 0 if count(mine) > count(theirs) else 1
