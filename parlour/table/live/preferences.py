"""What somebody prefers, on every device that knows them: how the page looks, sounds and moves, and what it asks.

The page has it on its root as `data-NAME="VALUE"`; the first value of each is the usual one, and stands nowhere. It is
all about looks and presses: the house plays the same game with everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Preference(NamedTuple):
    """One preference: what it is called, and its values with their words, the usual one first. `more` says what the
    words leave open."""

    title: str
    values: Mapping[str, str]
    more: str = ""

    @property
    def usual(self) -> str:
        """The value of who has chosen none."""
        return next(iter(self.values))


PREFERENCES: Mapping[str, Preference] = {
    "theme": Preference("Light or dark", {"system": "As the device", "light": "Light", "dark": "Dark"}),
    "suits": Preference("Suits of cards", {"two": "Two colours", "four": "Four colours"}),
    "motion": Preference("Motion", {"system": "As the device", "full": "All of it", "less": "As little as can be"}),
    "speed": Preference("Things move", {"usual": "As usual", "slow": "Slowly", "quick": "Quickly"}),
    "sound": Preference(
        "Sound at my turn", {"bell": "Bell", "wood": "Wood", "harp": "Harp", "off": "None"},
        "While I look elsewhere.",
    ),
    "forced": Preference("The only choice", {"itself": "Makes itself", "press": "Waits for me"}),
    "confirm": Preference(
        "Ask again before", {"nothing": "Nothing", "end": "A turn’s end", "move": "Every move"},
        "A second press is needed then. A turn ends with a button such as Stop, Done or End turn.",
    ),
}  # fmt: skip
