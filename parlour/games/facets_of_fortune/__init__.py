"""Facets of Fortune: a gem market that rises, crashes and can be cornered, 2 to 4 players."""

from __future__ import annotations

from parlour.core.facts import Facts, Observed, Option

FACTS = Facts(
    players=(2, 4),
    observed=(Observed("all", 134, -(2**31), 2**31),),
    options=(Option("dead_cards", ("unusable", "wild"), "FF-24", "What cards of a closed market are good for."),),
    longest=20_000,
)
