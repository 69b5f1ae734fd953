"""A guest's preferences, on all their devices: how pages look, sound and move, and what they ask.

The page's root has them as `data-NAME="VALUE"`; the first value of each is the default, and is left out. They are all
about looks and presses: the game is the same for everyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Preference(NamedTuple):
    """One preference: what it is called, and its values with their words, the usual one first. `more` says what the
    words leave open. The values of a `slider`, besides the usual one, are numbers from 0."""

    title: str
    values: Mapping[str, str]
    more: str = ""
    slider: bool = False

    @property
    def usual(self) -> str:
        """Return the default value."""
        return next(iter(self.values))


VOLUMES = {"usual": "Normal", "0": "Off", **{str(step): f"{step} of 10" for step in range(1, 11)}}
HEARD = {"on": "On", "off": "Off"}
PREFERENCES: Mapping[str, Preference] = {
    "theme": Preference("Light or dark", {"system": "As the device", "light": "Light", "dark": "Dark"}),
    "suits": Preference("Suits of cards", {"two": "Two colours", "four": "Four colours"}),
    "motion": Preference("Animation", {"system": "As the device", "full": "Full", "less": "Reduced"}),
    "speed": Preference("Animation speed", {"usual": "Normal", "slow": "Slow", "quick": "Fast"}),
    "volume": Preference("Table sounds", VOLUMES, slider=True),
    "sound": Preference(
        "Alert sound", {"bell": "Bell", "wood": "Wood", "harp": "Harp", "off": "None"},
        "It plays only while you’re looking elsewhere, or when your time is short.",
    ),
    "turns": Preference("Sound on my turn", HEARD),
    "invitations": Preference("Sound for invitations", HEARD),
    "chats": Preference("Sound for chat", HEARD),
    "forced": Preference("If only one move is possible", {"itself": "Play it for me", "press": "Wait for me to press"}),
    "confirm": Preference(
        "Confirm before", {"nothing": "Nothing", "end": "Ending a turn", "move": "Every move"},
        "You’ll press twice. A turn ends with a button such as Stop, Done or End turn.",
    ),
}  # fmt: skip
