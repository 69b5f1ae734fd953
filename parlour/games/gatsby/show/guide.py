"""The first steps at a table of Gatsby: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "ledger",
        "You rally (take) characters: all three of one suit, or one of each suit, win at once, "
        "otherwise the most prestige (★).",
        "GA-22",
    ),
    (
        "actions",
        "On your turn take one action: A to D (not the one with the Action token), or your Special Action tile.",
        "GA-9",
    ),
    (
        "cabaret",
        "Cabaret: put a token next to any other; a path of yours from edge to edge, or all four "
        "stars, rallies a character.",
        "GA-17",
    ),
    (
        "finance",
        "Finance Center: your Ascension token climbs one level, or two if you are behind, and rallies every "
        "character that it reaches or passes.",
        "GA-19",
    ),
    (
        "track",
        "Racetrack: fill rows from the left; a full row gives its character to the player with more tokens on it.",
        "GA-20",
    ),
    (
        "own",
        "The game ends when a location has no character left: your prestige is then your ★, and 1 for an unused tile.",
        "GA-23",
    ),
)
