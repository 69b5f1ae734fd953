"""Gatsby: what is in the box: spaces, characters, bonuses, Special Action tiles, and tables worked out
from them."""

from __future__ import annotations

# Spaces: Cabaret row * GRID + column, then Racetrack RACE + row * LANE + place; a set of spaces is a mask of bits
GRID, LANE, ROWS = 6, 5, 5
RACE = GRID * GRID
N_SPACES = RACE + ROWS * LANE
CABARET_BITS = (1 << RACE) - 1
CABARET_OF = tuple(sum(1 << r * GRID + c for r in range(k) for c in range(k)) for k in range(GRID + 1))
FIRST_COLUMN = sum(1 << r * GRID for r in range(GRID))
FIRST_ROW = (1 << GRID) - 1
ROW_BITS = tuple(((1 << n) - 1) << RACE for n in range(LANE + 1))
QUARTERS, SIDE = 4, 3  # GA-3: tiles of the Cabaret, and the longest side of one

# Characters: suit * 3 + number; their places: two paths, stars, four in the Finance Center, five on the Racetrack
SUITS, OF_SUIT, N_CHARACTERS, N_SLOTS = 5, 3, 15, 12
NORTH_EAST, NORTH_WEST, STARS, FINANCE, TRACK = 0, 1, 2, 3, 7
LEVELS, FLOORS = 13, 4  # GA-5: levels 0 to 12 at most, four of them with a character
OPEN_SLOTS = (NORTH_EAST, NORTH_WEST, FINANCE, FINANCE + 3, TRACK, TRACK + 4)  # GA-7

# Bonuses (GA-14), and STAR, which is also on the Cabaret's tiles
NOTHING, PEEK, CLIMB, FORCE, EXTRA, SWAP, SPECIAL, STAR = 0, 1, 2, 3, 4, 5, 6, 7
BONUSES = ("-", "peek", "finance", "force", "place", "swap", "special", "star")

N_TILES = 11  # GA-1: Special Action tiles

# Two places of characters, as one number
N_PAIRS = N_SLOTS * (N_SLOTS - 1) // 2
PAIR_FIRST = tuple(p for p in range(N_SLOTS) for q in range(p + 1, N_SLOTS))
PAIR_SECOND = tuple(q for p in range(N_SLOTS) for q in range(p + 1, N_SLOTS))
PAIR_OF = tuple(
    tuple(next((i for i in range(N_PAIRS) if {PAIR_FIRST[i], PAIR_SECOND[i]} == {p, q}), -1) for q in range(N_SLOTS))
    for p in range(N_SLOTS)
)


# The tables, looked up: as functions, so that they compile to plain reads
def cabaret(size: int) -> int:
    """GA-3: return the spaces of a Cabaret of this size."""
    return int(CABARET_OF[size])


def row_spaces(length: int) -> int:
    """GA-4: return this many spaces of the first row."""
    return int(ROW_BITS[length])


def first_of(pair: int) -> int:
    """Return the first of two places, the one with the lower number."""
    return int(PAIR_FIRST[pair])


def second_of(pair: int) -> int:
    """Return the second of two places."""
    return int(PAIR_SECOND[pair])


def open_slot(i: int) -> int:
    """GA-7: return place number `i` of those turned up."""
    return int(OPEN_SLOTS[i])
