"""Facets of Fortune's words for gems, cards and money, and what a card can do now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from parlour.core.scene import listed, number
from parlour.games.facets_of_fortune import rules as r

GEMS = ("ruby", "sapphire", "diamond", "emerald")
MANY = ("rubies", "sapphires", "diamonds", "emeralds")
A_GEM = ("a ruby", "a sapphire", "a diamond", "an emerald")
MARKETS = ("Ruby", "Sapphire", "Diamond", "Emerald")
TITLES = (
    *(f"{market} {n}" for market in MARKETS for n in (1, 2, 3)),
    "Wild 1", "Wild 2", "Wild 3", *(f"Free {market}" for market in MARKETS),
    "Free Exchange", "Switch Markets", "Heist",
)  # fmt: skip
CLAUSES = (*["FF-18"] * 15, *["FF-19"] * 4, "FF-20", "FF-21", "FF-22")
GEM_DIE = (*MARKETS, "Wild", "All")
DEEDS = {r.HEIST: "roll for gems", r.SWITCH: "swap", r.EXCHANGE: "1 for 1"}  # in a narrow card


@lru_cache(1_000)
def short(money: int) -> str:
    """Return money in little room: 5k, 250k, 1M, 1.25M."""
    if abs(money) < 1_000_000:
        return f"{money / 1000:g}k"
    return f"{money / 1_000_000:.2f}".rstrip("0").rstrip(".") + "M"


def amount(n: int, colour: int) -> str:
    """ "1 ruby", "3 emeralds"."""
    return f"{n} {GEMS[colour] if n == 1 else MANY[colour]}"


def holdings(state: r.State, seat: int) -> str:
    """Return the gems of a seat: "2 rubies and 1 emerald"."""
    return listed([amount(n, colour) for colour, n in enumerate(state.own[seat]) if n]) or "no gems"


def own_stop(state: r.State, seat: int) -> str:
    """Return whether a player holds a STOP, and what they did with the extra one, of which a game has one each
    (FF-23)."""
    if state.bought[seat]:
        return "holds the extra STOP" if state.holds[seat] else "has placed the extra STOP"
    return "holds a STOP" if state.holds[seat] else ""


def cards(state: r.State, seat: int) -> list[int]:
    """Return the kinds in a hand, in its order."""
    return state.hand[seat][: state.held[seat]]


def buyable(state: r.State, seat: int, colour: int, most: int) -> int:
    """Return how many gems, up to a limit, a seat could buy (FF-18)."""
    n = 0
    while n < most and r.may_buy(state, seat, colour, n + 1):
        n += 1
    return n


def effect(state: r.State, seat: int, kind: int) -> str:
    """Return what a card can do for its holder now, and what that costs or brings."""
    printed, n = r.colour_of(kind), r.number_of(kind)
    if r.is_dead(state, kind):
        return f"{MARKETS[printed]} is closed."
    if printed != r.NOBODY and state.closed[printed]:
        return "Counts as Wild." if n else "A gem of any open market."
    if kind == r.HEIST:
        return "Roll against an opponent for gems."
    if kind == r.SWITCH:
        return "Two markets change places."
    if kind == r.EXCHANGE:
        return "Swap one for a market's lowest."
    if not n:
        price = r.buy_price(state, printed)
        return f"Take the gem at {short(price)}." if price else "None left."
    if printed == r.NOBODY:
        return f"Buy or sell up to {n} of one colour."
    return _trades(state, seat, printed, n)


def _trades(state: r.State, seat: int, colour: int, n: int) -> str:
    buys, sells = buyable(state, seat, colour, n), min(n, state.own[seat][colour])
    parts = []
    if buys:
        parts.append(f"Buy {buys}: −{short(r.cost(state, colour, buys))}")
    elif state.board[colour]:
        parts.append(f"Costs {short(r.buy_price(state, colour))}")
    if sells:
        parts.append(f"Sell {sells}: +{short(sells * r.sell_price(state, colour))}")
    return ". ".join(parts or ["None to buy or sell"]) + "."


def brief(state: r.State, seat: int, kind: int) -> tuple[str, str]:
    """Return the same in one or two words for a narrow card: what it costs or does, and what it brings."""
    printed, n = r.colour_of(kind), r.number_of(kind)
    if r.is_dead(state, kind):
        return "closed", ""
    if kind in DEEDS:
        return DEEDS[kind], ""
    if printed == r.NOBODY or state.closed[printed]:
        return f"any {n or 'gem'}", ""
    if not n:
        return ("", f"+{short(r.buy_price(state, printed))}") if state.board[printed] else ("none left", "")
    buys, sells = buyable(state, seat, printed, n), min(n, state.own[seat][printed])
    costs = f"−{short(r.cost(state, printed, buys))}" if buys else ""
    brings = f"+{short(sells * r.sell_price(state, printed))}" if sells else ""
    return costs or ("" if sells else "no trade"), brings


def market(state: r.State, colour: int, names: Sequence[str]) -> str:
    """Return a market in a line."""
    if state.closed[colour]:
        return f"{MARKETS[colour]}: closed"
    price = r.buy_price(state, colour)
    buy = f"buy {number(price)}" if price else "sold out"
    prices = f"{buy}, sell {number(r.sell_price(state, colour))}"
    left = f"{state.board[colour]} on the board"
    return f"{MARKETS[colour]}: {', '.join(filter(None, (prices, left, _stops(state, colour, names))))}"


def _stops(state: r.State, colour: int, names: Sequence[str]) -> str:
    """FF-23: return whose STOPs are on a market: "STOP of Ann", "STOPs of Ann and Bob", or "" if it has none."""
    who = [names[seat] for seat in range(state.players) if state.stops[colour] >> seat & 1]
    return f"STOP{'s' if len(who) > 1 else ''} of {listed(who)}" if who else ""


def roll(state: r.State) -> str:
    """Return the last roll: "Ruby +2"."""
    return f"{GEM_DIE[state.gem]} {state.step:+d}".replace("-", "−")
