"""Aces & Faces: move round a loop, collect four of a kind or from the same suit, duel for the rest; 2 to 6 players."""

from __future__ import annotations

from parlour.core.edition import HOUSE
from parlour.core.facts import Facts, Observed, Option

FACTS = Facts(
    players=(2, 6),
    observed=(  # seats are counted from the viewer's own; -1 where there is nothing to show
        Observed("phase", most=12, kind="name"),
        Observed("whose turn it is", most=5, kind="name"),
        Observed("turns finished", most=None, clause="AF-16"),
        Observed("players", least=2, most=6),
        Observed("squares of the loop", least=24, most=40, clause="AF-1"),
        Observed("number to go by or to guess against", most=10, clause="AF-6"),
        Observed("guess", least=-1, most=7, kind="name", clause="AF-10"),
        Observed("card dueled for", least=-1, most=15, kind="name", clause="AF-12"),
        Observed("rival", least=-1, most=5, kind="name", clause="AF-12"),
        Observed("challenger's card", least=-1, most=52, kind="name"),
        Observed("opponent's card", least=-1, most=52, kind="name"),
        Observed("card on the discards", least=-1, most=52, kind="name"),
        Observed("cards in the pile", most=204, clause="AF-8"),  # four decks, twelve jokers: the most that are read
        Observed("square of each piece", 6, least=-1, most=39, kind="name"),
        Observed("size of each hand", 6, most=13, clause="AF-13"),  # twelve without four of a kind, and one more
        # bits: the seats, or the slot alone
        Observed("where each card may be", 16, least=1, most=64, kind="mask", clause="AF-14"),
        Observed("cards left of each kind", 52, most=4, clause="AF-15"),
        Observed("jokers left", most=12, clause="AF-15"),
    ),
    options=(
        Option(
            "duel_joker",
            ("lowest", "void"),
            "AF-12",
            "What a joker does in a duel.",
            words=("counts as the lowest card", "ends the duel if the challenger flips it"),
            printed="you lose your turn",
        ),
        Option(
            "handed_card",
            ("private", "public"),
            "AF-14",
            "Which players see the card that the loser of a duel gives.",
            words=("the two players in it", "everyone"),
        ),
        Option(
            "memory_aid",
            ("off", "on"),
            "AF-15",
            "Whether the table shows who may hold each card, and what is left in the pile.",
            words=("no", "yes"),
        ),
        Option(
            "turn_limit",
            ("3000", "none"),
            "AF-16",
            "After this many turns the game ends and everyone shares the win.",
            words=("3,000", "no limit"),
            mark=HOUSE,
        ),
    ),
    hidden_information=True,
)
