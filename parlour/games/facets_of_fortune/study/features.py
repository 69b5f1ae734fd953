"""What a network sees of a position of Facets of Fortune: features that are there or not, from the side of one seat.

What a gem is worth depends on the price that its market has reached, and a card on both. A small network finds such
products hard. So each market has one feature for its price and what a player has of it. The four markets share these
features, as they differ by nothing but their gems, prices and STOPs; players differ by their place in turn order.
"""

from __future__ import annotations

from typing import Any

from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules.views import places_on

OUTLINE = ("_markets", "_cards", "_money", "_turn")

AMOUNTS = p.GEMS + 1
FEW = 4  # 0, 1, 2, 3 and more: what a card can sell
OPEN = p.N_COLOURS + 1
STEP = 50_000  # of money
PURSE, LEAD = 40, 40  # such steps that are distinguished
DICE = p.MOST_FACES + 1

OWN = 0  # by place, STOP, price and gems
PAIR = OWN + p.SEATS * 2 * p.RUNGS * AMOUNTS  # by price, gems and the most gems of another
LEFT = PAIR + p.RUNGS * AMOUNTS * AMOUNTS  # by price and gems on the board
PRICE = LEFT + p.RUNGS * AMOUNTS  # by price and markets that are open
CARD = PRICE + p.RUNGS * OPEN  # by place; see `_card`
NUMBERED, WILD = 0, 3 * p.RUNGS * FEW
FREE = WILD + 3
OTHERS = FREE + p.RUNGS
CARDS = OTHERS + 4
MONEY = CARD + p.SEATS * CARDS
AHEAD = MONEY + p.SEATS * PURSE
STOPS = AHEAD + OPEN * (2 * LEAD + 1)
PHASE = STOPS + p.SEATS * 4
BEGUN = PHASE + p.SEATS * (r.OVER + 1)
ATTACK = BEGUN + 2 * 4
BOOTY = ATTACK + DICE
NAMED = BOOTY + DICE
DUE = NAMED + p.RUNGS
FEATURES = DUE + 2 * (p.MOST_CARDS + 1)
ACTIVE = p.N_COLOURS * (p.SEATS + 3) + p.SEATS * (p.MOST_CARDS + 2) + 7


def features(state: Any, player: int, out: Any) -> int:
    """See `parlour.engine.no_policy`. Everything is open (FF-30) but the order of the deck."""
    n = _markets(state, player, out)
    n = _cards(state, player, out, n)
    n = _money(state, player, out, n)
    return _turn(state, player, out, n)


def _markets(state: Any, player: int, out: Any) -> int:
    """Write of each open market what all have of it. Return how many features there are."""
    n = 0
    still = r.open_markets(state)
    for colour in range(p.N_COLOURS):
        if state.closed[colour]:
            continue
        rung = state.marker[colour]
        stop = 1 if state.stops[colour] else 0
        most = 0
        for seat in range(state.players):
            gems = state.own[seat][colour]
            at = (places_on(state, player, seat) * 2 + stop) * p.RUNGS + rung
            out[n] = OWN + at * AMOUNTS + gems
            n += 1
            if seat != player:
                most = max(most, gems)
        out[n] = PAIR + (rung * AMOUNTS + state.own[player][colour]) * AMOUNTS + most
        out[n + 1] = LEFT + rung * AMOUNTS + state.board[colour]
        out[n + 2] = PRICE + rung * OPEN + still
        n += 3
    return n


def _cards(state: Any, player: int, out: Any, n: int) -> int:
    """Write the cards in all hands, and STOP cards."""
    for seat in range(state.players):
        place = places_on(state, player, seat)
        for i in range(state.held[seat]):
            out[n] = CARD + place * CARDS + _card(state, seat, state.hand[seat][i])
            n += 1
        out[n] = STOPS + place * 4 + state.holds[seat] * 2 + state.bought[seat]
        n += 1
    return n


def _card(state: Any, seat: int, kind: int) -> int:
    """Return which of CARDS a card is: by its number, the price of its market and what the seat has of it."""
    if kind >= r.EXCHANGE:
        return OTHERS + 1 + kind - r.EXCHANGE
    if r.is_dead(state, kind):
        return OTHERS
    printed = r.colour_of(kind)
    if kind >= r.FREE:
        return FREE + (0 if state.closed[printed] else state.marker[printed])
    number = r.number_of(kind) - 1
    if printed == r.NOBODY or state.closed[printed]:
        return WILD + number
    rung: int = state.marker[printed]
    gems: int = state.own[seat][printed]
    return NUMBERED + (number * p.RUNGS + rung) * FEW + min(FEW - 1, gems)


def _money(state: Any, player: int, out: Any, n: int) -> int:
    """Write the money of all, and how far the player is ahead of the richest other, by the markets still open."""
    richest = 0
    for seat in range(state.players):
        money = state.money[seat]
        out[n] = MONEY + places_on(state, player, seat) * PURSE + min(PURSE - 1, money // STEP)
        n += 1
        if seat != player:
            richest = max(richest, money)
    ahead = max(-LEAD, min(LEAD, (state.money[player] - richest) // STEP))
    out[n] = AHEAD + r.open_markets(state) * (2 * LEAD + 1) + LEAD + ahead
    return n + 1


def _turn(state: Any, player: int, out: Any, n: int) -> int:
    """Write whose turn it is, and what has been begun in it."""
    out[n] = PHASE + places_on(state, player, state.player) * (r.OVER + 1) + state.phase
    mine = 0 if state.player == player else 1
    out[n + 1] = DUE + mine * (p.MOST_CARDS + 1) + min(p.MOST_CARDS, state.due)
    n += 2
    if state.phase == r.TRADE:
        out[n] = BEGUN + mine * 4 + r.number_of(state.card)
        n += 1
    if state.phase == r.DEFEND:
        out[n] = ATTACK + state.attack
        n += 1
    if state.phase == r.PICK:
        out[n] = BOOTY + min(DICE - 1, state.booty)
        n += 1
    if state.first != r.NOBODY and (state.phase == r.TAKE or state.phase == r.SWITCH_2):
        out[n] = NAMED + (0 if state.closed[state.first] else state.marker[state.first])
        n += 1
    return n
