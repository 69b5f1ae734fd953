"""The cards of Aces & Faces as numbers, and the squares of its loop (AF-1, AF-2).

A *card* (0 to 15) is one of the sixteen that are collected: suit * 4 + 0 (jack) to 3 (ace). A *hand* is a set of them,
16 bits. A *kind* (0 to 52) is what a card of the pile shows: suit * 13 + rank - 2, or JOKER.
"""

from __future__ import annotations

N_SUITS, N_CARDS = 4, 16
DIAMONDS, CLUBS, HEARTS, SPADES = 0, 1, 2, 3
SUITS = ("diamonds", "clubs", "hearts", "spades")
LETTERS = "DCHS"
RANKS = "JQKA"
CARDS = tuple(rank + suit for suit in LETTERS for rank in RANKS)

N_KINDS, JOKER = 53, 52
JACK, ACE = 11, 14
KINDS = (*(f"{'JQKA'[rank - 11] if rank > 10 else rank}{suit}" for suit in LETTERS for rank in range(2, 15)), "joker")
ALL = (1 << N_CARDS) - 1
MOST_DECKS, MOST_JOKERS = 4, 12  # that an edition may have

# Lines: the sets of four that win (AF-13), ranks first
N_LINES = 8
LINES = (0x1111, 0x2222, 0x4444, 0x8888, 0xF, 0xF0, 0xF00, 0xF000)

# Squares of the loop: below N_CARDS the card whose square it is
MATCH = 16  # to 19: Suit Match, by suit
HIGHER_LOWER = 20
DUEL_SQUARE = 21
MOST_SQUARES, FEWEST_SQUARES = 40, 24  # more than twice the longest move: the two directions never meet


def rank_of(kind: int) -> int:
    """AF-10, AF-12: return 2 to 14 (ace high), or 0 for a joker, which is below all."""
    return 0 if kind == JOKER else kind % 13 + 2


def suit_of(kind: int) -> int:
    """Return the suit of a kind, 0 to 3; 4 for a joker, which has no suit."""
    return kind // 13


def card_of(kind: int) -> int:
    """AF-7: return the card, 0 to 15, that a court card or ace of the pile names; -1 for the others."""
    rank = rank_of(kind)
    return kind // 13 * 4 + rank - JACK if rank >= JACK else -1


def size(hand: int) -> int:
    """Return how many cards are in a hand, or how many bits in any set."""
    n = 0
    while hand:
        hand &= hand - 1
        n += 1
    return n
