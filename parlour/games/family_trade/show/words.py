"""Family Trade in sentences: money, cards, and what can be said of a position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from parlour.core.scene import listed, number, signed
from parlour.games.family_trade import rules as r

TITLES = ("Diamond", "Gold", "Real estate", "Shares", "Oil", "Shrimp", "Crypto", "Currency", "Market Make")
PICTURES = (*(good.replace(" ", "-") for good in r.GOODS), "market-make")
RULES = (  # what each ruleset is, in a line; in the order of the rulesets
    "Market Making: three sets, paid at the market's prices.",
    "God of the Market: going out rolls the prices.",
    "Battle Royale: one set, and its die says what it brings.",
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def face(kind: int) -> str:
    """Return the symbol of the art."""
    return f"family-trade-{PICTURES[kind]}"


def money(thousands: int) -> str:
    """Return money in full: 210,000 or −30,000."""
    return number(thousands * 1000)


def change(thousands: int) -> str:
    """Return money with its sign: +210,000."""
    return signed(thousands * 1000)


def price(state: r.State, good: int) -> str:
    """Return the market price of a good."""
    return money(state.ladder[state.price[good]])


def sets(cards: Sequence[int]) -> str:
    """ "3 Gold and 6 Oil"."""
    return listed([f"{n} {TITLES[kind]}" for kind, n in enumerate(cards[: r.N_GOODS]) if n])


def brings(state: r.State, good: int) -> int:
    """Return what a set of this good brings, in thousands: its price, or what its die shows on average, rounded."""
    at = state.price[good]
    if state.ruleset == r.MARKET_MAKING and at != r.NONE:
        return int(state.ladder[at])
    return round(sum(state.ladder[step] for step in state.faces[good]) / r.N_FACES)


def payment(state: r.State, seat: int, held: Sequence[int]) -> str:
    """Return what a seat would be paid for going out with these cards at the present prices: "+270,000". "" where dice
    that are not yet rolled decide (FT-14, FT-15, FT-16)."""
    if r.nine_alike(held):
        return change(state.nine_alike)
    if state.ruleset != r.MARKET_MAKING:
        return ""
    times = state.run if seat == state.dealer else 1
    return change(times * sum(held[good] // 3 * brings(state, good) for good in range(r.N_GOODS)))


def die(state: r.State, good: int) -> str:
    """Return the faces of a die: "−30, 10, 30, 30, 70, 150 thousand"."""
    return ", ".join(_faces(tuple(state.faces[good]), tuple(state.ladder))) + " thousand"


def faces(state: r.State, good: int) -> str:
    """Return the faces of a die, in thousands, in short: "−30 10 30 30 70 150"; in two lines it breaks in the
    middle."""
    found = _faces(tuple(state.faces[good]), tuple(state.ladder))
    return " ".join("\N{NO-BREAK SPACE}".join(found[i : i + 3]) for i in range(0, len(found), 3))


@lru_cache(100)
def _faces(steps: tuple[int, ...], ladder: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(number(ladder[step]) for step in sorted(steps))


def deal(state: r.State) -> str:
    """Return which deal, turn or round this is."""
    if state.ruleset == r.BATTLE_ROYALE:
        return f"Round {state.deals + 1}"
    turn = min(state.turns + 1, 2 * state.players)
    return f"Dealer {turn} of {2 * state.players}" + (f", {ordinal(state.run)} deal" if state.run > 1 else "")


def ordinal(n: int) -> str:
    """Return "first" to "tenth"."""
    return ORDINALS[n - 1] if n <= len(ORDINALS) else f"{n}th"


def winners(state: r.State) -> tuple[int, ...]:
    """Return the seats with the most money; before the end, no seat has won (FT-17, FT-25)."""
    money = state.money[: state.players]
    return tuple(seat for seat, own in enumerate(money) if state.phase == r.OVER and own == max(money))


def end_text(state: r.State, names: Sequence[str]) -> str:
    """Return a sentence that names the winners."""
    found = [names[seat] for seat in winners(state)]
    most = money(max(state.money[: state.players]))
    return f"{listed(found)} {'wins' if len(found) == 1 else 'share the win'} with {most}."


def outcome(state: r.State, names: Sequence[str]) -> str:
    """Return how the last deal ended, in a sentence."""
    if state.ended == r.VOID:
        return "No card was left to draw: no one is paid."
    return f"{names[state.last]} went out: {change(state.worth)}."
