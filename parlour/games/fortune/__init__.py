"""Fortune: push-your-luck dice, 2 to 4 players."""

from __future__ import annotations

from parlour.core.edition import HOUSE, OUTSIDE
from parlour.core.facts import Facts, Observed, Option

# The options' values, in words
LINES = ("8,000 points", "6,000 points", "5,000 points")
CROSSING = ("a total above it", "a total exactly on it, too")
USED = ("under the draw pile", "aside, until the pile is empty and all are shuffled")
SETS = ("nothing", "as without a Storm", "twice as much as without a Storm")
PAID = ("1,000 each", "nothing")
LIMIT = ("100", "no limit")

FACTS = Facts(
    players=(2, 4),
    # Seats are counted from the observer. How many cards there are of a kind, and what a turn can be worth, follows
    # from the editions: tests/games/fortune/test_views.py checks these numbers against them.
    observed=(
        Observed("players", 1, 2, 4),
        Observed("phase", 1, 0, 4, "name"),  # a seat is drawn, a card is drawn, dice are in the air, a decision, over
        Observed("seat on turn", 1, 0, 3, "name"),
        Observed("turns finished", 1, 0, None, clause="FO-28"),  # the limit of rounds may be off
        Observed("turns left in the final round", 1, 0, 3, clause="FO-25"),  # 0: no final round
        Observed("target", 1, 5000, 8000, clause="FO-25"),
        Observed("target need only be reached", clause="FO-25"),
        Observed("cards turned", 1, 0, None, clause="FO-4"),  # since the start or the last shuffle
        Observed("rolls", 1, 0, None, clause="FO-6"),  # as many as the player likes
        Observed("Sorceress used", clause="FO-18"),
        Observed("on the Island", clause="FO-13"),
        Observed(
            "places rolled", 1, 0, 255, "mask", clause="FO-6"
        ),  # bit i: die i was part of the last roll, or is in the air
        Observed("end of the turn", 1, 0, 4, "name"),  # not yet, stopped, disqualified, on the Island, Storm over
        Observed("worth of the turn", 1, -8000, 10_600, clause="FO-24"),  # eight swords in a Truce; FO-17: eight coins
        Observed("loss of each opponent", 1, 0, 1600, clause="FO-15"),  # FO-17: eight skulls, and the Captain
        Observed("round limit", 1, 0, 100, clause="FO-28"),  # 0: none
        Observed("totals", 4, None, 18_600, clause="FO-25"),  # one turn more from the line; 0 for an empty seat
        Observed("cards not turned", 13, 0, 20, clause="FO-2"),  # of each kind, in any edition
        Observed("card", 13, clause="FO-4"),  # 1 for the kind that is face up
        Observed("dice of each face", 6, 0, 8, clause="FO-1"),  # those on the table
        Observed("face of each die", 8, 0, 5, "name", clause="FO-1"),  # by place; for a die in the air, its last face
        Observed("next card", 1, -1, 12, "name", clause="FO-4"),  # once it is known; -1 before
    ),
    options=(
        Option("target", ("8000", "6000", "5000"), "FO-25", "Where the finish line is.", words=LINES, mark=OUTSIDE),
        Option(
            "finish",
            ("above", "at_least"),
            "FO-25",
            "What counts as crossing the finish line.",
            words=CROSSING,
            mark=OUTSIDE,
            printed="above 8,000 points",
        ),
        Option("pile", ("cycle", "reshuffle"), "FO-4", "Where used cards go.", words=USED),
        Option("must_keep_one", ("false", "true"), "FO-6", "At least one die must be kept at a re-roll.", mark=OUTSIDE),
        Option(
            "card_skull_spoils_chest",
            ("false", "true"),
            "FO-11",
            "A Skulls card rules out the Full Chest.",
            printed="points with all eight dice",
        ),
        Option("floor_at_zero", ("false", "true"), "FO-12", "Totals never go below zero."),
        Option(
            "sorceress_alone",
            ("false", "true"),
            "FO-18",
            "The Sorceress may re-roll the skull alone.",
            printed="allows you to re-roll one skull",
        ),
        Option(
            "storm_scoring",
            ("flat", "sets", "sets_doubled"),
            "FO-23",
            "What sets score in a Storm.",
            words=SETS,
            printed="their value is doubled",
        ),
        Option(
            "truce_on_bust",
            ("penalty", "none"),
            "FO-24",
            "What swords cost a player who is disqualified in a Truce.",
            printed="finish your turn without swords",
            words=PAID,
        ),
        Option(
            "round_limit",
            ("100", "none"),
            "FO-28",
            "After how many rounds the highest total wins.",
            words=LIMIT,
            mark=HOUSE,
        ),
    ),
    solver=True,
)
