"""The levels of the searching bots: how many simulations each makes, the best first.

A game's `policy.py` may override them: LEVELS has simulations by level, PLAN the other fields of
`Plan` by name, and PLANS, by level, the differences from PLAN.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from parlour.bots.search import Plan
from parlour.core.game import Game

LEVELS = {"expert": 16_000, "hard": 2_000, "medium": 250, "easy": 25}
ADVICE = "advice"  # not a bot, but the search of hints and analyses: the expert's, with fewer simulations
LOOKS = 4_000  # simulations of advice at most
SECONDS = {"expert": 4.0, "hard": 1.5, "medium": 0.6, "easy": 0.3}  # at most; only plain rules reach it


def plan(game: Game, level: str) -> Plan:
    """Return how a level, or ADVICE, searches in a game."""
    if level == ADVICE:
        best = plan(game, "expert")
        return replace(best, simulations=min(best.simulations, LOOKS), seconds=SECONDS["hard"])
    simulations = getattr(game.policy, "LEVELS", LEVELS)[level]
    common: dict[str, Any] = getattr(game.policy, "PLAN", {})
    special: dict[str, Any] = getattr(game.policy, "PLANS", {}).get(level, {})
    return Plan(simulations, SECONDS[level], **(common | special))
