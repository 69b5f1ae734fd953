"""What one hears of Gatsby, and what everyone watches: brass, glasses, and guests who take sides."""

from __future__ import annotations

SOUNDS = {
    "GA-6 chance": "card-5",  # the Cabaret is laid
    "GA-8 chance": "card",
    "GA-9": "bell+5",  # an action is taken
    "GA-10": "chip-3",  # a token on the Cabaret
    "GA-11 event": "gem-5",  # up the tower
    "GA-12": "chip+4",  # a token on the Racetrack
    "GA-14 chance": "card",
    "GA-17 event": "brass",  # a guest is rallied
    "GA-18 event": "brass+2",
    "GA-19 event": "brass+4",
    "GA-20 event": "brass+5",
    "GA-22 event": "brass+7",  # a sudden win
    "GA-23 event": "bell-5",  # prestige decides
}
GREAT = ("GA-17 event", "GA-18 event", "GA-19 event", "GA-20 event", "GA-22 event")
