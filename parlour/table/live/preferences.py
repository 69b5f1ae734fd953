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


HEARD = {"on": "On", "off": "Off"}
PREFERENCES: Mapping[str, Preference] = {
    "theme": Preference("Light or dark", {"system": "As the device", "light": "Light", "dark": "Dark"}),
    "suits": Preference("Suits of cards", {"two": "Two colours", "four": "Four colours"}),
    "motion": Preference("Motion", {"system": "As the device", "full": "All of it", "less": "As little as can be"}),
    "speed": Preference("Speed of motion", {"usual": "As usual", "slow": "Slowly", "quick": "Quickly"}),
    "sound": Preference(
        "Which sound", {"bell": "Bell", "wood": "Wood", "harp": "Harp", "off": "None"},
        "It is heard only while I look elsewhere; when my time is short, always.",
    ),
    "turns": Preference("Sound at my turn", HEARD),
    "invitations": Preference("Sound at an invitation", HEARD),
    "chats": Preference("Sound at a line of chat", HEARD),
    "forced": Preference("When there is only one choice", {"itself": "It makes itself", "press": "It waits for me"}),
    "confirm": Preference(
        "Ask again before", {"nothing": "Nothing", "end": "A turn’s end", "move": "Every move"},
        "What is asked again needs a second press. A turn ends with a button such as Stop, Done or End turn.",
    ),
}  # fmt: skip
