"""What a browser calls itself, in three words: people know their devices by them."""

from __future__ import annotations

# The first that is found is meant: most browsers also name those that they want to be taken for.
_PROGRAMS = {
    "Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox", "FxiOS": "Firefox",
    "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
_SYSTEMS = {
    "iPhone": "an iPhone", "iPad": "an iPad", "Android": "Android", "Windows": "Windows", "Mac OS X": "a Mac",
    "CrOS": "a Chromebook", "Linux": "Linux",
}  # fmt: skip


def words(agent: str) -> str:
    """ "Firefox on Android" from the header User-Agent; "A program" where it names none that we know."""
    program = next((name for sign, name in _PROGRAMS.items() if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS.items() if sign in agent), "")
    return f"{program} on {system}" if program and system else program or "A program"
