"""Facets of Fortune: what the cards do to gems and money."""

from __future__ import annotations

from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules import state as s
from parlour.games.facets_of_fortune.rules.markets import cost, gems_of, sell_price
from parlour.games.facets_of_fortune.rules.state import State


def lay(state: State, kind: int) -> None:
    """FF-16: lay down the card and ask next for what it still needs."""
    state.extra = 0  # FF-15
    place = 0
    while state.hand[state.player][place] != kind:
        place += 1
    discard(state, place)
    state.card = kind
    state.first = p.NOBODY
    if kind == p.EXCHANGE:
        state.phase = s.GIVE
    elif kind == p.SWITCH:
        state.phase = s.SWITCH_1
    elif kind == p.HEIST:
        state.phase = s.RIVAL
    elif kind < p.FREE:
        state.phase = s.TRADE
    elif state.closed[kind - p.FREE]:  # FF-24
        state.phase = s.CHOOSE
    else:  # FF-19
        take(state, kind - p.FREE)


def discard(state: State, place: int) -> None:
    """FF-16, FF-17: move the card in this place of the hand of the player on turn to the discard pile."""
    hand = state.hand[state.player]
    state.held[state.player] -= 1
    state.used[hand[place]] += 1
    for i in range(place, state.held[state.player]):
        hand[i] = hand[i + 1]
    hand[state.held[state.player]] = p.NOBODY


def trade(state: State, action: int) -> None:
    """FF-18: buy from the bottom, each gem at its own price; or sell, each for the Sell price."""
    colour, gems = s.traded(action)
    seat = state.player
    if gems > 0:
        state.money[seat] -= cost(state, colour, gems)
    else:
        state.money[seat] -= gems * sell_price(state, colour)
    state.board[colour] -= gems
    state.own[seat][colour] += gems
    state.first = colour
    _played(state, colour)


def give(state: State, colour: int) -> None:
    """FF-20: put a gem of the player on turn back, on the highest free space."""
    state.own[state.player][colour] -= 1
    state.board[colour] += 1


def take(state: State, colour: int) -> None:
    """FF-19, FF-20: give the lowest gem of a market to the player on turn."""
    state.board[colour] -= 1
    state.own[state.player][colour] += 1
    _played(state, colour)


def _played(state: State, colour: int) -> None:
    """FF-28: end the game if the player owns all ten gems of this open market; else continue the turn."""
    if state.own[state.player][colour] == p.GEMS:
        state.corner = state.player
        state.phase = s.OVER
    else:
        state.phase = s.PLAY


def switch(state: State, one: int, other: int) -> None:
    """FF-21: exchange the Sell Prices of two markets, or everything in them if one is closed."""
    if state.closed[one] or state.closed[other]:
        state.closed[one], state.closed[other] = state.closed[other], state.closed[one]
        state.board[one], state.board[other] = state.board[other], state.board[one]
        for seat in range(state.players):
            own = state.own[seat]
            own[one], own[other] = own[other], own[one]
    state.marker[one], state.marker[other] = state.marker[other], state.marker[one]
    state.phase = s.PLAY


# Heist -------------------------------------------------------------------------------------------
def haul(state: State, shown: int) -> int:
    """FF-22: return how many gems the attacker takes when the defender's die shows this; 0 if the heist failed."""
    return min(max(state.attack - shown, 0), gems_of(state, state.rival))


def fight(state: State, shown: int) -> None:
    """FF-22: settle the heist with the defender's roll."""
    state.booty = haul(state, shown)
    state.defence = shown
    state.phase = s.PICK
    grab_rest(state)


def grab(state: State, colour: int) -> None:
    """FF-22, FF-28: take one gem from the opponent; ten of a colour win."""
    mine = state.own[state.player]
    state.own[state.rival][colour] -= 1
    mine[colour] += 1
    state.booty -= 1
    if mine[colour] == p.GEMS:
        state.booty = 0
        state.corner = state.player
        state.phase = s.OVER


def grab_rest(state: State) -> None:
    """FF-22: take gems without asking while the opponent has only one colour."""
    while state.booty:
        colours = 0
        last = 0
        for colour in range(p.N_COLOURS):
            if state.own[state.rival][colour]:
                colours += 1
                last = colour
        if colours > 1:
            return
        grab(state, last)
    if state.phase == s.PICK:
        state.phase = s.PLAY
