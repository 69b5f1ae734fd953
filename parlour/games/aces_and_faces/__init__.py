"""Aces & Faces: move round a loop, collect four of a kind or from the same suit, duel for the rest; 2 to 6 players."""

from __future__ import annotations

from parlour.core.edition import HOUSE
from parlour.core.facts import Facts, Observed, Option

FACTS = Facts(
    players=(2, 6),
    observed=(  # seats are counted from the viewer's own; -1 where there is nothing to show
        Observed("phase", most=12),
        Observed("whose turn it is", most=5),
        Observed("turns finished", most=None),
        Observed("players", least=2, most=6),
        Observed("squares of the loop", least=24, most=40),
        Observed("number to go by or to guess against", most=10),
        Observed("guess", least=-1, most=7),
        Observed("card dueled for", least=-1, most=15),
        Observed("rival", least=-1, most=5),
        Observed("challenger's card", least=-1, most=52),
        Observed("opponent's card", least=-1, most=52),
        Observed("card on the discards", least=-1, most=52),
        Observed("cards in the pile", most=204),  # of four decks and twelve jokers, the most that are read
        Observed("square of each piece", 6, least=-1, most=39),
        Observed("size of each hand", 6, most=13),  # AF-13: twelve without four of a kind, and one more
        Observed("where each card may be", 16, least=1, most=64),  # bits: the seats, or the slot alone
        Observed("cards left of each kind", 52, most=4),
        Observed("jokers left", most=12),
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
