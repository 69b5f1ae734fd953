"""Facets of Fortune: a gem market that rises, crashes and can be cornered, 2 to 4 players."""

from __future__ import annotations

from parlour.core.edition import STATED
from parlour.core.facts import Facts, Observed, Option

NOBODY = -1
MARKETS = ("ruby", "sapphire", "diamond", "emerald")

FACTS = Facts(
    players=(2, 4),
    observed=(
        Observed("players", least=2, most=4),
        Observed("phase", most=16, kind="name"),
        Observed("seat on turn", most=3, kind="name"),
        Observed("turns finished", most=None),
        Observed("dead cards are wild", clause="FF-24"),
        Observed("extra cards may be bought", clause="FF-15"),
        Observed("card played", least=NOBODY, most=21, kind="name", clause="FF-16"),
        Observed("market named first", least=NOBODY, most=3, kind="name", clause="FF-20"),  # and FF-21
        Observed("rival", least=NOBODY, most=3, kind="name", clause="FF-22"),
        Observed("attacker's die", most=20, clause="FF-4"),  # in any edition
        Observed("defender's die", most=20, clause="FF-4"),
        Observed("gems still to be taken", most=19, clause="FF-22"),  # the most by which two dice differ
        Observed("gem die", least=NOBODY, most=5, kind="name", clause="FF-2"),
        Observed("up/down die", least=-3, most=3, clause="FF-3"),  # in any edition
        Observed("cards to be drawn", most=3),
        Observed("cards in the deck", most=2200, clause="FF-5"),  # 22 kinds
        Observed("seat that cornered a market", least=NOBODY, most=3, kind="name", clause="FF-28"),
        Observed("what is drawn for", most=2, kind="name"),
        *(
            part
            for market in MARKETS
            for part in (
                Observed(f"{market}: gems on the board", most=10, clause="FF-1"),
                Observed(f"{market}: rung of the Sell price", most=9, clause="FF-1"),
                Observed(f"{market}: closed"),
                Observed(f"{market}: STOPs, a bit a seat", most=0b1111, kind="mask", clause="FF-6"),
                Observed(f"{market}: cards held before the deal", most=3, clause="FF-17"),  # and FF-25
            )
        ),
        *(
            part
            for seat in ("own", "next", "third", "fourth")
            for part in (
                Observed(f"{seat} seat: money", most=None, clause="FF-29"),
                Observed(f"{seat} seat: STOP cards", clause="FF-6"),
                Observed(f"{seat} seat: extra STOP bought", clause="FF-15"),
                Observed(f"{seat} seat: gems by colour", 4, most=10),
                Observed(f"{seat} seat: hand", 6, least=NOBODY, most=21, kind="name", clause="FF-5"),
            )
        ),
        Observed("cards of each kind in the deck, and discarded", 44, most=100, clause="FF-5"),  # in any edition
        Observed("turns go counter-clockwise", clause="FF-7"),
        Observed("a STOP holds a market that is named at Wild", clause="FF-11"),
    ),
    options=(
        Option(
            "dead_cards",
            ("unusable", "wild"),
            "FF-24",
            "What the cards of a closed market can do.",
            words=("nothing", "count as Wild (the printed alternative rule)"),
            mark=STATED,
        ),
        Option(
            "direction",
            ("clockwise", "counter-clockwise"),
            "FF-7",
            "The direction in which turns pass.",
            mark=STATED,
            printed="whichever direction everyone agrees upon",
        ),
        Option(
            "stop_at_wild",
            ("moves", "stays"),
            "FF-11",
            "What a market under a STOP does when it is named for an upward Wild roll.",
            words=("moves up, at most to 1,000,000", "does not move"),
            printed="that market does not move up",
        ),
    ),
    # FF-31 sets no limit. Prices rise more than they fall; of 180,000 random games none had more than 758 decisions.
    longest=20_000,
)
