"""Gatsby: numbers that rules, words and pictures share: constants, and tables worked out from them."""

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

# Characters: suit * 3 + number; their places: two paths, stars, four in the Finance Center, five on the Racetrack
SUITS, OF_SUIT, N_CHARACTERS, N_SLOTS = 5, 3, 15, 12
NORTH_EAST, NORTH_WEST, STARS, FINANCE, TRACK = 0, 1, 2, 3, 7
LEVELS, FLOORS = 13, 4  # GA-5: levels 0 to 12, four of them with a character
OPEN_SLOTS = (NORTH_EAST, NORTH_WEST, FINANCE, FINANCE + 3, TRACK, TRACK + 4)  # GA-7
PUBLIC = 2  # instead of a seat: everybody

# Bonuses (GA-14); STAR stands among them on the Cabaret's tiles
NOTHING, PEEK, CLIMB, FORCE, EXTRA, SWAP, SPECIAL, STAR = 0, 1, 2, 3, 4, 5, 6, 7
BONUSES = ("-", "peek", "finance", "force", "place", "swap", "special", "star")

# Where a Special tile is (GA-14, GA-15); for the codes with a seat, seat 1's is one more
N_TILES = 11
IN_PILE, IN_HAND, ON_SPACE, ASIDE, ASIDE_HIDDEN, DISCARDED, IN_USE, GONE, KEPT = 0, 1, 2, 4, 6, 8, 10, 11, 12

# Parts of the game: what the top of the stack waits for. The first ones are made of chance, then decisions, then
# what happens by itself. A part is kind | argument << 5.
OVER, QUARTER, CHARACTER, FLIP, DRAW, LOOK, CLAIM, REVEAL = 0, 1, 2, 3, 4, 5, 6, 7
KEEP, STAY, ACTION, FORCED, BONUS, PAIR, EXCHANGE = 8, 9, 10, 11, 12, 13, 14
START, CABARET, NEXT, ANYWHERE, RACETRACK, ROW, GAP, PLACE, OWN, OTHER = 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
STEP, SAME, RALLY, JUDGE = 25, 26, 27, 28
KIND = 31
STACK = 40  # parts that can wait at once

# Actions: spaces first, then
NO, YES = N_SPACES, N_SPACES + 1
MAIN = N_SPACES + 2  # A, B, C, D and the own Special
USE = MAIN + 4
TILE = USE + 1
TWO = TILE + N_TILES  # two places with characters
N_PAIRS = N_SLOTS * (N_SLOTS - 1) // 2
PAIR_FIRST = tuple(p for p in range(N_SLOTS) for q in range(p + 1, N_SLOTS))
PAIR_SECOND = tuple(q for p in range(N_SLOTS) for q in range(p + 1, N_SLOTS))
PAIR_OF = tuple(
    tuple(next((i for i in range(N_PAIRS) if {PAIR_FIRST[i], PAIR_SECOND[i]} == {p, q}), -1) for q in range(N_SLOTS))
    for p in range(N_SLOTS)
)
BLIND = PAIR | 1 << 5  # S7: exchanged without a look

# GA-9 and GA-16: the parts of each action, in order
MAIN_PARTS = ((CABARET, NEXT, 0), (CABARET, STEP, 0), (STEP, RACETRACK, 0), (RACETRACK, RACETRACK, 0))
TILE_PARTS = (
    (CABARET, CABARET, 0), (CABARET, NEXT, NEXT), (CABARET, OWN, 0), (ANYWHERE, 0, 0), (CABARET, STEP, RACETRACK),
    (STEP, STEP, 0), (BLIND, STEP, OWN), (ROW, SAME, 0), (RACETRACK, RACETRACK, RACETRACK), (OWN, RACETRACK, 0),
    (GAP, 0, 0),
)  # fmt: skip

# What happened to characters, for what each seat may know (GA-24): kind | seat << 2 | place << 4 | rest << 8
SEEN, MOVED, HIDDEN_MOVE = 1, 2, 3  # rest: the face; the other place; the other place and, in bit 4, whether they moved
LOG = 80
MAX_PEEKS = 12

# How a game ends (GA-22, GA-23)
GOES_ON, TRIO, ALL_SUITS, PRESTIGE = 0, 1, 2, 3


# The tables, looked up: as functions, so that they compile to plain reads
def cabaret(size: int) -> int:
    """GA-3: the spaces of a Cabaret of this size."""
    return int(CABARET_OF[size])


def row_spaces(length: int) -> int:
    """GA-4: so many spaces of the first row."""
    return int(ROW_BITS[length])


def first_of(pair: int) -> int:
    return int(PAIR_FIRST[pair])


def second_of(pair: int) -> int:
    return int(PAIR_SECOND[pair])


def open_slot(i: int) -> int:
    """GA-7: place number `i` of those turned up."""
    return int(OPEN_SLOTS[i])


def part_of(action: int, tile: int, i: int) -> int:
    """GA-9, GA-16: part number `i` of an action, of the tile when it is the Special; 0: there is none."""
    return int(TILE_PARTS[tile][i] if action == 4 else MAIN_PARTS[action][i])
