"""A game of Aces & Faces as numbers: the state, and its phases, actions and news by name.

The pile is drawn one card at a time, by what is left of each kind, so its order is in no state. Hands are sets of bits.
"""

from __future__ import annotations

from parlour.core.struct import ints, rows, struct
from parlour.games.aces_and_faces.rules.pieces import ALL, MOST_SQUARES, N_CARDS, N_KINDS, N_SUITS

VERSION = 1
SEATS = 6
NOBODY = -1

# Decisions
CORNER = 0  # + suit
CLOCKWISE, ANTICLOCKWISE, HIGHER, LOWER, NO_DUEL = 4, 5, 6, 7, 8
CARD = 9  # + card: to take at a Suit Match, to duel for, to hand over
N_ACTIONS = CARD + N_CARDS
MAX_LEGAL = 1 + N_CARDS
MAX_OUTCOMES = N_KINDS
# Phases: what is awaited. Those in which a seat decides have the bit DECIDES.
DECIDES = 1
DRAW_SEAT, TURN, GUESS_CARD, MATCH_CARD, DUEL_FIRST, DUEL_SECOND, OVER = 0, 2, 4, 6, 8, 10, 12
CHOOSE_CORNER, MOVE, GUESS, MATCH_PICK, DUEL, GIVE = 1, 3, 5, 7, 9, 11
# The result of the turn, shown until the next card is turned
NOTHING, SKIPPED, TOOK, ROBBED, RETURNED, WRONG, MATCHED, NO_MATCH, NO_CARD_LEFT = 0, 1, 2, 3, 4, 5, 6, 7, 8
CANNOT_DUEL, DECLINED, DUEL_WON, DUEL_LOST, DUEL_TIED, DUEL_VOID = 9, 10, 11, 12, 13, 14
NAMED, ARRIVED = 15, 16  # on the way: a card is named for a duel, a piece reaches its square
# What is known of where a card may be (`hidden`)
SLOT = SEATS  # the place of a card that no player holds; places below it are seats
PUBLIC = SEATS  # the row of what everyone knows; rows below it are seats
KNOWERS = SEATS + 1
LOGGED = 96  # entries of the log of how cards went while any was in doubt (`gifts`)


@struct
class State:
    """The table (edition and options), the game, the pile, and the turn under way."""

    # the table
    players: int = 0
    squares: int = 0
    board: list[int] = ints(MOST_SQUARES, 8)  # AF-2: what each square is (see `pieces`)
    home: list[int] = ints(N_CARDS, 8)  # the square of each card
    corner: list[int] = ints(N_SUITS, 8)  # the Suit Match square of each suit
    deck: list[int] = ints(N_KINDS, 8)  # AF-1: the whole pile, by kind
    deck_size: int = 0
    duel_void: int = 0
    handed_public: int = 0
    memory_aid: int = 0
    turn_limit: int = 0  # 0: none
    # the game
    phase: int = DRAW_SEAT
    player: int = 0  # whose turn it is, or comes when the next card is turned
    placed: int = 0  # players who have chosen a corner
    turns: int = 0  # finished
    position: list[int] = ints(SEATS, 8)  # the square of each piece
    slots: int = ALL  # cards that no player holds
    hands: list[int] = ints(SEATS)
    may: list[list[int]] = rows(KNOWERS, N_CARDS, 8)  # AF-15: where each card may be, as far as each knows: bits
    unsure: int = 0  # whether any row of `may` is not sure of a card
    before: list[int] = ints(SEATS)  # AF-14: the hands when the log begins
    log: list[int] = ints(LOGGED, 16)  # AF-14: how each card went since (see `gifts`)
    logged: int = 0  # entries of the log
    winner: int = NOBODY
    # the pile
    unseen: list[int] = ints(N_KINDS, 8)  # left in it, by kind
    left: int = 0
    top: int = NOBODY  # the kind on the discards
    # the turn; its result stays until the next one starts
    mover: int = NOBODY
    came_from: int = 0
    came_by: int = 0  # steps clockwise, below 0 the other way, 0: straight to a card's square
    number: int = 0  # the number card turned last: steps to go, or what the next card is compared with
    guess: int = NOBODY
    named: int = NOBODY  # AF-12: the card dueled for
    rival: int = NOBODY  # who held the card that was named or taken
    first: int = NOBODY  # the challenger's card in a duel
    second: int = NOBODY
    news: int = NOTHING
    news_card: int = NOBODY  # the card that changed hands, if all saw it
