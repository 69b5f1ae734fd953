"""Aces & Faces: move round a loop, collect four of a rank or of a suit, duel for what is missing; 2 to 6 players."""

from __future__ import annotations

from parlour.core.facts import Facts, Observed, Option

FACTS = Facts(
    players=(2, 6),
    observed=(Observed("all", 94, -(2**31), 2**31),),
    options=(
        Option("duel_joker", ("lowest", "void"), "AF-12", "A joker loses a duel, or the challenger's ends his turn."),
        Option("handed_card", ("private", "public"), "AF-14", "Who sees the card that a loser hands over."),
        Option("memory_aid", ("off", "on"), "AF-15", "The table shows who may hold each card, and what is left."),
        Option("turn_limit", ("3000", "none"), "AF-16", "Turns after which the game ends and is shared."),
    ),
    hidden_information=True,
)
