"""The first steps at a table of Gatsby: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "ledger",
        "Rally characters, that is, win them over: all three of one suit, or one of each "
        "suit, win at once. Else the most prestige (★) wins.",
        "GA-22",
    ),
    ("actions", "Your turn is one action: move the Action token to one of these, not where it lies now.", "GA-9"),
    (
        "cabaret",
        "Cabaret: a token goes next to any token. Your path from edge to edge rallies "
        "its character, all four star spaces the third.",
        "GA-17",
    ),
    (
        "finance",
        "Finance Center: your Ascension token climbs one level, two while it is below "
        "the other, and rallies whom it reaches or passes.",
        "GA-19",
    ),
    (
        "track",
        "Racetrack: fill rows from the left. A full row's character goes to whoever has more tokens on it.",
        "GA-20",
    ),
    (
        "seat-0",
        "Your prestige so far, the ★ of your characters. When a location has no "
        "character left the game ends, and the most prestige wins.",
        "GA-23",
    ),
)
