"""What one hears of Fortune, and what everyone watches: bone on wood, and the sea."""

from __future__ import annotations

SOUNDS = {
    "move": "wood",  # dice are taken up
    "FO-4 chance": "card-5",  # the deck is shuffled
    "FO-7 event": "crash",  # three skulls
    "FO-8 event": "chip",  # a turn is cashed in
    "FO-13 event": "brass-5",  # to the Island
    "FO-15 event": "crash-5",  # what the Island cost the others
    "FO-18 event": "bell",  # the Sorceress may save the turn
    "FO-23 event": "crash+4",  # the Storm is over
    "FO-25 event": "brass",  # the final round
}
GREAT = ("FO-7 event", "FO-13 event", "FO-14 chance", "FO-25 event")
