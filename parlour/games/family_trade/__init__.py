"""Family Trade: collect sets and be paid what the market says, 2 to 4 players, three rulesets."""

from __future__ import annotations

from parlour.core.facts import Facts, Observed, Option

FACTS = Facts(
    players=(2, 4),
    observed=(Observed("all", 92, -(2**31), 2**31),),
    options=(
        Option(
            "ruleset",
            ("market-making", "god-of-the-market", "battle-royale"),
            "FT-6",
            "Three ways to play: prices on a market, prices rolled by who goes out (FT-20), or a race (FT-21).",
        ),
        Option(
            "honour_calls",
            ("off", "on"),
            "FT-19",
            'A false "done!" is possible, and costs 100,000.',
            rulesets=("market-making", "god-of-the-market"),
        ),
    ),
    hidden_information=True,
    secret_asking=True,
)
