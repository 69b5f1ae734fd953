"""The first steps at a table of Family Trade: where to look, what to know, the clause behind it."""

from __future__ import annotations

# What is the same with prices on the market table and with prices that are rolled
END = (
    "others",
    "The most money wins when everybody has been dealer twice. Collect sets: three identical cards.",
    "FT-17",
)
ONE_TO_GO = (
    "dump",
    'One card short, you are "one to go!": cards lie face down, and a discard that completes them is yours at once.',
    "FT-10",
)
PAID = (
    "jackpot",
    "Who discarded your last card pays you, or the bank if you drew it. Below zero "
    "you pay: them, or into this Jackpot.",
    "FT-14",
)

GUIDES = {
    "market-making": (
        END,
        (
            "market",
            "Eight goods, and on each chip the price that its die has shown: what a set "
            "brings. Some bring less than nothing.",
            "FT-2",
        ),
        (
            "hand",
            "You need three sets, nine cards. Each turn draw a ninth, discard one. A "
            "discarded Market Make moves a price.",
            "FT-8",
        ),
        ONE_TO_GO,
        (
            "shown",
            "With three sets you go out: they lie here, you may reroll one die, and the prices are added.",
            "FT-13",
        ),
        PAID,
    ),
    "god-of-the-market": (
        END,
        ("hand", "You need three sets, nine cards. On your turn draw a ninth, then press the one to discard.", "FT-8"),
        ONE_TO_GO,
        ("shown", "With three sets you go out, and they lie here.", "FT-13"),
        (
            "market",
            "Each good has a die. Those of your goods are rolled then and say what the sets bring; you may reroll one.",
            "FT-20",
        ),
        PAID,
    ),
    "battle-royale": (
        ("others", "The most money wins, and everybody starts with none. Each round is a race for one set.", "FT-25"),
        ("hand", "A set is three identical cards. You hold two: on your turn draw one, then discard one.", "FT-22"),
        ("dump", "A discard that makes a set with your two is yours at once, even when it is not your turn.", "FT-22"),
        (
            "market",
            "Who has a set goes out, and its die shows what the bank pays. Below zero, you pay the bank.",
            "FT-22",
        ),
        (
            "jackpot",
            "The bank's bills. When one kind has run out the game ends, or when too few cards are left for a round.",
            "FT-25",
        ),
    ),
}
