"""Facets of Fortune: what plays do to gems and money. Part of the rules, see rules.py."""

from __future__ import annotations

from parlour.games.facets_of_fortune.rules import board as b
from parlour.games.facets_of_fortune.rules.board import State

# Trades, as numbered among the actions: BUY and SELL + 3 * colour + n - 1
BUY, SELL = 36, 48


def trade(state: State, action: int) -> None:
    """FF-18: buy from the bottom, each gem at its own price; or sell, each for the Sell price."""
    buys = action < SELL
    what = action - BUY if buys else action - SELL
    colour = what // 3
    gems = what % 3 + 1
    seat = state.player
    if buys:
        state.money[seat] -= b.cost(state, colour, gems)
    else:
        state.money[seat] += gems * b.sell_price(state, colour)
        gems = -gems
    state.board[colour] -= gems
    state.own[seat * b.N_COLOURS + colour] += gems
    state.first = colour
    _played(state, colour)


def take(state: State, colour: int) -> None:
    """FF-19, FF-20: the lowest gem of a market."""
    state.board[colour] -= 1
    state.own[state.player * b.N_COLOURS + colour] += 1
    _played(state, colour)


def _played(state: State, colour: int) -> None:
    """FF-28: all ten gems of an open market win at once; else the turn goes on."""
    if state.own[state.player * b.N_COLOURS + colour] == b.GEMS:
        state.corner = state.player
        state.phase = b.OVER
    else:
        state.phase = b.PLAY


def switch(state: State, one: int, other: int) -> None:
    """FF-21: two Sell prices change places; with a closed market all of it does."""
    if state.closed[one] or state.closed[other]:
        state.closed[one], state.closed[other] = state.closed[other], state.closed[one]
        state.board[one], state.board[other] = state.board[other], state.board[one]
        for seat in range(state.players):
            i = seat * b.N_COLOURS + one
            j = seat * b.N_COLOURS + other
            state.own[i], state.own[j] = state.own[j], state.own[i]
    state.marker[one], state.marker[other] = state.marker[other], state.marker[one]
    state.phase = b.PLAY


def fight(state: State, shown: int) -> None:
    """FF-22: the defender has rolled."""
    state.defence = shown
    state.booty = min(max(state.attack - shown, 0), b.gems_of(state, state.rival))
    state.phase = b.PICK
    grab_rest(state)


def grab(state: State, colour: int) -> None:
    """FF-22, FF-28: one gem changes hands."""
    state.own[state.rival * b.N_COLOURS + colour] -= 1
    state.own[state.player * b.N_COLOURS + colour] += 1
    state.booty -= 1
    if state.own[state.player * b.N_COLOURS + colour] == b.GEMS:
        state.booty = 0
        state.corner = state.player
        state.phase = b.OVER


def grab_rest(state: State) -> None:
    """FF-22: as long as there is one colour to take, nothing is asked."""
    while state.booty:
        colours = 0
        last = 0
        for colour in range(b.N_COLOURS):
            if state.own[state.rival * b.N_COLOURS + colour]:
                colours += 1
                last = colour
        if colours > 1:
            return
        grab(state, last)
    if state.phase == b.PICK:
        state.phase = b.PLAY
