"""Defaults for rules: functions that a game may leave out because nearly all games need the same.

`fill` adds to a game's rules each of the functions below that they lack, as if the game had written
it. The functions are in the dialect that also compiles, and call other functions of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from parlour.core.contract import TERMINAL, Buffer
from parlour.core.facts import Facts
from parlour.core.rng import choose_weighted
from parlour.core.struct import GameState

if TYPE_CHECKING:  # names of the rules that `fill` completes
    MAX_OUTCOMES = 0

    def current_player(state: GameState) -> int: ...
    def chance_outcomes(state: GameState, out: Buffer, weights: Buffer) -> int: ...
    def scores(state: GameState, out: Buffer) -> None: ...


def bound(_state: GameState, longest: int = 0) -> int:
    """Return what the facts say, whatever the set-up."""
    return longest


def hidden_information(_state: GameState, hidden: bool = False) -> bool:
    """Return what the facts say, whatever the set-up."""
    return hidden


def sample_chance(state: GameState, rng: Buffer) -> int:
    """Draw one of `chance_outcomes` by its weight."""
    outcomes = [0] * MAX_OUTCOMES
    weights = [0] * MAX_OUTCOMES
    n = chance_outcomes(state, outcomes, weights)
    return outcomes[choose_weighted(rng, weights, n)]


def returns(state: GameState, out: MutableSequence[float]) -> None:
    """Let the highest score win; equals share."""
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


def observed_action(_state: GameState, action: int, _player: int) -> int:
    """Show every action to all viewers."""
    return action


def resample(_state: GameState, _player: int, _rng: Buffer) -> None:
    """Leave everything as it is: no seat lacks any knowledge."""


def left_out(facts: Facts) -> tuple[Callable[..., object], ...]:
    """Return the functions that the rules may leave out.

    Rules with hidden information must define what each seat sees.
    """
    always = (bound, hidden_information, sample_chance, returns)
    return always if facts.hidden_information else (*always, observed_action, resample)


def fill(rules: ModuleType, facts: Facts) -> None:
    """Add OBSERVATION_SIZE and the missing functions to the rules of a game.

    Rules that import those of another game with `*` may have received what was added to these: it
    calls the other game's functions, so it is made anew.
    """
    names = vars(rules)
    names["OBSERVATION_SIZE"] = facts.observation_size
    given = {"bound": (facts.longest,), "hidden_information": (facts.hidden_information,)}
    for function in left_out(facts):
        name = function.__name__
        if name not in names or _added_elsewhere(names[name], function, names):
            for needed in {"choose_weighted", "TERMINAL"} & set(function.__code__.co_names):
                names.setdefault(needed, globals()[needed])
            made = FunctionType(function.__code__, names, name, given.get(name))
            made.__module__, made.__doc__ = rules.__name__, function.__doc__
            names[name] = made


def _added_elsewhere(found: object, function: Callable[..., object], names: dict[str, object]) -> bool:
    """Return whether `found` is this default, made for other rules."""
    return isinstance(found, FunctionType) and found.__code__ is function.__code__ and found.__globals__ is not names
