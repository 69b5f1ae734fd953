"""How many people are here, with a page of the lobby or of a table open, at any process of the house.

Pages show numbers and no names, so no one is shown who does not want to be seen. Other processes get the beginnings of
guests' ids: enough to count a guest once who has pages at two processes, too little to act in their name.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from parlour.house.table.live.audience import Audience, Listener
from parlour.house.table.live.table import Table

LOBBY, TABLES = PLACES = ("*lobby", "*tables")  # in reports, where else a table's id is; none begins with a star
MARK = 8  # characters of a guest's id that tell it from others
LASTS = 8.0  # seconds for which a report of another process counts
EXACT = 20  # people up to which each counts: with more, a page need not follow each of them


class People(NamedTuple):
    """How many people are here, and how many of them at tables; `more`: there are some more."""

    here: int = 0
    seated: int = 0
    more: bool = False


class Crowd:
    """The people with a page open. Pages that have been hidden for long do not count."""

    def __init__(self, tables: Mapping[str, Table], lobby: Audience) -> None:
        self._tables, self._lobby = tables, lobby
        self._elsewhere: dict[tuple[str, str], tuple[frozenset[str], float]] = {}  # by process and place, until when

    def here(self) -> dict[str, list[str]]:
        """Return the marks of the people with a page at this process, by place."""
        at_tables = (one for table in self._tables.values() for one in table.audience.listeners)
        return {LOBBY: _marks(self._lobby.listeners), TABLES: _marks(at_tables)}

    def hear(self, sender: str, place: str, marks: list[str]) -> None:
        """Note the people at another process."""
        now = time.monotonic()
        self._elsewhere = {name: one for name, one in self._elsewhere.items() if one[1] > now}
        self._elsewhere[sender, place] = frozenset(marks), now + LASTS

    def others(self, guest: str = "") -> People:
        """Count the people besides this guest; without one, besides anyone who has a page open."""
        now, here = time.monotonic(), {place: {*marks} for place, marks in self.here().items()}
        for (_, place), (marks, until) in self._elsewhere.items():
            if until > now:
                here[place] |= marks
        everyone, mine = here[LOBBY] | here[TABLES], guest[:MARK]
        others = len(everyone) - (mine in everyone if guest else 1)
        seated = len(here[TABLES]) - (mine in here[TABLES])
        return rounded(max(0, others), max(0, min(others, seated)))


def rounded(here: int, seated: int) -> People:
    """Return numbers of people as pages show them: exact, or down to the ten."""
    return People(here, seated) if here < EXACT else People(here // 10 * 10, seated // 10 * 10, more=True)


def _marks(listeners: Iterable[Listener]) -> list[str]:
    return sorted({one.guest[:MARK] for one in listeners if one.here})
