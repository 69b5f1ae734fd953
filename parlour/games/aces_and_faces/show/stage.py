"""What one hears of Aces & Faces, and what everyone watches: cards on felt, and duels."""

from __future__ import annotations

SOUNDS = {
    "AF-6": "wood-3",  # a pawn walks
    "AF-7": "chip-4",  # a card goes to its square
    "AF-8 chance": "card-5",  # the deck is shuffled
    "AF-9 event": "bell",  # a card is taken, or must be put back
    "AF-10 move": "wood+4",  # higher or lower
    "AF-11 event": "bell+4",  # whether the suits match
    "AF-12 event": "brass",  # a duel
    "AF-14 event": "crash+5",  # a duel is lost
}
GREAT = ("AF-12 chance", "AF-12 event", "AF-14 event")
