"""The first steps at a table of Family Trade: where to look, what to know, the clause behind it."""

from __future__ import annotations

# Steps for prices on the market table and for prices that are rolled
END = ("own", "The goal is to have the most money (yours is here) when everyone has been dealer twice.", "FT-17")
TURN = (
    "hand",
    "On your turn draw a ninth card, then discard one; with three sets of three identical cards you go out.",
    "FT-8",
)
ONE_TO_GO = (
    "dump",
    'One card short you are "one to go!": your cards are face down, and a discard that you need is yours at once.',
    "FT-10",
)
JACKPOT = (
    "jackpot",
    "A total below zero is yours to pay, into this Jackpot if you drew the card; the next total above zero takes it.",
    "FT-14",
)

GUIDES = {
    "market-making": (
        END,
        TURN,
        (
            "market",
            "Each set brings the price on its good's chip, some below zero; discard a Market Make card, "
            "and change one price.",
            "FT-9",
        ),
        ONE_TO_GO,
        (
            "shown",
            "Going out, you may reroll one price's die; then the player who discarded your last card pays you, "
            "or, if you drew it, the bank.",
            "FT-13",
        ),
        JACKPOT,
    ),
    "god-of-the-market": (
        END,
        TURN,
        ONE_TO_GO,
        (
            "market",
            "When you go out, the dice of your goods are rolled and say what your sets bring; "
            "[you may reroll one]{.ruling}.",
            "FT-20",
        ),
        (
            "shown",
            "The player who discarded your last card pays you, or the bank if you drew it; then the next deal begins.",
            "FT-14",
        ),
        JACKPOT,
    ),
    "battle-royale": (
        ("own", "The goal is to have the most money (yours is here); each round is a race for one set.", "FT-25"),
        (
            "hand",
            "A set is three identical cards: you hold two, and on your turn draw one, then discard one.",
            "FT-22",
        ),
        (
            "dump",
            "A discard that makes a set with your two is yours[ at once, even when it is not your turn]{.ruling}.",
            "FT-22",
        ),
        (
            "market",
            "A player with a set goes out and ends the round; its good's die shows what the bank pays them, "
            "or they pay the bank.",
            "FT-22",
        ),
        (
            "jackpot",
            "The game ends when one kind of these bills has run out, [or too few cards are left for a round]{.ruling}.",
            "FT-25",
        ),
    ),
}
