"""Facets of Fortune: the beginning, from the components of an edition. Plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import NoGame
from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules.state import State

CLAUSES = {"ladder": "FF-1", "up_down": "FF-3", "heist_die": "FF-4"}


def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """FF-1 to FF-6, FF-8: return the state before the starting seat is drawn. Raise NoGame for unusable parts."""
    state = State(
        players=players,
        dead_wild=options["dead_cards"],
        backward=options["direction"],
        wild_stop=options["stop_at_wild"],
    )
    state.ladder[:] = _numbers(parts, "ladder", p.RUNGS, 1, 10**8)
    if sorted(set(state.ladder)) != state.ladder:
        raise NoGame("The ladder must rise from price to price.", "FF-1")
    state.steps[:] = _numbers(parts, "up_down", p.N_STEPS, -p.FARTHEST, p.FARTHEST)
    if 0 in state.steps:
        raise NoGame("Each face of the up/down die must move a marker.", "FF-3")
    if sum(state.steps) < 0:  # a market closes at the top, so prices that fall would hardly ever end the game
        raise NoGame("The faces of the up/down die must not lower prices more than they raise them.", "FF-3")
    (state.heist_die,) = _numbers({"heist_die": [parts["heist_die"]]}, "heist_die", 1, 2, p.MOST_FACES)
    state.unseen[:] = _deck(parts["deck"])
    state.left = sum(state.unseen)
    state.board[:] = [p.GEMS] * p.N_COLOURS
    for seat in range(players):
        state.holds[seat] = 1  # FF-6
    for hand in state.hand:
        hand[:] = [p.NOBODY] * p.MOST_CARDS
    return state


def _numbers(parts: Mapping[str, Any], name: str, length: int, low: int, high: int) -> list[int]:
    """Return a component that must be a list of this many whole numbers in a range. Raise NoGame if
    it is not."""
    value = parts[name]
    whole = isinstance(value, list) and len(value) == length and all(type(n) is int for n in value)
    if not whole or not all(low <= n <= high for n in value):
        raise NoGame(f"{name} must be {length} whole numbers from {low:,} to {high:,}.", CLAUSES[name])
    return list(value)


def _deck(number_of: Any) -> list[int]:
    """FF-5: return the number of cards of each kind, the same for each colour. Raise NoGame if it is unusable."""
    kinds = ("gem-1", "gem-2", "gem-3", "wild-1", "wild-2", "wild-3", "free", "exchange", "switch", "heist")
    if not isinstance(number_of, dict) or not set(number_of) <= set(kinds):
        raise NoGame(f"The deck must give numbers of these cards: {', '.join(kinds)}.", "FF-5")
    counts = [number_of.get(kind, 0) for kind in kinds]
    if any(type(n) is not int or not 0 <= n <= p.MOST_ALIKE for n in counts):
        raise NoGame(f"The number of cards of a kind must be 0 to {p.MOST_ALIKE}.", "FF-5")
    found = [*counts[:3] * p.N_COLOURS, *counts[3:6], *[counts[6]] * p.N_COLOURS, *counts[7:]]
    if sum(found) < p.SEATS * p.HAND + p.MOST_CARDS:
        raise NoGame(f"The deck needs {p.SEATS * p.HAND + p.MOST_CARDS} cards at least.", "FF-5")
    return found
