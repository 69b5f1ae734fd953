"""The pages that are open in this process, at its tables, in the lobby, and elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from parlour.house.lobby.lists import Lobby
from parlour.house.table.live.table import Table


class OpenPages:
    """The open pages of these tables and this lobby."""

    def __init__(self, tables: Mapping[str, Table], lobby: Lobby) -> None:
        self._tables, self._lobby = tables, lobby
        self.more: list[Callable[[], None]] = []  # what wakes further pages
        self.elsewhere: list[Callable[[str], Collection[str]]] = []  # the guests who see a further page, by its id

    def here(self) -> set[str]:
        """Return the guests who have a page open: a visible one of the lobby, or a table's."""
        at_tables = (one.guest for table in self._tables.values() for one in table.audience.listeners)
        return self._lobby.here().union(at_tables)

    def looking(self) -> set[str]:
        """Return the guests who see a page."""
        return self._lobby.here().union(*(table.audience.looking() for table in self._tables.values()))

    def looking_at(self, place: str) -> set[str]:
        """Return the guests who see the page with this id, which is neither a table's nor the lobby."""
        return {guest for looking in self.elsewhere for guest in looking(place)}

    def watched(self) -> list[Table]:
        """Return the tables that someone watches, or waits for a hint at."""
        return [table for table in self._tables.values() if table.audience.listeners or table.work.hints]

    def wake(self) -> None:
        """Notify all of news."""
        for table in self._tables.values():
            table.wake()
        self._lobby.audience.wake(())
        for wake in self.more:
            wake()

    def refresh(self, guests: Collection[str]) -> None:
        """Notify the pages of some guests of news that only they see."""
        for table in self._tables.values():
            table.audience.wake((), guests)
        for guest in guests:
            self._lobby.moved(guest)
        self._lobby.audience.wake((), guests)
