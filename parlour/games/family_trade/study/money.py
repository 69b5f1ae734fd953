"""What money in Family Trade is worth, by what all can see: prices, and the money that each seat has and may expect
after the present deal. The unit is thousands of money."""

from __future__ import annotations

from math import sqrt
from typing import Any

from parlour.games.family_trade import rules as r

# By ruleset, in prices of a mean set. All but SETS are fitted to the results of games for two.
SETS = (6.0, 3.3, 1.0)  # what a player who goes out is paid
MARKETS = (8.3, 12.6)  # how far two players are apart for one to have e times the odds, in the last turn as dealer
DEALER, RUN = (0.5, 2.4), (2.6, 4.0)  # what it is worth to be dealer, and each deal of the run before
CHEAP = 15.0  # a mean set brings as much at least: prices may be below zero


def price(state: Any, good: int) -> float:
    """Return what a set of a good brings: its price, or the mean of its die if the price is not known."""
    if state.price[good] != r.NONE and not state.rolling >> good & 1:
        return float(state.ladder[state.price[good]])
    return mean(state, good)


def mean(state: Any, good: int) -> float:
    """Return the mean of a good's die."""
    whole = 0.0
    for face in range(r.N_FACES):
        whole += state.ladder[state.faces[good][face]]
    return whole / r.N_FACES


def usual(state: Any) -> float:
    """Return what a player who goes out may be paid in a deal whose prices are not known."""
    whole = 0.0
    for good in range(r.N_GOODS):
        whole += mean(state, good)
    return SETS[state.ruleset] * whole / r.N_GOODS


def market(state: Any) -> float:
    """Return the price of a mean set."""
    whole = 0.0
    for good in range(r.N_GOODS):
        whole += price(state, good) / r.N_GOODS
    return max(CHEAP, whole)


def shown(state: Any) -> float:
    """FT-13 to FT-16: return what the cards shown can be expected to bring, with a die rolled again if
    that pays."""
    hand = state.hand[state.winner]
    royale = state.ruleset == r.BATTLE_ROYALE
    worth = 0.0
    better = 0.0
    for good in range(r.N_GOODS):
        sets = hand[good] // 3
        if sets == 3:
            return float(state.nine_alike)
        if sets:
            worth += sets * price(state, good)
            better = max(better, sets * (mean(state, good) - price(state, good)))
    if state.rerolled == r.NONE and not royale:
        worth += better
    if state.winner == state.dealer and not royale:
        worth *= state.run
    return worth


def payer(state: Any) -> int:
    """FT-14, FT-15: return the seat that pays for the cards shown; NOBODY if the bank does."""
    return r.NOBODY if r.nine_alike(state.hand[state.winner]) else int(state.source)


def royale_swing(state: Any) -> float:
    """Return the advantage in Battle Royale that makes the odds e times as good: it grows with the square root of the
    rounds to come."""
    cards = (state.deck_size + state.row_size) / (2.0 * state.players + 1.0)
    rounds = min(cards, float(r.fifties_left(state)))
    return float(max(usual(state), 1.0) * sqrt(max(rounds, 1.0)))


def stakes(state: Any, money: Any) -> float:
    """Write into `money` what each seat has and may expect, by what all can see; return the advantage that makes the
    odds e times as good."""
    for seat in range(state.players):
        money[seat] = float(state.money[seat])
    winner = state.winner
    worth = shown(state) if winner != r.NOBODY else 0.0
    if winner != r.NOBODY:
        money[winner] += worth
    if state.ruleset == r.BATTLE_ROYALE:
        return royale_swing(state)
    dealer, run, turns = state.dealer, state.run, state.turns
    if winner != r.NOBODY:
        if worth > 0.0:
            money[winner] += state.jackpot
        if payer(state) != r.NOBODY:
            money[payer(state)] -= worth
        if r.deals_again(state, winner):
            run += 1
        else:
            dealer, run, turns = (dealer + 1) % state.players, 1, turns + 1
    unit = market(state)
    left = 2 * state.players - turns
    if left > 0:
        money[dealer] += unit * (DEALER[state.ruleset] + RUN[state.ruleset] * (run - 1))
    return float(MARKETS[state.ruleset] * unit * sqrt(max(left, 1)) / (state.players - 1))
