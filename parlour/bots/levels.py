"""The levels of the searching bots: how many simulations each makes, the best first.

A game's `policy.py` may say it otherwise: LEVELS, by level how many simulations, or all that is its own there by the
names of `Plan`; and PLAN, the rest of `Plan` by name, for all levels.
"""

from __future__ import annotations

from typing import Any

from parlour.bots.search import Plan
from parlour.core.game import Game

LEVELS = {"expert": 16_000, "hard": 2_000, "medium": 250, "easy": 25}
SECONDS = {"expert": 4.0, "hard": 1.5, "medium": 0.6, "easy": 0.3}  # at most; reached only by plain rules


def plan(game: Game, level: str) -> Plan:
    """How a level searches in a game."""
    chosen: int | dict[str, Any] = getattr(game.policy, "LEVELS", LEVELS)[level]
    own = chosen if isinstance(chosen, dict) else {"simulations": chosen}
    return Plan(**{"seconds": SECONDS[level], **getattr(game.policy, "PLAN", {}), **own})
