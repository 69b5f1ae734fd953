"""Gatsby's state, and names for its numbers: what can be due, actions, where tiles are, how a game
ends.

The rest of a turn is a stack in the state: the game waits for the last part, a decision or a chance
event. A bonus is put on top, so that everything it brings is finished before the interrupted part
continues (GA-25). Faces and tiles are drawn when a player first sees them, so what no player knows
is not in the state (see `hidden`).
"""

from __future__ import annotations

from parlour.core.struct import ints, rows, struct
from parlour.games.gatsby.rules import pieces as p

# Kinds of parts that can be due: first those of chance, then decisions, then those that happen without a decision.
# The comments after some kinds say what their argument is (`State.due_arg`); for the others it is 0.
OVER = 0
QUARTER = 1  # which quarter; or AGAIN
CHARACTER = 2  # which place
FLIP = 3
DRAW = 4  # how many tiles
LOOK, CLAIM = 5, 6  # which place
REVEAL = 7  # which place; or N_SLOTS + the seat that has set a tile aside
KEEP, STAY, ACTION, FORCED = 8, 9, 10, 11
BONUS = 12  # which bonus
PAIR = 13  # SEEING or BLIND
EXCHANGE = 14  # which pair
START, CABARET = 15, 16
NEXT = 17  # the space before plus one; 0 as long as no token was placed
ANYWHERE, RACETRACK, ROW, GAP, PLACE, OWN = 18, 19, 20, 21, 22, 23
OTHER = 24  # the space of the own token
STEP = 25
SAME = 26  # the row plus one; 0 as long as no row was chosen
RALLY, JUDGE = 27, 28
BEGIN = 29  # GA-8: the setup is done, and the other player has the first turn
SEEING, BLIND = 0, 1  # of PAIR: a peek, or S7 (GA-16), which exchanges without a look
AGAIN = p.QUARTERS  # of QUARTER: the first quarter of another game, before which the board is emptied (GA-23)
STACK = 40  # parts that can be due at once

# Actions: spaces first, then
NO, YES = p.N_SPACES, p.N_SPACES + 1
MAIN = p.N_SPACES + 2  # A, B, C, D and the own Special
OWN_SPECIAL = 4  # its number among these five
USE = MAIN + OWN_SPECIAL
TILE = USE + 1
TWO = TILE + p.N_TILES  # two places with characters

VERSION = 1
N_ACTIONS = TWO + p.N_PAIRS
MAX_LEGAL = N_ACTIONS
MAX_OUTCOMES = p.N_CHARACTERS

PUBLIC = 2  # instead of a seat: both players

# Where a Special Action tile is (GA-14, GA-15); for the codes with a seat, seat 1's is one more
IN_PILE, IN_HAND, ON_SPACE, ASIDE, ASIDE_HIDDEN, DISCARDED, IN_USE, GONE, KEPT = 0, 1, 2, 4, 6, 8, 10, 11, 12

# What happened to characters, for what each seat may know (GA-24): kind | seat << 2 | place << 4 | rest << 8
SEEN, MOVED, HIDDEN_MOVE = 1, 2, 3  # rest: the face; the other place; the other place and, in bit 4, whether they moved
LOG = 80

# How a game ends (GA-22, GA-23)
GOES_ON, TRIO, ALL_SUITS, PRESTIGE = 0, 1, 2, 3
MOST_GAMES = 9  # GA-23: in a row; if the last has no winner either, it is a draw


@struct
class State:
    """A position: the edition, the board, what is still due in the turn. Sets of spaces and places
    are masks."""

    # the options
    setup_bonus: int = 0  # GA-8: a bonus of the setup token is taken, not lost
    play_off: int = 0  # GA-23: a draw is followed by another game
    # the edition
    size: int = 0  # of the Cabaret
    cells: list[list[int]] = rows(p.QUARTERS, p.SIDE * p.SIDE, 8)  # GA-3: tile, row * SIDE + column -> what is on it
    prestige: list[int] = ints(p.N_CHARACTERS, 8)
    lengths: list[int] = ints(p.ROWS, 8)
    level_bonus: list[int] = ints(p.LEVELS, 8)
    under_bonus: list[int] = ints(p.FLOORS, 8)
    char_level: list[int] = ints(p.FLOORS, 8)
    # the board
    quarters: list[int] = ints(p.QUARTERS, 8)  # GA-3: the tile in each, -1 before it is laid
    bonus: list[int] = ints(p.N_SPACES, 8)
    stars: list[int] = ints(1, 64)
    tokens: list[int] = ints(2, 64)
    supply: list[int] = ints(2, 8)
    level: list[int] = ints(2, 8)
    char: list[int] = ints(p.N_SLOTS, 8)  # at each place, even when taken from it; -1: no player has looked at it
    owner: list[int] = ints(p.N_SLOTS, 8)  # the seat that took it, -1: on the board
    up: int = 0  # places whose character both players know
    tile: list[int] = ints(p.N_TILES, 8)
    log: list[int] = ints(LOG, 16)
    noted: int = 0
    # the turn
    # What is due is 64 bits wide, as numbers are in compiled code: with 8 the search was 7 % slower.
    due: int = 0  # the number of parts still to come, the last of them first; past ones remain behind them
    due_kind: list[int] = ints(STACK, 64)  # the kind of each: QUARTER to BEGIN
    due_arg: list[int] = ints(STACK, 64)  # and its argument: see the kinds
    player: int = 0
    games: int = 0  # GA-23: finished without a winner
    turns: int = 0  # of this game, finished
    last: int = -1  # where the action token is: 0 to 3 for A to D, 4 on a personal space
    force: int = 0  # GA-14: the active player will choose the opponent's action
    forced: int = 0  # the action of this turn was chosen by the opponent
    used_rows: int = 0  # by parts of this action
    fresh: int = 0  # places whose characters were taken at the end of the last turn
    placed: list[int] = ints(1, 64)  # tokens placed or moved in this turn, for the pictures
    ending: int = GOES_ON
    winner: int = -1  # of a sudden victory
