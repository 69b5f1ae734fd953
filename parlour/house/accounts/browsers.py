"""A browser's name in three words, by which people recognise their devices."""

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
    """Return "Firefox on Android" from the header User-Agent, or "A program" if we don't know it."""
    program = next((name for sign, name in _PROGRAMS.items() if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS.items() if sign in agent), "")
    return f"{program} on {system}" if program and system else program or "A program"
