"""What a position of Family Trade is worth to a player who looks one step ahead. The unit is thousands of money.

Only what the player may know is used: his own cards, what is open, and, where a discard may finish another's hand,
the hand that was drawn for that other among those he may have.
"""

from __future__ import annotations

from math import exp
from typing import Any

from parlour.games.family_trade import rules as r

MEMO = 0
SCALE, FAR = 1200.0, 8.0  # of `outlook`
SPREAD = 10.0  # how far apart decisions are for one to look e times as good

SET, PAIR, ONE = 26.0, 13.0, 3.0  # what a set, a pair, a single card promise, beside their price
TO_GO = 20.0  # one card short of going out
FIRST = 90.0  # nobody else goes out in this deal
RISK = 0.35  # how likely another is to take a card that finishes his hand in one of the deals that are possible


def value(state: Any, player: int) -> float:
    """How far this player is ahead of the others on average, and what his hand promises."""
    worth = _ahead(state, player)
    phase = state.phase
    if phase == r.OVER:
        return worth
    if state.winner != r.NOBODY:
        return worth + _going_out(state, state.winner, state.source, player)
    if phase in (r.DEAL, r.ROLL, r.CHOOSE_MARKET):
        return worth + (_market(state) if state.dealer == player else 0.0)
    if phase == r.ASK and state.asked != player:
        worth += RISK * _claim(state, player)
    return worth + _hand(state, player)


def _ahead(state: Any, player: int) -> float:
    others = 0.0
    for seat in range(state.players):
        if seat != player:
            others += state.money[seat]
    ahead: float = state.money[player] - others / (state.players - 1)
    return ahead


def outlook(state: Any, player: int) -> float:
    """See `parlour.engine.no_policy`: `value` on the scale on which SCALE of it makes the odds e times as good."""
    return exp(max(-FAR, min(FAR, value(state, player) / SCALE)))


def price(state: Any, good: int) -> float:
    """What a set of a good brings: its price, or the mean of its die where that is not known."""
    if state.price[good] != r.NONE and not state.rolling >> good & 1:
        return float(state.ladder[state.price[good]])
    whole = 0.0
    for face in range(r.N_FACES):
        whole += state.ladder[state.faces[good * r.N_FACES + face]]
    return whole / r.N_FACES


def _mean(state: Any, good: int) -> float:
    whole = 0.0
    for face in range(r.N_FACES):
        whole += state.ladder[state.faces[good * r.N_FACES + face]]
    return whole / r.N_FACES


def _market(state: Any) -> float:
    """FT-6: high prices are for him who deals, and may be doubled."""
    whole = 0.0
    for good in range(r.N_GOODS):
        whole += price(state, good)
    return whole / r.N_GOODS


def _going_out(state: Any, winner: int, source: int, player: int) -> float:
    """FT-13 to FT-16: what the cards shown will bring `player`, as it looks now; with a die rolled again if it pays."""
    worth = 0.0
    better = 0.0
    nine = False
    first = winner * r.N_KINDS
    for good in range(r.N_GOODS):
        sets = (state.hand[first + good] + 1) // 3  # a claim that is only feared lacks a card
        if sets:
            worth += sets * price(state, good)
            better = max(better, sets * (_mean(state, good) - price(state, good)))
            nine = nine or sets == 3
    royale = state.ruleset == r.BATTLE_ROYALE
    if state.rerolled == r.NONE and not royale and state.winner == player:
        worth += better
    if winner == state.dealer and not royale:
        worth *= state.run
    if nine and not royale:
        worth = float(state.nine_alike)
    pot = float(state.jackpot) if worth > 0.0 and not royale else 0.0
    paid = worth if source != r.NOBODY and not nine and not royale else 0.0
    share: float = 1.0 / (state.players - 1)
    if player == winner:
        gain: float = worth + pot + paid * share + FIRST
        return gain
    rest: float = -(worth + pot + FIRST) * share
    return rest - paid if player == source else rest + paid * share


def _claim(state: Any, player: int) -> float:
    """FT-12: what it would mean if the player who is asked took the card, which is bad news for others or for him."""
    loss = _going_out(state, state.asked, state.discarder, player)
    return min(loss, 0.0)


def _hand(state: Any, player: int) -> float:
    """What the cards in hand promise."""
    first = player * r.N_KINDS
    worth = 0.0
    royale = state.ruleset == r.BATTLE_ROYALE
    total = 0.0
    wanted = r.NONE if royale or state.phase == r.TURN else r.wanted(state.hand, first)
    for good in range(r.N_GOODS):
        n = state.hand[first + good]
        if not n:
            continue
        worth_of_set = price(state, good)
        left = state.cards[good] - state.dumped[good] - n  # that may still come
        sets = n // 3
        rest = n % 3
        total += (sets + (1 if good == wanted else 0)) * worth_of_set
        worth += sets * (SET + 0.25 * worth_of_set)
        if rest == 2:
            worth += PAIR * min(left, 6) / 6.0 + (0.12 * worth_of_set if left > 0 else 0.0)
        elif rest == 1:
            worth += ONE * min(left, 8) / 8.0 + 0.03 * worth_of_set
        if good == wanted:
            worth += 3.0 * left
    if wanted != r.NONE:
        times = state.run if state.dealer == player else 1
        worth += TO_GO + 0.25 * total * times
    return worth


def settled(state: Any, player: int) -> bool:
    """Whether the chance that is due no longer matters: cards to come, and a market rolled for all."""
    return bool(state.phase != r.ROLL or state.winner == r.NOBODY)


def memo_key(state: Any, action: int) -> int:
    """Nothing is remembered: money, prices and hands make too many positions."""
    return -1
