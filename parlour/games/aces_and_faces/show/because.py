"""The reasons for a decision of Aces & Faces, in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.games.aces_and_faces.show import words

COUNTS = ("", "a first", "a second", "a third", "all four")
LINES = (*(court[:-1] for court in words.COURTS), *(f"card of {suit}" for suit in words.SUITS))
MANY = (*words.COURTS, *(f"cards of {suit}" for suit in words.SUITS))


def because(ground: Ground, names: Sequence[str]) -> str:
    """See `parlour.core.contract.Because`."""
    about = ground.about
    match ground.what:
        case "alike":
            return "all four corners are the same, apart from the suit"
        case "line":
            n, line = about
            if n == 4:
                return f"it makes {COUNTS[n]} {MANY[line]}, and wins"
            return f"it makes {COUNTS[n]} {LINES[line]}, with {('', 'three', 'two', 'one')[n]} left to collect"
        case "keeps":
            return f"you keep {('', '', 'two', 'three')[about[0]]} {MANY[about[1]]}"
        case "returns":
            return f"the other way would put the {words.card(about[0])} back"
        case "guess":
            n, whole, higher, against = about
            return f"{n} of the {whole} cards to come are {'higher' if higher else 'lower'} than the {against}"
        case "match":
            n, whole, suit = about
            return f"{n} of the {whole} cards to come are {words.SUITS[suit]}"
    return "losing a duel costs you a card"
