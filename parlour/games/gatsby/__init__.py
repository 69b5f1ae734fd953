"""Gatsby: influence in three places, and people to win over; 2 players."""

from __future__ import annotations

from parlour.core.facts import Facts, Observed

FACTS = Facts(
    players=(2, 2),
    observed=(Observed("all", 187, -(2**31), 2**31),),
    hidden_information=True,
    longest=6_000,
)
