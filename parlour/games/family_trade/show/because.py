"""The reasons for a decision of Family Trade, in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import words


def because(ground: Ground, names: Sequence[str]) -> str:
    """See `parlour.core.contract.Because`."""
    about = ground.about
    match ground.what:
        case "out":
            return f"your hand is {_aim(about[0])}"
        case "short":
            return f"it leaves you {_cards(about[0])} short of {_aim(about[1])}"
        case "cheap":
            return f"no good in your hand brings less than {words.TITLES[about[0]]}, {words.money(about[1])}"
        case "low":
            return f"the {words.TITLES[about[0]]} die shows {words.money(about[1])} on average, the least in your hand"
        case "rare":
            few = f"at most {about[1]}" if about[1] else "no"
            return f"{few} more {words.TITLES[about[0]]} can come, but up to {about[3]} {words.TITLES[about[2]]}"
        case "costs":
            return f"as prices stand, going out would cost {words.money(about[0])}"
        case "market":
            return f"the eight prices add up to {words.money(about[0])}, new dice to {words.money(about[1])} on average"
        case "again":
            die, now, usual = words.TITLES[about[0]], words.money(about[1]), words.money(about[2])
            return f"the {die} die shows {now}, and about {usual} on average"
        case "up":
            return f"{about[0]} cards in your hand are {words.TITLES[about[1]]}"
        case "down":
            return f"you have no {words.TITLES[about[0]]}"
    return "no die of your sets shows less than it does on average"


def _aim(ruleset: int) -> str:
    return "a set" if ruleset == r.BATTLE_ROYALE else "three sets"


def _cards(n: int) -> str:
    return "one card" if n == 1 else f"{('no', 'one', 'two', 'three', 'four', 'five', 'six')[n]} cards"
