"""Facets of Fortune: money, and the winners."""

from __future__ import annotations

from collections.abc import MutableSequence

from parlour.core.contract import Buffer
from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules import state as s
from parlour.games.facets_of_fortune.rules.state import State


def scores(state: State, out: Buffer) -> None:
    """FF-27: write the money of each seat."""
    for seat in range(state.players):
        out[seat] = state.money[seat]


def most_money(state: State) -> int:
    """Return the money of the richest player."""
    best = state.money[0]
    for seat in range(1, state.players):
        best = max(best, state.money[seat])
    return best


def wins(state: State, seat: int) -> bool:
    """FF-27, FF-28: return whether this seat wins, alone or with others, when the game is over now."""
    if state.corner != p.NOBODY:
        return seat == state.corner
    return state.money[seat] == most_money(state)


def returns(state: State, out: MutableSequence[float]) -> None:
    """FF-27, FF-28: write 1 for a player who cornered a market, else equal shares for those with the most money.

    Before the end, all get 0.
    """
    winners = 0
    for seat in range(state.players):
        winners += 1 if wins(state, seat) else 0
    for seat in range(state.players):
        out[seat] = 1.0 / winners if state.phase == s.OVER and wins(state, seat) else 0.0
