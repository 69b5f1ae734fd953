"""The first steps at a table of Aces & Faces: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "loop",
        "Sixteen cards lie round this loop. You win as soon as you hold four of a kind, or four from the same suit.",
        "AF-13",
    ),
    (
        "pile",
        "A turn begins with a card of the pile. A number: move exactly so far, either way. "
        "An ace or a face card: go to its square.",
        "AF-6",
    ),
    (
        "square-2",
        "On a card's square you take that card: from its slot, or from whoever holds it. "
        "If you hold it yourself, you lose it.",
        "AF-9",
    ),
    (
        "square-3",
        "Other squares: a right guess at Higher or Lower moves you on; a Duel can win or lose a card; "
        "on a corner, a flip of its suit wins one.",
        "AF-10",
    ),
    ("own", "Hands are hidden, but all see what is taken. It pays to remember who took what.", "AF-14"),
    (
        "inside",
        "Now begin: choose the corner that your piece starts from. Its suit matters only when you land there later.",
        "AF-3",
    ),
)
