"""What rules leave out is added to them once, and calls their own functions."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from parlour.core import defaults
from parlour.core.contract import TERMINAL
from parlour.core.facts import Facts, Observed

FEW = Facts((2, 2), (Observed("points", 2),), longest=10)
MANY = Facts((2, 2), (Observed("points", 5),), longest=20)


def rules(name: str, better: int) -> Any:
    """Rules of a game that is over, with one point more for seat `better`."""
    made: Any = ModuleType(name)
    made.MAX_OUTCOMES = 2
    made.current_player = lambda _state: TERMINAL

    def scores(_state: Any, out: Any) -> None:
        for seat in range(2):
            out[seat] = 1 if seat == better else 0

    made.scores = scores
    made.chance_outcomes = lambda _state, _out, _weights: 0
    return made


def shares(made: Any) -> list[float]:
    out = [0.0, 0.0]
    made.returns(None, out)
    return out


def test_what_is_left_out_is_added_and_what_is_there_stays() -> None:
    made = rules("one", 1)
    own = made.bound = lambda _state: 7
    defaults.fill(made, FEW)
    assert (made.OBSERVATION_SIZE, made.hidden_information(None), made.observed_action(None, 3, 0)) == (2, False, 3)
    assert made.bound is own
    assert shares(made) == [0.0, 1.0]


def test_rules_that_are_filled_twice_keep_their_functions() -> None:
    made = rules("one", 1)
    defaults.fill(made, FEW)
    before = dict(vars(made))
    defaults.fill(made, FEW)
    assert vars(made) == before


def test_rules_that_import_all_of_a_game_that_is_filled_call_their_own_functions() -> None:
    one, other = rules("one", 1), rules("other", 0)
    defaults.fill(one, FEW)
    for name, value in vars(one).items():  # from one import *; then its own scores
        if name[0] != "_" and name != "scores":
            setattr(other, name, value)
    defaults.fill(other, MANY)
    assert (other.OBSERVATION_SIZE, other.bound(None), shares(other)) == (5, 20, [1.0, 0.0])
    assert (one.OBSERVATION_SIZE, one.bound(None), shares(one)) == (2, 10, [0.0, 1.0])
