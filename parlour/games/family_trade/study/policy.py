"""What a position of Family Trade is worth to a player. The unit is thousands of money.

A deal is a race: each hand still needs some time, in turns, and its chance to go out first falls
with a power of that time. The value of going out is then estimated: the sets as they look now, the
player who pays, the Jackpot, and the next deals, because a dealer deals again for more. Money and
expectations are added for each seat (`standing`). `greedy` uses only what the player may know:
their own cards, what is open, and the hands that were drawn for the others from those they may
have.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

from parlour.games.family_trade import rules as r
from parlour.games.family_trade.study.features import ACTIVE, FEATURES, features
from parlour.games.family_trade.study.money import SETS, payer, price, royale_swing, shown, stakes, usual

__all__ = [
    "ACTIVE", "FAR", "FEATURES", "LEVELS", "MEMO", "OUTLINE", "PLAN", "PLANS", "SPREAD", "features", "memo_key",
    "outlook", "public_odds", "settled", "value",
]  # fmt: skip

MEMO = 0
SPREAD = 30.0  # how far apart decisions are for one to look e times as good
# Luck decides so much here that a search sees little but noise, while a network that learns from millions of positions
# does not. So one level above `greedy` has a network, and one below tries little and believes a result at once.
LEVELS = {"expert": ("learned", 0.0), "medium": ("greedy", 0.0), "easy": 60}
PLAN = {"net": False}  # the network judges what one seat sees after its own decision, not where a search ends
PLANS = {
    "easy": {"explore": 0.02, "urgency": -0.5},
    "expert": {"explore": 1.0, "urgency": 0.0, "simulations": 4_000},
}
FAR = 12.0  # of `outlook`: no seat's odds are farther from the best seat's than this power of e
OUTLINE = ("standing",)

# The race, fitted to which player went out first in games of greedy players (docs/games/family-trade.md)
CLAIMED = 1.6  # one to go: others' discards count too, and make the card come this many times as often as drawing alone
LUCK = 0.03  # and its chance in a turn is never below this
STAGES = (8.0, 15.0, 4.0)  # turns still needed when two short, when three short, and for each card more
TEMPO = 0.5  # a turn's worth of waiting for the turn
POWER, POWER_EACH = 0.6, 0.4  # how sharply time decides: for all, and for each player
READY = 0.02  # the time of a hand that can go out now
DECLINED = 0.2  # how likely a player goes out with a hand that brings nothing
RISK = 0.35  # how likely another player takes a card that completes their hand in one of the possible deals
# After this deal
PAID = 0.47  # how often another player pays
DEALER = 1.1  # the chance of the dealer to go out, times the players
SWING = 1.35  # how far money moves until the end, compared with what a turn as dealer brings


def value(state: Any, player: int) -> float:
    """Return how much money this player can expect to be ahead of the others on average."""
    money = [0.0] * r.SEATS
    standing(state, RISK if state.asked != player else 1.0, money)
    others = 0.0
    for seat in range(state.players):
        if seat != player:
            others += money[seat]
    ahead: float = money[player] - others / (state.players - 1)
    return ahead


def outlook(state: Any, player: int) -> float:
    """See `parlour.engine.no_policy`: the odds from the money expected, which counts the more the
    nearer the end is."""
    money = [0.0] * r.SEATS
    standing(state, 1.0, money)
    best = money[0]
    for seat in range(1, state.players):
        best = max(best, money[seat])
    return exp(max(-FAR, (money[player] - best) / swing(state)))


def public_odds(state: Any, player: int) -> float:
    """See `parlour.engine.no_policy`: the odds from money that all can count."""
    money = [0.0] * r.SEATS
    scale = stakes(state, money)
    best = money[0]
    for seat in range(1, state.players):
        best = max(best, money[seat])
    return exp(max(-FAR, (money[player] - best) / scale))


def swing(state: Any) -> float:
    """Return the advantage that makes the odds e times as good: it grows with the square root of what
    is to come."""
    if state.ruleset == r.BATTLE_ROYALE:
        return royale_swing(state)
    unit = max(usual(state), 1.0)
    goes_out = DEALER / state.players
    left = 2 * state.players - state.turns
    return float(SWING * unit / (1.0 - goes_out) * sqrt(max(left, 1)))


def standing(state: Any, sure: float, money: Any) -> None:
    """Write into `money` what each seat has and may expect; `sure`: how likely the player who is
    asked takes the card."""
    for seat in range(state.players):
        money[seat] = float(state.money[seat])
    if state.phase == r.OVER:
        return
    royale = state.ruleset == r.BATTLE_ROYALE
    prices = [0.0] * r.N_GOODS
    market = 0.0
    for good in range(r.N_GOODS):
        prices[good] = price(state, good)
        market += prices[good] / r.N_GOODS
    if not royale:
        unit = usual(state)
        for seat in range(state.players):
            _run(state, money, seat, 1, unit, float(_turns_to_come(state, seat)))
    if state.winner != r.NOBODY:
        worth = shown(state)
        _paid(state, money, state.winner, payer(state), worth, market, 1.0)
    elif state.phase in (r.DEAL, r.ROLL, r.CHOOSE_MARKET):
        if not royale:
            _run(state, money, state.dealer, state.run, SETS[state.ruleset] * market, 1.0)
    else:
        _race(state, sure, prices, market, money)


def _race(state: Any, sure: float, prices: Any, market: float, money: Any) -> None:
    """Add to `money` what the deal under way may bring each seat."""
    worth = [0.0] * r.SEATS
    rate = [0.0] * r.SEATS
    total = 0.0
    power = POWER + POWER_EACH * state.players
    following = state.player
    if state.phase == r.TURN or state.phase == r.MAKE:
        following += 1
    for seat in range(state.players):
        worth[seat] = promised(state, seat, prices, market)
        wait = TEMPO * ((seat - following) % state.players) / state.players
        rate[seat] = exp(-power * log(time_left(state, seat) + wait))
        if worth[seat] <= 0.0 and _again(state, seat, market) + worth[seat] <= 0.0:
            rate[seat] *= DECLINED
        total += rate[seat]
    rest = 1.0
    if state.phase == r.ASK:
        rest = 1.0 - sure
        _paid(state, money, state.asked, state.discarder, worth[state.asked], market, sure)
    for seat in range(state.players):
        _paid(state, money, seat, r.NONE - 1, worth[seat], market, rest * rate[seat] / total)


def _paid(state: Any, money: Any, winner: int, source: int, worth: float, market: float, chance: float) -> None:
    """FT-14 to FT-16, FT-22: add what it brings each seat, with this chance, if `winner` goes out. A
    source below NOBODY is not known yet."""
    money[winner] += chance * worth
    if state.ruleset == r.BATTLE_ROYALE:
        return
    if worth > 0.0:
        money[winner] += chance * state.jackpot
    if source >= 0:
        money[source] -= chance * worth
    elif source < r.NOBODY:
        for seat in range(state.players):
            if seat != winner:
                money[seat] -= chance * PAID * worth / (state.players - 1)
    if r.deals_again(state, winner):
        _run(state, money, winner, state.run + 1, SETS[state.ruleset] * market, chance)


def _again(state: Any, seat: int, market: float) -> float:
    """FT-16: return what dealing again is worth to the seat if it goes out."""
    if not r.deals_again(state, seat):
        return 0.0
    return _deals(state, state.run + 1, SETS[state.ruleset] * market)


def _deals(state: Any, run: int, unit: float) -> float:
    """FT-16: return what a dealer gains from deal number `run` in a row on, if going out once brings
    `unit`."""
    odds = DEALER / state.players / (1.0 - DEALER / state.players)
    gain: float = max(unit, 0.0) * (run * odds + odds * odds)
    return gain


def _run(state: Any, money: Any, dealer: int, run: int, unit: float, times: float) -> None:
    gain = times * _deals(state, run, unit)
    for seat in range(state.players):
        money[seat] += gain if seat == dealer else -PAID * gain / (state.players - 1)


def _turns_to_come(state: Any, seat: int) -> int:
    """FT-17: return how often the seat will be dealer after the present dealer's run."""
    left: int = 2 * state.players - state.turns - 1
    place = (seat - state.dealer - 1) % state.players
    return (left - place + state.players - 1) // state.players if left > place else 0


# Hands -------------------------------------------------------------------------------------------
def time_left(state: Any, seat: int) -> float:
    """Return about how many turns this hand needs to go out."""
    hand = state.hand[seat]
    missing = 1 if state.ruleset == r.BATTLE_ROYALE else 3
    pairs = 0
    ones = 0
    for good in range(r.N_GOODS):
        n = hand[good]
        missing -= n // 3
        pairs += 1 if n % 3 == 2 else 0
        ones += 1 if n % 3 == 1 else 0
    if missing <= 0:
        return READY
    short = 3 * missing - 2 * min(missing, pairs) - max(0, min(missing - pairs, ones))
    cards = 0
    for good in range(r.N_GOODS):
        rest = hand[good] % 3
        if rest == 2 or (rest == 1 and pairs < missing) or pairs + ones < missing:
            cards += state.deck[good]
    come = cards / max(1, state.deck_size)
    if short == 1:
        return float(1.0 / (CLAIMED * come + LUCK))
    after = STAGES[0] if short == 2 else STAGES[1] + STAGES[2] * (short - 3)
    return float(1.0 / (come + LUCK) + after)


def promised(state: Any, seat: int, prices: Any, market: float) -> float:
    """FT-13 to FT-16: return what the hand will be worth if it goes out: the sets that it has, and the
    likely ones."""
    hand = state.hand[seat]
    missing = 1 if state.ruleset == r.BATTLE_ROYALE else 3
    worth = 0.0
    pairs = 0
    ones = 0
    of_pairs = 0.0
    of_ones = 0.0
    for good in range(r.N_GOODS):
        n = hand[good]
        missing -= n // 3
        worth += n // 3 * prices[good]
        if n % 3 == 2:
            pairs += 1
            of_pairs += prices[good]
        elif n % 3 == 1:
            ones += 1
            of_ones += prices[good]
    if missing > 0 and pairs:
        worth += of_pairs / pairs * min(missing, pairs)
        missing -= pairs
    if missing > 0 and ones:
        worth += of_ones / ones * min(missing, ones)
        missing -= ones
    if missing > 0:
        worth += market * missing
    if state.ruleset != r.BATTLE_ROYALE and seat == state.dealer:
        worth *= state.run
    return worth


def settled(state: Any, player: int) -> bool:
    """Return whether the due chance no longer affects `value`: a card, or a roll of the market before
    a deal."""
    return bool(state.phase != r.ROLL or state.winner == r.NOBODY)


def memo_key(state: Any, action: int) -> int:
    """Return -1: money, prices and hands make too many positions to share stored values."""
    return -1
