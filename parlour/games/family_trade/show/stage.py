"""What one hears of Family Trade, and what everyone watches: a market, its till and its bell."""

from __future__ import annotations

SOUNDS = {
    "FT-6 chance": "dice+4",  # the market's dice
    "FT-7 event": "card-5",  # cards are dealt
    "FT-8": "card+3",  # a card is discarded
    "FT-9": "chip",  # a Market Make
    "FT-9 event": "chip+4",  # a price moves
    "FT-10 event": "bell",  # one to go
    "FT-12 event": "brass",  # out with the card of another
    "FT-13 event": "brass+3",  # out
    "FT-13 chance": "dice",  # the die that is rolled again
    "FT-14 event": "till",
    "FT-15 event": "till+5",
    "FT-16 event": "till+3",
    "FT-18 chance": "card-5",
    "FT-19 event": "crash",  # called without three sets
    "FT-20 chance": "dice",
    "FT-21 event": "card-5",
    "FT-22": "card+3",
    "FT-22 event": "till-2",
    "FT-22 chance": "dice",
}
GREAT = ("FT-7 event", "FT-12 event", "FT-13 chance", "FT-13 event", "FT-19 event", "FT-20 chance")
