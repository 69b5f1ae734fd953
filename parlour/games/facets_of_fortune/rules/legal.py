"""Facets of Fortune: whose decision it is, and what is possible."""

from __future__ import annotations

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules import state as s
from parlour.games.facets_of_fortune.rules.markets import cost, gems_of
from parlour.games.facets_of_fortune.rules.state import State


def current_player(state: State) -> int:
    """Return the player on turn; CHANCE when dice or cards are due, TERMINAL when the game is over."""
    phase = state.phase
    if phase == s.PLAY:
        return state.player
    if phase == s.DRAW or phase == s.ROLL or phase == s.START or phase == s.ATTACK or phase == s.DEFEND:
        return CHANCE
    return TERMINAL if phase == s.OVER else state.player


def legal_actions(state: State, out: Buffer) -> int:
    """Write the legal decisions into `out`, ascending; return how many there are."""
    phase = state.phase
    if phase == s.PLAY:
        return _in_turn(state, out)
    if phase == s.TRADE:
        return _trades(state, out)
    if phase == s.TOSS:
        return _tosses(state, out)
    n = 0
    if phase == s.RIVAL:
        for seat in range(state.players):
            if may_rob(state, seat):
                out[n] = s.ROB + seat
                n += 1
    elif current_player(state) >= 0:
        for colour in range(p.N_COLOURS):
            if _may_name(state, colour):
                out[n] = s.MARKET + colour
                n += 1
    return n


def _in_turn(state: State, out: Buffer) -> int:
    """FF-15, FF-16, FF-17, FF-23: write the decisions between the roll and the end of a turn."""
    seat = state.player
    held = state.held[seat]
    hand = state.hand[seat]
    n = 0
    if held <= p.HAND:
        out[n] = s.END
        n += 1
    if held:
        out[n] = s.DISCARD
        n += 1
    if state.extra:
        for cards in range(1, 4):
            if state.money[seat] >= cards * p.EXTRA_PRICE:
                out[n] = s.EXTRA + cards
                n += 1
    if may_buy_stop(state):
        out[n] = s.BUY_STOP
        n += 1
    if state.holds[seat]:
        for colour in range(p.N_COLOURS):
            if may_stop(state, colour):
                out[n] = s.STOP_AT + colour
                n += 1
    kinds = 0
    for i in range(held):
        kinds |= 1 << hand[i]
    for kind in range(p.N_KINDS):
        if kinds >> kind & 1 and playable(state, kind):
            out[n] = s.CARD + kind
            n += 1
    return n


def _trades(state: State, out: Buffer) -> int:
    """FF-18: write the ways to buy or sell, up to the number on the card."""
    seat = state.player
    most = p.number_of(state.card)
    n = 0
    for colour in range(p.N_COLOURS):
        if serves(state, state.card, colour):
            for gems in range(1, most + 1):
                if may_buy(state, seat, colour, gems):
                    out[n] = s.buying(colour, gems)
                    n += 1
    for colour in range(p.N_COLOURS):
        if serves(state, state.card, colour):
            for gems in range(1, most + 1):
                if may_sell(state, seat, colour, gems):
                    out[n] = s.selling(colour, gems)
                    n += 1
    return n


def _tosses(state: State, out: Buffer) -> int:
    """FF-17: write the choices of cards to discard: at least one, and enough to keep at most three.

    Of equal cards, the first ones are discarded.
    """
    hand = state.hand[state.player]
    held = state.held[state.player]
    n = 0
    for cards in range(1, 1 << held):
        kept = held
        fits = True
        for i in range(held):
            if cards >> i & 1:
                kept -= 1
                for j in range(i):
                    if hand[j] == hand[i] and not cards >> j & 1:
                        fits = False
        if fits and kept <= p.HAND:
            out[n] = s.PLACES + cards
            n += 1
    return n


def _may_name(state: State, colour: int) -> bool:
    """Return whether this market can be named now."""
    phase = state.phase
    if phase == s.NAME:  # FF-11: any open market, even one that cannot move
        return not state.closed[colour]
    if phase == s.CHOOSE:  # FF-19, FF-24
        return state.board[colour] > 0
    if phase == s.GIVE:
        return may_give(state, colour)
    if phase == s.TAKE:  # FF-20: another one
        return colour != state.first and state.board[colour] > 0
    if phase == s.SWITCH_1:
        return has_partner(state, colour)
    if phase == s.SWITCH_2:
        return may_switch(state, state.first, colour)
    return state.own[state.rival][colour] > 0  # FF-22


# What cards can do -------------------------------------------------------------------------------
def playable(state: State, kind: int) -> bool:
    """FF-16, FF-24: return whether this card can do anything for the player on turn."""
    if kind == p.HEIST:
        for seat in range(state.players):
            if may_rob(state, seat):
                return True
        return False
    for colour in range(p.N_COLOURS):
        if _useful(state, kind, colour):
            return True
    return False


def _useful(state: State, kind: int, colour: int) -> bool:
    """Return whether the card can do anything in this market."""
    if kind == p.EXCHANGE:
        return may_give(state, colour)
    if kind == p.SWITCH:
        return has_partner(state, colour)
    if not serves(state, kind, colour):
        return False
    if kind >= p.FREE:
        return state.board[colour] > 0
    return may_sell(state, state.player, colour, 1) or may_buy(state, state.player, colour, 1)


def is_dead(state: State, kind: int) -> bool:
    """FF-24: return whether this card cannot be used, because its market is closed."""
    printed = p.colour_of(kind)
    return printed != p.NOBODY and state.closed[printed] != 0 and not state.dead_wild


def serves(state: State, kind: int, colour: int) -> bool:
    """FF-18, FF-19, FF-24: return whether a numbered or Free Gem card can be used for this market."""
    if state.closed[colour]:
        return False
    printed = p.colour_of(kind)
    if printed == p.NOBODY or printed == colour:
        return True
    return state.closed[printed] != 0 and state.dead_wild != 0


def may_buy(state: State, seat: int, colour: int, gems: int) -> bool:
    """FF-18: return whether this many gems are on the board and the seat can pay for them."""
    return gems <= state.board[colour] and cost(state, colour, gems) <= state.money[seat]


def may_sell(state: State, seat: int, colour: int, gems: int) -> bool:
    """FF-18: return whether the seat has this many gems."""
    return gems <= state.own[seat][colour]


def may_give(state: State, colour: int) -> bool:
    """FF-20: return whether the player on turn has a gem of this colour, and another open market has one to take."""
    if not state.own[state.player][colour]:
        return False
    for other in range(p.N_COLOURS):
        if other != colour and state.board[other]:  # a closed market has no gem
            return True
    return False


def may_switch(state: State, one: int, other: int) -> bool:
    """FF-21: return whether neither market has a STOP, at least one is open, and something would change."""
    if one == other or state.stops[one] or state.stops[other]:
        return False
    if state.closed[one] or state.closed[other]:
        return state.closed[one] != state.closed[other]
    return state.marker[one] != state.marker[other]


def has_partner(state: State, colour: int) -> bool:
    """FF-21: return whether this market can change places with any other."""
    for other in range(p.N_COLOURS):
        if may_switch(state, colour, other):
            return True
    return False


def may_rob(state: State, seat: int) -> bool:
    """FF-22: return whether this is an opponent of the player on turn who has a gem."""
    return seat != state.player and gems_of(state, seat) > 0


# STOP cards --------------------------------------------------------------------------------------
def may_stop(state: State, colour: int) -> bool:
    """FF-23: return whether the market is open, without a STOP of the player on turn."""
    return not state.closed[colour] and not state.stops[colour] >> state.player & 1


def may_buy_stop(state: State) -> bool:
    """FF-23: return whether the player on turn, who has placed their STOP, can buy the one extra STOP of the game."""
    seat = state.player
    return not state.holds[seat] and not state.bought[seat] and state.money[seat] >= p.STOP_PRICE
