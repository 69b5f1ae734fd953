"""The reasons for a decision of Family Trade: how far the hand is from sets, and what goods bring.

They use only the player's hand, prices and dice, and nothing of the other hands (FT-26).
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules.hidden import out_of_sight

OUT, CARD, GOOD = 1000.0, 10.0, 0.5  # going out; a card nearer to it; a thousand of a price
RARE = 2.0  # a card more that may come


def grounds(state: r.State, action: int) -> list[Ground]:
    """See `parlour.core.contract.Grounds`."""
    phase = state.phase
    if phase == r.TURN:
        return _turn(state, action)
    if phase == r.ASK:
        return _asked(state, action)
    if phase == r.REROLL:
        return _dice(state, action)
    if phase == r.MAKE:
        return _made(state.hand[state.player], action)
    now, new = sum(price(state, good) for good in range(r.N_GOODS)), sum(mean(state, g) for g in range(r.N_GOODS))
    more = now - new if action == r.KEEP else new - now  # FT-6
    return [Ground("market", more, (now, round(new)))] if more > 0 else []


def short(hand: Sequence[int], ruleset: int) -> int:
    """Return how many cards this hand lacks to go out, with three sets or with one (FT-8, FT-22)."""
    if ruleset == r.BATTLE_ROYALE:
        return max(0, 3 - max(hand[: r.N_GOODS]))
    missing = 3 - min(3, sum(hand[good] // 3 for good in range(r.N_GOODS)))
    rest = sorted((hand[good] % 3 for good in range(r.N_GOODS)), reverse=True)
    return 3 * missing - sum(rest[:missing])


def price(state: r.State, good: int) -> int:
    """Return what a set of a good, whose die has been rolled, brings now, in thousands."""
    return state.ladder[state.price[good]]


def mean(state: r.State, good: int) -> float:
    """Return what the die of a good shows on average."""
    return sum(state.ladder[step] for step in state.faces[good]) / r.N_FACES


def _turn(state: r.State, action: int) -> list[Ground]:
    hand = list(state.hand[state.player])
    if action == r.OUT:
        return [Ground("out", OUT, (state.ruleset,))] if _complete(hand, state.ruleset) else []
    hand[action] -= 1
    lacks = short(hand, state.ruleset)
    found = [Ground("short", CARD * (9 - lacks), (lacks, state.ruleset))]
    if action < r.N_GOODS:
        found += _unseen(state, action)
    if action < r.N_GOODS and state.ruleset != r.MARKET_MAKING:  # FT-20, FT-22
        held = [mean(state, good) for good in range(r.N_GOODS) if state.hand[state.player][good]]
        if mean(state, action) == min(held) < max(held):
            found.append(Ground("low", GOOD * (max(held) - min(held)), (action, round(min(held)))))
    elif action < r.N_GOODS:
        prices = [price(state, good) for good in range(r.N_GOODS) if state.hand[state.player][good]]
        if price(state, action) == min(prices) < max(prices):
            found.append(Ground("cheap", GOOD * (max(prices) - min(prices)), (action, min(prices))))
    return found


def _unseen(state: r.State, good: int) -> list[Ground]:
    """Return the reason to discard a good: of those that are not a set yet, the fewest of it can still come (FT-26)."""
    seat = state.player
    left = {
        one: out_of_sight(state, one) - state.hand[seat][one] - state.gone[seat][one]
        for one in range(r.N_GOODS) if state.hand[seat][one] % 3
    }  # fmt: skip
    if good not in left or min(left.values()) != left[good]:
        return []
    other = max(left, key=lambda one: left[one])
    more = left[other] - left[good]
    return [Ground("rare", RARE * more, (good, left[good], other, left[other]))] if more else []


def _complete(hand: Sequence[int], ruleset: int) -> bool:
    """Return whether the hand can go out (FT-8, FT-22)."""
    return not hand[r.MARKET_MAKE] and short(hand, ruleset) == 0


def _asked(state: r.State, action: int) -> list[Ground]:
    """Say that the card finishes the hand and, where prices are known, what that costs (FT-12, FT-14)."""
    hand = list(state.hand[state.asked])
    hand[state.row[state.row_size - 1]] += 1
    known = state.ruleset == r.MARKET_MAKING and max(hand) < 9
    worth = sum(n // 3 * price(state, good) for good, n in enumerate(hand[: r.N_GOODS])) if known else 1
    if action == r.PASS:
        return [Ground("costs", OUT, (-worth,))] if worth < 0 else []
    return [Ground("out", OUT, (state.ruleset,))] if worth > 0 else []


def _dice(state: r.State, action: int) -> list[Ground]:
    """Return the reason to reroll a die that shows less than its average, or to leave all (FT-13, FT-20)."""
    hand = state.hand[state.winner]
    gains = {
        good: hand[good] // 3 * (mean(state, good) - price(state, good)) for good in range(r.N_GOODS) if hand[good]
    }
    if action == r.STAND:
        return [Ground("stand", 1.0)] if max(gains.values()) <= 0 else []
    good = action - r.AGAIN
    if gains.get(good, 0.0) <= 0:
        return []
    return [Ground("again", gains[good], (good, price(state, good), round(mean(state, good))))]


def _made(hand: Sequence[int], action: int) -> list[Ground]:
    """Say that the price of a good in the hand goes up, or that of a good it lacks goes down (FT-9)."""
    if r.UP <= action < r.DOWN:
        n = hand[action - r.UP]
        return [Ground("up", float(n), (n, action - r.UP))] if n > 1 else []
    if action >= r.DOWN and not hand[action - r.DOWN]:
        return [Ground("down", 1.0, (action - r.DOWN,))]
    return []
