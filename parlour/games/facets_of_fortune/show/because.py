"""What speaks for a decision of Facets of Fortune, in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import words


def because(ground: Ground, names: Sequence[str]) -> str:
    """See `parlour.core.contract.Because`."""
    about = ground.about
    match ground.what:
        case "corner":
            return f"all ten {words.MANY[about[0]]} in one hand win the game"
        case "rises":
            return f"the {words.GEMS[about[0]]} price can rise {about[1]} more step{'s' * (about[1] > 1)}"
        case "sells":
            return f"{words.MANY[about[0]]} bring {words.short(about[1])} each, step {about[2]} of {r.TOP + 1}"
        case "crash":
            return f"the {words.GEMS[about[0]]} market can crash with the next roll"
        case "stop":
            return f"it keeps {words.amount(*about)} from a crash with the next roll"
        case "price":
            return f"{words.A_GEM[about[0]]} sells for {words.short(about[1])} now"
        case "free":
            return f"{words.A_GEM[about[0]]} comes for nothing, and would cost {words.short(about[1])}"
        case "up":
            return f"{words.amount(about[0], about[1])} of one's own go up to {words.short(about[2])} each"
        case "ruin":
            return f"the crash takes {words.amount(*about)} from the others, and none of one's own"
        case "booty":
            return f"{names[about[0]]} has {about[1]} gem{'s' * (about[1] > 1)} to take from"
    return "cards of a closed market are good for nothing"
