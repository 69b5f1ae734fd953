"""What a position of Facets of Fortune is worth to a player, in money: for bots that look one
decision ahead.

A gem is worth what it will probably sell for: more than its price while the market is low, less
when the crash is near. Within a play, the rest is assumed to be played in the best way.
"""

from __future__ import annotations

from math import exp
from typing import Any

from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.study.features import ACTIVE, FEATURES, features

__all__ = [
    "ACTIVE", "FEATURES", "LEVELS", "MEMO", "PLAN", "PLANS", "SPREAD", "features", "memo_key", "outlook", "settled",
    "value",
]  # fmt: skip

MEMO = 0
FAR = 8.0  # of `outlook`: no seat's odds are worse than by this power of e
RISE = 1_000_000.0  # how much a player may still gain, for each open market and once more
ODDS = 0.76, 0.63  # a lead of RISE in each makes the odds e^(first + second * players) times as good
SPREAD = 40000.0  # how far apart decisions are for one to look e times as good
LEVELS = {
    "master": 350_000, "expert": 24_000, "hard": 20, "medium": ("greedy", 0.0), "easy": ("greedy", 2 * SPREAD),
}  # fmt: skip
PLAN = {"temperature": 0.3}
PLANS = {"master": {"expand": 4}}  # so that the tree has room for all simulations
WIN = 1e12
GEM = (205_000, 240_000, 265_000, 290_000, 290_000, 290_000, 305_000, 285_000, 250_000, 235_000)  # `outlook`, by rung
# By rung of the Sell Price: what a gem may be expected to sell for (FF-10, FF-26), without and with a STOP
HOPES = (45_000, 55_000, 70_000, 95_000, 125_000, 160_000, 240_000, 330_000, 350_000, 280_000)
HELD = (45_000, 55_000, 70_000, 95_000, 125_000, 160_000, 240_000, 360_000, 450_000, 500_000)
CARDS = (12_000, 24_000, 36_000)  # the worth of numbered cards, by number, and below of the others
WILDS = (30_000, 55_000, 80_000)
EXCHANGE, SWITCH, HEIST, STOP = 25_000, 50_000, 60_000, 60_000
FRESH = 30_000  # a card not seen yet
NEAR_CORNER = 7  # FF-28: from here on each gem of a colour counts for more
LUCK = 0.42, 0.97  # FF-22: how often a heist takes anything, and how much on average


def value(state: Any, player: int) -> float:
    """Return money and the worth of gems and cards, less half of what the best opponent has."""
    if state.phase == r.OVER:
        return _result(state, player)
    mine = 0.0
    best = 0.0
    for seat in range(state.players):
        wealth = _wealth(state, seat)
        if seat == player:
            mine = wealth
        else:
            best = max(best, wealth)
    return mine + _promise(state, player) - 0.5 * best


def outlook(state: Any, player: int) -> float:
    """See `parlour.engine.no_policy`: the odds, from how far this seat is behind the best.

    The fewer markets are open, the more that matters. GEM and ODDS are fitted to how games of the greedy bot ended.
    """
    best = -WIN
    mine = 0.0
    for seat in range(state.players):
        means = _means(state, seat)
        best = max(best, means)
        if seat == player:
            mine = means
    first, second = ODDS
    lead = (mine - best) / (RISE * (r.open_markets(state) + 1))
    return exp(max(-FAR, (first + second * state.players) * lead))


def _means(state: Any, seat: int) -> float:
    """Return money, gems at what they sold for on average in the end, and the worth of a play that has begun."""
    own = state.own[seat]
    total = float(state.money[seat])
    for colour in range(r.N_COLOURS):
        total += own[colour] * GEM[state.marker[colour]]
    return total + (_begun(state, seat) if state.player == seat else 0.0)


def settled(state: Any, player: int) -> bool:
    """Return True: `value` allows for cards and heist dice that are still to come."""
    return True


def memo_key(state: Any, action: int) -> int:
    """See `parlour.engine.no_policy`: return -1, because no two decisions are known to be worth the same."""
    return -1


def _result(state: Any, player: int) -> float:
    """Return the value of a finished game."""
    return WIN if r.wins(state, player) else -WIN


def hope(state: Any, colour: int, rung: int) -> float:
    """Return what a gem of an open market may sell for in the end, with the marker on this rung."""
    return float(HELD[rung] if state.stops[colour] else HOPES[rung])


def stock(state: Any, colour: int, gems: int, rung: int) -> float:
    """Return what this many gems of a colour are worth: of a few, more can be sold with a card in
    time."""
    each = hope(state, colour, rung)
    total = each * (min(gems, 3) + 0.8 * max(min(gems, 6) - 3, 0) + 0.6 * max(gems - 6, 0))
    return total + 100_000.0 * max(gems - NEAR_CORNER, 0) ** 2


def _gain(state: Any, player: int, colour: int, gems: int) -> float:
    """Return what gaining (or losing) gems of a colour is worth to a player."""
    own = state.own[player][colour]
    rung = state.marker[colour]
    return stock(state, colour, own + gems, rung) - stock(state, colour, own, rung)


def _wealth(state: Any, seat: int) -> float:
    total = float(state.money[seat])
    own = state.own[seat]
    hand = state.hand[seat]
    for colour in range(r.N_COLOURS):
        if own[colour]:
            total += stock(state, colour, own[colour], state.marker[colour])
    for place in range(state.held[seat]):
        total += card(state, seat, hand[place])
    held: int = state.holds[seat]
    return total + STOP * held


def card(state: Any, seat: int, kind: int) -> float:
    """Return what a card in the hand may be worth later."""
    if kind >= r.EXCHANGE:
        return float(HEIST if kind == r.HEIST else SWITCH if kind == r.SWITCH else EXCHANGE)
    if r.is_dead(state, kind):
        return 0.0
    printed = r.colour_of(kind)
    if kind < r.FREE:
        if printed == r.NOBODY or state.closed[printed]:
            return float(WILDS[r.number_of(kind) - 1])
        own: int = min(state.own[seat][printed], r.number_of(kind))
        return CARDS[r.number_of(kind) - 1] + 0.08 * own * hope(state, printed, state.marker[printed])
    return 0.6 * HOPES[state.marker[printed]]


def _fresh(state: Any, seat: int) -> float:
    """Return the worth of a card to come: the more a seat has to sell, the higher."""
    own = state.own[seat]
    total = 0.0
    for colour in range(r.N_COLOURS):
        if not state.closed[colour]:
            total += min(own[colour], 3) * state.ladder[state.marker[colour]]
    return FRESH + 0.04 * total


# What has been begun -------------------------------------------------------------------------------
def _promise(state: Any, player: int) -> float:
    """Return the worth of the cards to come (FF-17), and of the rest of the play or turn's end that has begun."""
    if state.player != player or state.phase == r.ROLL:
        return 0.0
    missing: int = max(r.HAND - state.held[player], state.due)
    return missing * _fresh(state, player) + _begun(state, player)


def _begun(state: Any, player: int) -> float:
    phase = state.phase
    if phase == r.TRADE:
        return _best_trade(state, player)
    if phase == r.CHOOSE:
        return _best_take(state, player, r.NOBODY)
    if phase == r.GIVE or phase == r.TAKE:
        return _best_exchange(state, player)
    if phase == r.SWITCH_1 or phase == r.SWITCH_2:
        return _best_switch(state, player)
    if phase == r.RIVAL or phase == r.ATTACK or phase == r.PICK:
        return _best_heist(state, player)
    return _best_toss(state, player) if phase == r.TOSS else 0.0


def _best_trade(state: Any, player: int) -> float:
    """FF-18: return the gain from the best purchase or sale."""
    best = -WIN
    most = r.number_of(state.card)
    for colour in range(r.N_COLOURS):
        if r.serves(state, state.card, colour):
            for gems in range(-most, most + 1):
                paid = 0.0
                if gems < 0 and r.may_sell(state, player, colour, -gems):
                    paid = gems * r.sell_price(state, colour)
                elif gems > 0 and r.may_buy(state, player, colour, gems):
                    paid = r.cost(state, colour, gems)
                if paid:
                    won = WIN if state.own[player][colour] + gems == r.GEMS else 0.0
                    best = max(best, _gain(state, player, colour, gems) - paid + won)
    return best


def _best_take(state: Any, player: int, but: int) -> float:
    best = -WIN
    for colour in range(r.N_COLOURS):
        if colour != but and state.board[colour]:
            won = WIN if state.own[player][colour] + 1 == r.GEMS else 0.0
            best = max(best, _gain(state, player, colour, 1) + won)
    return best


def _best_exchange(state: Any, player: int) -> float:
    """FF-20: return the gain from the best exchange."""
    best = -WIN
    for colour in range(r.N_COLOURS):
        named = state.phase == r.GIVE or colour == state.first
        if named and r.may_give(state, colour):
            best = max(best, _gain(state, player, colour, -1) + _best_take(state, player, colour))
    return best


def _best_switch(state: Any, player: int) -> float:
    """FF-21: return the gain from the best switch; only one of two open markets changes what gems are worth."""
    best = -WIN
    for one in range(r.N_COLOURS):
        for other in range(r.N_COLOURS):
            named = state.phase == r.SWITCH_1 or one == state.first
            if named and r.may_switch(state, one, other):
                gain = 0.0
                if not state.closed[one] and not state.closed[other]:
                    for colour in (one, other):
                        gain += _moved(state, player, colour, one + other - colour)
                best = max(best, gain)
    return best


def _moved(state: Any, player: int, colour: int, other: int) -> float:
    """Return the gain from giving a market the marker of another."""
    own = state.own[player][colour]
    return stock(state, colour, own, state.marker[other]) - stock(state, colour, own, state.marker[colour])


def _best_heist(state: Any, player: int) -> float:
    """FF-22: return what a heist brings on average, or the gems still to be taken."""
    best = 0.0
    for seat in range(state.players):
        if seat != player and (state.phase == r.RIVAL or seat == state.rival):
            richest = 0.0
            for colour in range(r.N_COLOURS):
                if state.own[seat][colour]:
                    richest = max(richest, hope(state, colour, state.marker[colour]))
            often, many = LUCK
            gems = min(many, often * r.gems_of(state, seat))
            best = max(best, richest * (state.booty if state.phase == r.PICK else gems))
    return best


def _best_toss(state: Any, player: int) -> float:
    """FF-17: return the gain from discarding at least one card, and all that are worth less than a new one."""
    fresh = _fresh(state, player)
    total = 0.0
    best = -WIN
    for place in range(state.held[player]):
        more = fresh - card(state, player, state.hand[player][place])
        total += max(more, 0.0)
        best = max(best, more)
    return total if best >= 0 else best
