"""Facets of Fortune: what lies on the table, and what can be read off it. Clauses FF-n are in rulebook.md.

Colours and cards of one kind are numbers; gems of a colour are counted. Hands keep their order (FF-17) for the eye.
"""

from __future__ import annotations

from parlour.core.struct import ints, struct

SEATS = 4
NOBODY = -1

# FF-1: markets and their ladder
N_COLOURS, GEMS, RUNGS = 4, 10, 10
TOP = RUNGS - 1
COLOURS = ("ruby", "sapphire", "diamond", "emerald")
# FF-2: the gem die shows a colour, or
WILD, ALL = 4, 5
# FF-3: faces of the up/down die
N_STEPS = 6
# FF-5: kinds of card: n-gem cards of colour c are 3c + n - 1
N_KINDS = 22
WILD_1, FREE, EXCHANGE, SWITCH, HEIST = 12, 15, 19, 20, 21
KINDS = (
    *(f"{colour}-{n}" for colour in COLOURS for n in (1, 2, 3)),
    "wild-1", "wild-2", "wild-3", *(f"free-{colour}" for colour in COLOURS), "exchange", "switch", "heist",
)  # fmt: skip
HAND, MOST_CARDS = 3, 6  # FF-15, FF-17: kept, and with extra cards

EXTRA_PRICE = 100_000  # FF-15
STOP_PRICE = 1_000_000  # FF-23
BONUS = 100_000  # FF-25

# Phases: what is awaited
START, DRAW, ROLL, NAME, PLAY, TRADE, CHOOSE, GIVE, TAKE = 0, 1, 2, 3, 4, 5, 6, 7, 8
SWITCH_1, SWITCH_2, RIVAL, ATTACK, DEFEND, PICK, TOSS, OVER = 9, 10, 11, 12, 13, 14, 15, 16
# What cards are drawn for (state.deal)
OPENING, EXTRA_CARDS, REFILL = 0, 1, 2


@struct
class State:
    # the table: edition and options
    players: int = 0
    dead_wild: int = 0  # FF-24
    heist_die: int = 0  # FF-4
    ladder: list[int] = ints(RUNGS)  # FF-1
    steps: list[int] = ints(N_STEPS, 8)  # FF-3
    # the game
    phase: int = START
    player: int = 0  # whose turn it is; at the opening, to whom is dealt
    turns: int = 0  # finished
    money: list[int] = ints(SEATS, 64)  # FF-29: the bank has no end, and nobody owes
    corner: int = NOBODY  # FF-28: who holds all ten gems of a market
    # the markets, by colour
    board: list[int] = ints(N_COLOURS, 8)  # gems not owned
    marker: list[int] = ints(N_COLOURS, 8)  # rung of the Sell price
    closed: list[int] = ints(N_COLOURS, 8)
    stops: list[int] = ints(N_COLOURS, 8)  # bit s: a STOP of seat s lies here
    own: list[int] = ints(SEATS * N_COLOURS, 8)  # seat * N_COLOURS + colour
    holds: list[int] = ints(SEATS, 8)  # STOP cards not placed yet, 0 or 1
    bought: list[int] = ints(SEATS, 8)  # the extra STOP has been bought
    # the cards
    hand: list[int] = ints(SEATS * MOST_CARDS, 8)  # seat * MOST_CARDS + place: kind, NOBODY where there is none
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
    rival: int = NOBODY  # who is, or was last, attacked
    attack: int = 0  # dice of the last heist
    defence: int = 0
    booty: int = 0  # gems still to be taken
    # what the last roll did, kept for the eye until the next one
    gem: int = NOBODY
    step: int = 0
    was: list[int] = ints(N_COLOURS, 8)  # the markers before it
    crashed: int = 0  # bit c: this market crashed with it


# Prices ------------------------------------------------------------------------------------------
def buy_price(state: State, colour: int) -> int:
    """FF-9: what the lowest gem left costs; 0 where there is none."""
    left = state.board[colour]
    return state.ladder[GEMS - left] if left else 0


def cost(state: State, colour: int, gems: int) -> int:
    """FF-18: what so many gems cost, each its own price."""
    lowest = GEMS - state.board[colour]
    total = 0
    for i in range(gems):
        total += state.ladder[lowest + i]
    return total


def sell_price(state: State, colour: int) -> int:
    """FF-10: the same for each gem."""
    return state.ladder[state.marker[colour]]


def open_markets(state: State) -> int:
    n = 0
    for colour in range(N_COLOURS):
        n += 1 - state.closed[colour]
    return n


def gems_of(state: State, seat: int) -> int:
    n = 0
    for colour in range(N_COLOURS):
        n += state.own[seat * N_COLOURS + colour]
    return n


# Cards -------------------------------------------------------------------------------------------
def colour_of(kind: int) -> int:
    """The colour printed on a card, NOBODY on one without."""
    if kind < WILD_1:
        return kind // 3
    return kind - FREE if FREE <= kind < EXCHANGE else NOBODY


def number_of(kind: int) -> int:
    """FF-18: the number on a numbered card, 0 on others."""
    return kind % 3 + 1 if kind < FREE else 0


def holds_card(state: State, seat: int, kind: int) -> bool:
    for i in range(state.held[seat]):
        if state.hand[seat * MOST_CARDS + i] == kind:
            return True
    return False


def numbered(state: State, seat: int, colour: int) -> int:
    """FF-25: numbered cards of a colour in a hand. Wild and Free Gem never count, closed markets do."""
    n = 0
    for i in range(state.held[seat]):
        kind = state.hand[seat * MOST_CARDS + i]
        if kind < WILD_1 and kind // 3 == colour:
            n += 1
    return n


def serves(state: State, kind: int, colour: int) -> bool:
    """FF-18, FF-19, FF-24: whether a numbered or Free Gem card can be used for this open market."""
    if state.closed[colour]:
        return False
    printed = colour_of(kind)
    if printed in (NOBODY, colour):
        return True
    return bool(state.dead_wild and state.closed[printed])


def may_buy(state: State, colour: int, gems: int) -> bool:
    """FF-18: so many are on the board, and can be paid."""
    return gems <= state.board[colour] and cost(state, colour, gems) <= state.money[state.player]


def may_sell(state: State, colour: int, gems: int) -> bool:
    return gems <= state.own[state.player * N_COLOURS + colour]


def may_give(state: State, colour: int) -> bool:
    """FF-20: he has one, and another open market has one to take."""
    if not state.own[state.player * N_COLOURS + colour]:
        return False
    for other in range(N_COLOURS):
        if other != colour and state.board[other]:  # a closed market has no gem
            return True
    return False


def may_switch(state: State, one: int, other: int) -> bool:
    """FF-21: no STOP, one of them open at least, and something would change."""
    if one == other or state.stops[one] or state.stops[other]:
        return False
    if state.closed[one] or state.closed[other]:
        return state.closed[one] != state.closed[other]
    return state.marker[one] != state.marker[other]


def has_partner(state: State, colour: int) -> bool:
    for other in range(N_COLOURS):
        if may_switch(state, colour, other):
            return True
    return False


def may_stop(state: State, colour: int) -> bool:
    """FF-23: an open market without a STOP of his."""
    return not state.closed[colour] and not state.stops[colour] >> state.player & 1


def may_buy_stop(state: State) -> bool:
    """FF-23: once in the game, when his own has been placed."""
    seat = state.player
    return not state.holds[seat] and not state.bought[seat] and state.money[seat] >= STOP_PRICE


def playable(state: State, kind: int) -> bool:
    """FF-16, FF-24: whether this card can do anything for the player whose turn it is."""
    if kind == HEIST:
        for seat in range(state.players):
            if seat != state.player and gems_of(state, seat):
                return True
        return False
    for colour in range(N_COLOURS):
        if _useful(state, kind, colour):
            return True
    return False


def _useful(state: State, kind: int, colour: int) -> bool:
    if kind == EXCHANGE:
        return may_give(state, colour)
    if kind == SWITCH:
        return has_partner(state, colour)
    if not serves(state, kind, colour):
        return False
    if kind >= FREE:
        return state.board[colour] > 0
    return may_sell(state, colour, 1) or may_buy(state, colour, 1)
