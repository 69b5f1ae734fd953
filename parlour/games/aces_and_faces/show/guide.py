"""The first steps at a table of Aces & Faces: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "inside",
        "Sixteen cards lie here to be won. All four of one rank, or all four of one suit, and you win.",
        "AF-13",
    ),
    ("loop", "Pieces go round this loop, either way. First, choose the corner that yours starts from.", "AF-3"),
    (
        "pile",
        "Each turn begins with a card. A number: move exactly so far. A court card or an ace: go to its square.",
        "AF-6",
    ),
    ("square-2", "On a card's square you take that card: from its slot, or from whoever holds it.", "AF-9"),
    (
        "square-3",
        "Other squares are games of luck and nerve: Higher or Lower, Duel, and Suit Match on the corners.",
        "AF-10",
    ),
    ("own", "What you hold is hidden, but all see what is taken. It pays to remember who took what.", "AF-14"),
)
