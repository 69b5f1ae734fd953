"""The first steps at a table of Family Trade: where to look, what to know, the clause behind it."""

from __future__ import annotations

GUIDE = (
    (
        "market",
        "Eight goods, each with its price: what a set of three equal cards is worth. Some cost you money.",
        "FT-2",
    ),
    ("hand", "Your cards. Collect sets of three. On your turn draw one, then click the one to throw away.", "FT-8"),
    ("dump", "Discards lie here. One that finishes your hand may be taken, even when it is not your turn.", "FT-12"),
    ("shown", "Who has only sets goes out and shows them. They are paid for by whoever threw the last card.", "FT-14"),
    ("jackpot", "Losses on a card from the deck go in here, for whoever next goes out above zero that way.", "FT-14"),
    ("others", "When everybody's time as dealer is over, the most money wins.", "FT-17"),
)
