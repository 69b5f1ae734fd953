"""What the rules of a game may leave out, where nearly all games say the same.

`fill` adds to a game's rules whatever they lack of the functions below, as if it were written there: they are in the
dialect that also compiles, and name the other functions of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from parlour.core.contract import TERMINAL, Buffer
from parlour.core.facts import Facts
from parlour.core.rng import choose_weighted

if TYPE_CHECKING:  # of the rules that are filled
    MAX_OUTCOMES = 0

    def current_player(state: Any) -> int: ...
    def chance_outcomes(state: Any, out: Buffer, weights: Buffer) -> int: ...
    def scores(state: Any, out: Buffer) -> None: ...


def bound(_state: Any, longest: int = 0) -> int:
    """What the facts say, however the game is set up."""
    return longest


def hidden_information(_state: Any, hidden: bool = False) -> bool:
    """What the facts say, however the game is set up."""
    return hidden


def sample_chance(state: Any, rng: Buffer) -> int:
    """One of `chance_outcomes`, by its weight."""
    outcomes = [0] * MAX_OUTCOMES
    weights = [0] * MAX_OUTCOMES
    n = chance_outcomes(state, outcomes, weights)
    return outcomes[choose_weighted(rng, weights, n)]


def returns(state: Any, out: Any) -> None:
    """The highest score wins; equals share."""
    seats = len(out)
    points = [0] * seats
    scores(state, points)
    best = points[0]
    for seat in range(1, seats):
        best = max(best, points[seat])
    winners = 0
    for seat in range(seats):
        winners += 1 if points[seat] == best else 0
    over = current_player(state) == TERMINAL
    for seat in range(seats):
        out[seat] = 1.0 / winners if over and points[seat] == best else 0.0


def observed_action(_state: Any, action: int, _player: int) -> int:
    """Every action is seen by everybody."""
    return action


def resample(_state: Any, _player: int, _rng: Buffer) -> None:
    """There is nothing that anybody cannot know."""


def left_out(facts: Facts) -> tuple[Callable[..., Any], ...]:
    """What the rules may leave out: where something is hidden, they say themselves what is seen of it."""
    always = (bound, hidden_information, sample_chance, returns)
    return always if facts.hidden_information else (*always, observed_action, resample)


def fill(rules: ModuleType, facts: Facts) -> None:
    """Complete the rules of a game with OBSERVATION_SIZE and the functions that they lack."""
    names = vars(rules)
    names.setdefault("OBSERVATION_SIZE", facts.observation_size)
    given = {"bound": (facts.longest,), "hidden_information": (facts.hidden_information,)}
    for function in left_out(facts):
        name = function.__name__
        if name not in names:
            for needed in {"choose_weighted", "TERMINAL"} & set(function.__code__.co_names):
                names.setdefault(needed, globals()[needed])
            made = FunctionType(function.__code__, names, name, given.get(name))
            made.__module__, made.__doc__ = rules.__name__, function.__doc__
            names[name] = made
