"""What the conformance tests run on: every game there is, and the fixture games, in every shape."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from parlour.conformance.cases import Case, shapes, short
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.games import all_games
from tests.docs.pig import write_pig

TESTS = Path(__file__).parents[1]


@cache
def pig() -> Game:
    """Return the game that docs/add-a-game.md makes, in a package that is always in one place, to compile it once."""
    folder = TESTS.parent / "build" / "tests"
    write_pig(folder / "made_from_docs")
    sys.path.insert(0, str(folder))
    return Game("pig", "made_from_docs.pig")


@cache
def every_game() -> tuple[Game, ...]:
    """Return the games of the lobby, and the fixtures."""
    return (*all_games().values(), Game("kuhn", "tests.fixtures.kuhn"), pig())


def cases() -> list[Case]:
    return [case for game in every_game() for case in shapes(game)]


def parameters() -> list[Any]:
    """All cases for `pytest.mark.parametrize`; those that add nothing to the others are for the long form only.

    What a case adds: its edition with default or with changed options, its number of players with its ruleset, and the
    value of each option.
    """
    chosen: set[Case] = set()
    for game in every_game():
        offered = {case: _things(case) for case in shapes(game)}
        missing = set().union(*offered.values())
        while missing:
            best = max(offered, key=lambda case: len(offered[case] & missing))
            chosen.add(best)
            missing -= offered[best]
    return [pytest.param(case, marks=() if case in chosen else pytest.mark.whole) for case in cases()]


def _things(case: Case) -> set[tuple[Any, ...]]:
    options = case.match().options
    return {(case.edition, bool(case.options)), (case.players, options.get(RULESET)), *options.items()}


def short_cases() -> list[Case]:
    """One for each edition, for what takes long."""
    return [case for game in every_game() for case in short(game)]
