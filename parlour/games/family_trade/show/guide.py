"""The first steps at a table of Family Trade: where to look, what to know, the clause behind it."""

from __future__ import annotations

# What going out, the Jackpot and the end are like where there is money from the start
COMMON = (
    ("hand", "Your cards. Collect sets of three. On your turn draw one, then click the one to throw away.", "FT-8"),
    ("dump", "Discards lie here. One that finishes your hand may be taken, even when it is not your turn.", "FT-12"),
    (
        "shown",
        "Who has only sets goes out and shows them. The bank pays, or whoever threw away the last of the cards.",
        "FT-14",
    ),
    ("jackpot", "Losses on a card from the deck go in here. Whoever next goes out above zero takes it all.", "FT-14"),
    ("others", "When all have been dealer twice, the most money wins. Who deals and goes out deals again.", "FT-17"),
)

GUIDES = {
    "market-making": (
        ("market", "Eight goods, each with its price: what three equal cards are worth. Some cost you money.", "FT-2"),
        *COMMON,
    ),
    "god-of-the-market": (
        ("market", "Eight goods. What three equal cards are worth is rolled only when somebody goes out.", "FT-20"),
        *COMMON,
    ),
    "battle-royale": (
        ("market", "Eight goods. What three equal cards are worth is rolled when somebody shows them.", "FT-22"),
        ("hand", "Your two cards. On your turn draw a third: three alike win the round, or throw one away.", "FT-22"),
        ("dump", "A card thrown away that makes three alike with your two may be taken, out of turn too.", "FT-22"),
        ("shown", "Who goes out shows three cards; the bank pays, or is paid.", "FT-22"),
        ("jackpot", "The bank's bills. When one kind of them runs out, the game ends.", "FT-25"),
        ("others", "It also ends when too few cards are left. The most money wins.", "FT-24"),
    ),
}
