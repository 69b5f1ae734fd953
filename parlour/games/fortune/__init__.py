"""Fortune: push-your-luck dice, 2 to 4 players."""

from __future__ import annotations

from parlour.core.facts import Facts, Observed, Option

FACTS = Facts(
    players=(2, 4),
    observed=(Observed("all", 61, -(2**31), 2**31),),
    options=(
        Option("target", ("8000", "6000", "5000"), "FO-25", "The finish line."),
        Option("finish", ("above", "at_least"), "FO-25", "Whether the line must be passed, or reaching it is enough."),
        Option(
            "pile", ("cycle", "reshuffle"), "FO-4", "Used cards go under the pile, or are shuffled when it is empty."
        ),
        Option("must_keep_one", ("false", "true"), "FO-6", "At least one die must stay on the table at a re-roll."),
        Option("card_skull_spoils_chest", ("false", "true"), "FO-11", "A Skulls card rules out the Full Chest."),
        Option("floor_at_zero", ("false", "true"), "FO-12", "Totals never go below zero."),
        Option("sorceress_alone", ("false", "true"), "FO-18", "The Sorceress may roll the skull alone."),
        Option("storm_scoring", ("flat", "sets", "sets_doubled"), "FO-23", "What sets are worth in a Storm."),
        Option(
            "truce_on_bust", ("penalty", "none"), "FO-24", "Whether swords cost points when disqualified in a Truce."
        ),
        Option("round_limit", ("100", "none"), "FO-28", "Rounds after which the highest total wins."),
    ),
    solver=True,
)
