"""The first steps at a table of Aces & Faces: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "race",
        "Sixteen cards lie round the loop: hold a line of four here, four of a kind or of the same suit, and you win.",
        "AF-13",
    ),
    (
        "pile",
        "A turn flips a card: a number moves you that many squares, an ace or face card to its own; a "
        "joker loses the turn.",
        "AF-6",
    ),
    (
        "square-2",
        "On a card's square you take that card, even from another player; if you hold it yourself, it goes back.",
        "AF-9",
    ),
    (
        "square-3",
        "Higher or Lower: guess right, and move on; Duel: win or lose a card; Corner: flip a card of its "
        "suit, and take one.",
        "AF-10",
    ),
    (
        "others-hands",
        "Hands are hidden, but everyone sees what is taken, so remember who took what.",
        "AF-14",
    ),
    (
        "inside",
        "Now choose the corner that your piece starts from.",
        "AF-3",
    ),
)
