"""An open page: it follows its table's stream, and knows the moves that it offers, as a browser shows them."""

from __future__ import annotations

import time
from collections.abc import Callable
from urllib.parse import quote

from benchmarks.load.connection import Connection
from benchmarks.load.errors import HouseFailed
from benchmarks.load.scene import UPDATE, Scene

OPENED = "since=-1&eyes=-2&have=."  # nothing is known yet, and changes are understood


class Page:
    """One person's open page at one table.

    version     the newest that the stream has sent
    updated_at  when it came, by the monotonic clock
    moves       what the page offers in that position
    """

    def __init__(
        self, connection: Connection, news: Callable[[], None], failed: Callable[[str], None], *, plays: bool = True
    ) -> None:
        """`news` is called with each update, `failed` with a sentence when the stream fails. A page that does not
        `play` never looks for moves."""
        self.connection = connection
        self.version, self.updated_at = -1, 0.0
        self.moves: list[str] = []
        self._news, self._failed, self._plays = news, failed, plays
        self._rest = b""
        self._unread: list[bytes] = []  # updates that were not looked at yet: most pages wait, and none is read in vain
        self._moved = False
        self._scene = Scene()
        self._close: Callable[[], None] | None = None

    async def open(self, table: str) -> None:
        """Follow a table from now on, instead of the last one. Raises HouseFailed."""
        self.close()
        self.version, self.moves, self._rest, self._unread, self._scene = -1, [], b"", [], Scene()
        path = f"/api/tables/{quote(table)}/events?{OPENED}"
        self._close = await self.connection.stream(path, self._took, self._failed)

    def close(self) -> None:
        """Close the stream."""
        if self._close is not None:
            self._close()
            self._close = None

    def acted(self) -> None:
        """Note that a move was sent: the page offers no moves until its next update."""
        self.moves, self._moved = [], True

    def _took(self, data: bytes) -> None:
        *events, self._rest = (self._rest + data).split(b"\n\n")
        for event in events:
            if event.startswith(b"event: update\n"):
                try:
                    self._update(event)
                except HouseFailed as error:
                    self._failed(str(error))

    def _update(self, event: bytes) -> None:
        _, number, data = event.split(b"\n", 2)
        version = int(number.removeprefix(b"id: "))
        if version < self.version:
            raise HouseFailed(f"The stream went back from version {self.version} to {version}.")
        self.version, self.updated_at = version, time.monotonic()
        if self._plays:
            self._unread.append(data.removeprefix(b"data: "))
            if self.moves or self._moved or b"data-action=" in data or b"data-pick=" in data:
                self._read()
        self._news()

    def _read(self) -> None:
        unread, self._unread, self._moved = self._unread, [], False
        for data in unread:
            self._scene.take(UPDATE.decode(data))
        self.moves = list(self._scene.moves())
