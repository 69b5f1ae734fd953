"""The reasons for a decision of Fortune, in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.core.scene import number
from parlour.games.fortune.show import words


def because(ground: Ground, names: Sequence[str]) -> str:
    """See `parlour.core.contract.Because`."""
    n = number(ground.about[0]) if ground.about else ""
    match ground.what:
        case "keeps":
            return f"you keep {words.amount(*ground.about)}"
        case "battle":
            return f"the battle still needs {n} sword{'s' * (ground.about[0] > 1)}"
        case "truce":
            each = " each" * (ground.about[0] > 1)
            return f"it re-rolls {words.amount(ground.about[0], 1)}, which would cost 1,000{each}"
        case "spell":
            left = words.amount(ground.about[0], 0)
            return f"the Sorceress re-rolls a skull, and {left} {'is' if ground.about[0] == 1 else 'are'} left"
    return {
        "wins": "it wins the game at once",
        "shares": "it ends the game with a shared win",
        "passes": "it crosses the finish line, and the others have one turn each",
        "banks": f"it secures {n} points",
        "skull": f"one more skull would lose all {n} points",
        "island": f"each new skull costs every opponent {n}",
        "safe": "no roll of these dice can bring a third skull",
        "behind": "stopping here would end the game with too few points",
        "chest": f"{n} points are safe on the chest, whatever you roll",
    }[ground.what]
