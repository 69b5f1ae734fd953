"""The reasons for a decision of Facets of Fortune, in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import words

UNSOLD, SINGLE = 0, 1  # see `_weak` in study/grounds.py


def because(ground: Ground, names: Sequence[str]) -> str:
    """See `parlour.core.contract.Because`."""
    about = ground.about
    match ground.what:
        case "corner":
            return f"owning all ten {words.MANY[about[0]]} wins the game"
        case "rises":
            spaces = f"{about[1]} more value space{'s' * (about[1] > 1)}"
            return f"the Sell Price of {words.MANY[about[0]]} can rise {spaces}"
        case "sells":
            return f"{words.MANY[about[0]]} bring {words.short(about[1])} each, value space {about[2]} of {r.TOP + 1}"
        case "crash":
            return f"the {words.GEMS[about[0]]} market can crash on the next roll"
        case "stop":
            return f"it protects {words.amount(*about)} from a crash on the next roll"
        case "price":
            return f"{words.A_GEM[about[0]]} sells for {words.short(about[1])} now"
        case "free":
            return f"{words.A_GEM[about[0]]} is free, and would cost {words.short(about[1])}"
        case "up":
            return f"{_yours(*about[:2])} {_go(about[0], 'up')} to {_each(*about)}"
        case "can up":
            return f"{_yours(*about[:2])} can go up to {_each(*about)}"
        case "down":
            whose = f"{words.amount(about[1], about[2])} of {names[about[0]]}'s"
            return f"{whose} {_go(about[1], 'down')} to {_each(*about[1:])}"
        case "can down":
            return f"{words.amount(about[1], about[2])} of {names[about[0]]}'s can go down to {_each(*about[1:])}"
        case "falls":
            if about[1]:
                return f"the Sell Price of {words.MANY[about[0]]} cannot go down any further"
            return f"you hold no {words.MANY[about[0]]}, so their falling price costs you nothing"
        case "dearer":
            taken, price = words.A_GEM[about[2]], words.short(about[3])
            return f"{taken} sells for {price}, {words.A_GEM[about[0]]} for {words.short(about[1])}"
        case "toss":
            return _weak(*about)
        case "ruin":
            return f"the crash costs the others {words.amount(*about)}, and you nothing"
        case "booty":
            return f"{names[about[0]]} has {about[1]} gem{'s' * (about[1] > 1)} to take from"
    return "cards of a closed market are of no use"


def _yours(n: int, colour: int) -> str:
    return f"your {words.GEMS[colour] if n == 1 else words.amount(n, colour)}"


def _go(n: int, way: str) -> str:
    return f"goes {way}" if n == 1 else f"go {way}"


def _each(n: int, colour: int, price: int) -> str:
    return words.short(price) + " each" * (n > 1)


def _weak(why: int, kind: int, about: int) -> str:
    if why == UNSOLD:
        return f"you have no {words.MANY[about]} to sell with {words.TITLES[kind]}"
    if why == SINGLE:
        return f"{words.TITLES[kind]} buys or sells only one gem"
    return f"the gem that {words.TITLES[kind]} takes sells for {words.short(about)} now"
