"""What speaks for a decision of Gatsby, in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.games.gatsby.show import words

PATHS = ("north-east path", "north-west path")


def because(ground: Ground, names: Sequence[str]) -> str:
    """See `parlour.core.contract.Because`."""
    about = ground.about
    match ground.what:
        case "joins":
            return f"it joins the {PATHS[about[0]]}"
        case "blocks":
            return f"it cuts the opponent's way along the {PATHS[about[0]]}"
        case "path":
            return f"{about[0]} more token{'s' * (about[0] > 1)} would join the {PATHS[about[1]]}"
        case "stars":
            return f"it makes {about[0]} of the {about[1]} stars"
        case "bonus":
            return f"it brings {words.BONUS_TITLES[about[0]]}: {words.BONUS_TEXTS[about[0]]}"
        case "row":
            have, need, row = about
            if have == need:
                return f"it decides row {row + 1}: more than half of it"
            return f"it makes {have} of the {need} tokens that decide row {row + 1}"
    left, level = about
    if left:
        return f"it leaves {left} step{'s' * (left > 1)} to the character on level {level}"
    return f"it reaches the character on level {level}"
