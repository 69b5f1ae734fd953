"""How a level searches: the house's numbers, and what a game's policy says otherwise."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from parlour.bots import Plan, levels
from parlour.core.game import Game
from parlour.games import find


def game(**says: Any) -> Game:
    """A game whose policy says only this."""
    made = Game("kuhn", "tests.fixtures.kuhn")
    policy = ModuleType("policy")
    policy.__dict__.update(says)
    made.__dict__["policy"] = policy
    return made


def test_a_level_takes_the_houses_numbers_where_the_policy_is_silent() -> None:
    for level, simulations in levels.LEVELS.items():
        assert levels.plan(game(), level) == Plan(simulations, levels.SECONDS[level])


def test_a_policy_may_say_simulations_or_anything_of_a_plan_for_one_level_or_for_all() -> None:
    plans = {"easy": {"length": 5, "explore": 2.0}}
    made = game(LEVELS={"hard": 7, "easy": 3}, PLAN={"explore": 0.5, "expand": 9}, PLANS=plans)
    assert levels.plan(made, "hard") == Plan(7, levels.SECONDS["hard"], explore=0.5, expand=9)
    assert levels.plan(made, "easy") == Plan(3, levels.SECONDS["easy"], length=5, explore=2.0, expand=9)


@pytest.mark.parametrize("name", ["aces-and-faces", "facets-of-fortune", "fortune"])
def test_a_better_level_never_looks_less(name: str) -> None:
    plans = [levels.plan(find(name), level) for level in ("easy", "medium", "hard", "expert")]
    budgets = [plan.simulations for plan in plans]
    assert budgets == sorted(set(budgets))
