"""Facets of Fortune: the state and its decisions. Clauses FF-n are in rulebook.md.

Gems of a colour are counted; deck and discards are counts by kind. Hands keep their order (FF-17)
only for display. Cards are drawn one at a time, so the order of the deck is not in the state at all
(FF-30).
"""

from __future__ import annotations

from parlour.core.struct import ints, rows, struct
from parlour.games.facets_of_fortune.rules.pieces import (
    MOST_CARDS,
    N_COLOURS,
    N_KINDS,
    N_STEPS,
    NOBODY,
    RUNGS,
    SEATS,
)

VERSION = 1

# Phases: what is awaited. An outcome of chance in START (the seat that begins), DRAW (a card), ROLL (both dice),
# ATTACK and DEFEND (a heist die of either side), a decision in the others.
START, DRAW, ROLL, NAME, PLAY, TRADE, CHOOSE, GIVE, TAKE = 0, 1, 2, 3, 4, 5, 6, 7, 8
SWITCH_1, SWITCH_2, RIVAL, ATTACK, DEFEND, PICK, TOSS, OVER = 9, 10, 11, 12, 13, 14, 15, 16
# What cards are drawn for (State.deal): FF-8, FF-15, FF-17
OPENING, EXTRA_CARDS, REFILL = 0, 1, 2

# Decisions. END: keep all and draw; DISCARD: choose cards to discard first; EXTRA + n: buy n cards; STOP_AT + colour;
# CARD + kind: play it; MARKET + colour: its meaning depends on the phase; BUY and SELL: see `traded`; ROB + seat;
# PLACES + bits of the places in the hand whose cards are discarded, of equal cards the first ones.
END, DISCARD, EXTRA, BUY_STOP, STOP_AT, CARD, MARKET, BUY, SELL, ROB, PLACES = 0, 1, 1, 5, 6, 10, 32, 36, 48, 60, 64
ALL_CARDS = (1 << MOST_CARDS) - 1
N_ACTIONS = PLACES + ALL_CARDS + 1
MAX_LEGAL = ALL_CARDS
MAX_OUTCOMES = (N_COLOURS + 2) * N_STEPS


@struct
class State:
    """A table of Facets of Fortune: everything on it, by seat, colour or kind of card."""

    # the table: edition and options
    players: int = 0
    dead_wild: int = 0  # FF-24
    backward: int = 0  # FF-7: turns go counter-clockwise
    wild_stop: int = 0  # FF-11: a market under STOP, named at Wild, does not move up
    heist_die: int = 0  # FF-4
    ladder: list[int] = ints(RUNGS)  # FF-1
    steps: list[int] = ints(N_STEPS, 8)  # FF-3
    # the game
    phase: int = START
    player: int = 0  # whose turn it is; at the opening, who is dealt cards
    turns: int = 0  # finished
    money: list[int] = ints(SEATS, 64)  # FF-29: the bank never runs out, and no player owes money
    corner: int = NOBODY  # FF-28: the seat that owns all ten gems of a market
    # the markets, by colour
    board: list[int] = ints(N_COLOURS, 8)  # gems not owned
    marker: list[int] = ints(N_COLOURS, 8)  # rung of the Sell price
    closed: list[int] = ints(N_COLOURS, 8)
    stops: list[int] = ints(N_COLOURS, 8)  # bit s: a STOP of seat s is here
    own: list[list[int]] = rows(SEATS, N_COLOURS, 8)  # gems, by seat and colour
    holds: list[int] = ints(SEATS, 8)  # STOP cards not placed yet, 0 or 1
    bought: list[int] = ints(SEATS, 8)  # the extra STOP has been bought
    # the cards
    hand: list[list[int]] = rows(SEATS, MOST_CARDS, 8)  # kinds, by seat and place; NOBODY in an empty place
    held: list[int] = ints(SEATS, 8)
    unseen: list[int] = ints(N_KINDS, 8)  # in the deck, by kind
    used: list[int] = ints(N_KINDS, 8)  # in the discard pile
    left: int = 0  # cards in the deck
    deal: int = OPENING
    due: int = 0  # cards still to be drawn
    before: list[int] = ints(N_COLOURS, 8)  # FF-25: numbered cards by colour in the hand before the deal
    # the turn
    extra: int = 0  # FF-15: extra cards may still be bought
    card: int = NOBODY  # the kind being played, or played last in this turn
    first: int = NOBODY  # the colour named first in an exchange or a switch
    rival: int = NOBODY  # the seat attacked now, or last
    attack: int = 0  # dice of the last heist
    defence: int = 0
    booty: int = 0  # gems still to be taken
    # what the last roll did, kept until the next one for the pictures
    gem: int = NOBODY
    step: int = 0
    was: list[int] = ints(N_COLOURS, 8)  # the markers before it
    crashed: int = 0  # bit c: this market crashed with it


def seat_after(state: State, seat: int, places: int) -> int:
    """FF-7: return the seat that is this many places further in turn order."""
    return (seat + (state.players - places if state.backward else places)) % state.players


# Decisions of two parts --------------------------------------------------------------------------
def buying(colour: int, gems: int) -> int:
    """FF-18: return the decision to buy 1 to 3 gems of a colour."""
    return BUY + 3 * colour + gems - 1


def selling(colour: int, gems: int) -> int:
    """FF-18: return the decision to sell 1 to 3 gems of a colour."""
    return SELL + 3 * colour + gems - 1


def traded(action: int) -> tuple[int, int]:
    """Undo `buying` and `selling`: return the colour, and how many gems the player gains, below 0 if they are sold."""
    if action < SELL:
        return (action - BUY) // 3, (action - BUY) % 3 + 1
    return (action - SELL) // 3, -((action - SELL) % 3 + 1)
