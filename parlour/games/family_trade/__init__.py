"""Family Trade: collect sets and be paid what the market says, 2 to 4 players, three rulesets."""

from __future__ import annotations

from parlour.core.edition import STATED
from parlour.core.facts import Facts, Observed, Option

# What a seat sees (rules/views.py). Seats are counted from its own; -1 means no seat or no card; money is in thousands.
TABLE = (
    Observed("players", 1, 2, 4),
    Observed("ruleset", 1, 0, 2, kind="name", clause="FT-6"),
    Observed("honour calls", clause="FT-19"),
    Observed(
        "phase", 1, 0, 9, kind="name"
    ),  # one in which a card is to be drawn, too, while another seat is asked (FT-26)
    Observed("seat on turn", 1, 0, 3, kind="name", clause="FT-8"),
    Observed("dealer", 1, 0, 3, kind="name", clause="FT-16"),
    Observed("deals in a row", 1, 1, 10, clause="FT-16"),
    Observed("turns as dealer that are over", 1, 0, 8, clause="FT-17"),
    Observed("Jackpot", 1, 0, None, clause="FT-14"),
    Observed("cards in the deck", 1, 0, 127, clause="FT-3"),
    Observed("cards in the dump", 1, 0, 127, clause="FT-3"),
    Observed("new decks", 1, 0, 2, clause="FT-18"),  # FT-18, FT-24
    Observed("card just drawn", 1, -1, 8, kind="name", clause="FT-8"),
    Observed("false call this turn", clause="FT-19"),
    Observed("seat of the last discard", 1, -1, 3, kind="name", clause="FT-12"),
    Observed("last discard, while it may be taken", 1, -1, 7, kind="name", clause="FT-12"),  # FT-9: no Market Make
    Observed("seat that goes out", 1, -1, 3, kind="name", clause="FT-13"),
    Observed("seat whose discard it took", 1, -1, 3, kind="name", clause="FT-12"),
    Observed("good whose die is rolled again", 1, -1, 7, kind="name", clause="FT-13"),
    Observed("dice to be rolled (a bit each)", 1, 0, 255, kind="mask", clause="FT-20"),
    Observed("what going out was worth", 1, -15_000, 30_000, clause="FT-13"),  # three sets, ten times (FT-2, FT-16)
    Observed("deals that are over", 1, 0, 80, clause="FT-16"),
    Observed("how the last deal ended", 1, 0, 2, kind="name", clause="FT-16"),
)
SEATS = tuple(
    part
    for seat in range(4)
    for part in (
        Observed(f"money of seat {seat}", 1, None, None, clause="FT-5"),
        Observed(f"cards in hand of seat {seat}", 1, 0, 9, clause="FT-7"),
        Observed(f"seat {seat} is one to go", clause="FT-10"),
        Observed(f"seat {seat} has discarded", clause="FT-10"),
    )
)
CARDS = tuple(
    part
    for kind in range(9)  # in any edition: 15 cards of each good, 20 Market Makes, which are in no set (FT-3, FT-9)
    for part in (
        Observed(f"of kind {kind} in the dump", 1, 0, 15 if kind < 8 else 20, clause="FT-26"),
        Observed(f"of kind {kind} in the deck when shuffled", 1, 0, 15 if kind < 8 else 20, clause="FT-18"),
        Observed(f"of kind {kind} shown by the player who went out", 1, 0, 9 if kind < 8 else 0, clause="FT-13"),
        Observed(f"of kind {kind} in the own hand", 1, 0, 9, clause="FT-7"),
        Observed(f"of kind {kind} lost face down from the own hand", 1, 0, 15 if kind < 8 else 0, clause="FT-23"),
    )
)

DEALT = (  # FT-11
    Observed("until when a dealt hand need not be announced", 1, 0, 2, kind="name", clause="FT-11"),
    Observed("the own hand is still as it was dealt", clause="FT-11"),
)

FACTS = Facts(
    players=(2, 4),
    observed=(*TABLE, *SEATS, Observed("price (a step of the ladder)", 8, -1, 9, clause="FT-2"), *CARDS, *DEALT),
    options=(
        Option(
            "ruleset",
            ("market-making", "god-of-the-market", "battle-royale"),
            "FT-6",
            "Prices on a market table, prices rolled when a player goes out, or a race for one set, round after round.",
            words=("Market Making", "God of the Market", "Battle Royale"),
            mark=STATED,
        ),
        Option(
            "honour_calls",
            ("off", "on"),
            "FT-19",
            'A false "done!", for a penalty of 100,000.',
            rulesets=("market-making", "god-of-the-market"),
            words=("not possible", "possible"),
        ),
        Option(
            "dealt_hand",
            ("first-discard", "while-kept", "own-draw"),
            "FT-11",
            "How long a hand that is one to go when dealt may go out without being announced.",
            rulesets=("market-making", "god-of-the-market"),
            words=(
                "until the player's first discard",
                "as long as the player keeps the dealt hand",
                "until the player's first discard, only with a card they draw",
            ),
            printed="you can actually go out without announcing",
        ),
    ),
    hidden_information=True,
    secret_asking=True,
    # Four players deal 8 turns of ten deals (FT-16, FT-17). In a deal three decks of at most 127 cards are drawn (FT-3,
    # FT-18). Each card takes a draw, a false call, a discard, and a price moved or three players asked: 7 steps.
    # There are also 8 dice, one of them again, and the choices before. Battle Royale has fewer rounds (FT-23, FT-24).
    longest=8 * 10 * (3 * 127 * 7 + 16),
)
