"""Facets of Fortune: what gems cost and sell for, and how many each player has."""

from __future__ import annotations

from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules.state import State


def buy_price(state: State, colour: int) -> int:
    """FF-9: return what the lowest gem left costs; 0 if no gem is left."""
    left = state.board[colour]
    return state.ladder[p.GEMS - left] if left else 0


def cost(state: State, colour: int, gems: int) -> int:
    """FF-18: return the cost of this many gems, at most those on the board: each at its own price."""
    lowest = p.GEMS - state.board[colour]
    total = 0
    for i in range(gems):
        total += state.ladder[lowest + i]
    return total


def sell_price(state: State, colour: int) -> int:
    """FF-10: return what each gem sells for."""
    return state.ladder[state.marker[colour]]


def open_markets(state: State) -> int:
    """Return how many markets are open."""
    n = 0
    for colour in range(p.N_COLOURS):
        n += 1 - state.closed[colour]
    return n


def gems_of(state: State, seat: int) -> int:
    """Return how many gems a seat has, of all colours together."""
    own = state.own[seat]
    n = 0
    for colour in range(p.N_COLOURS):
        n += own[colour]
    return n
