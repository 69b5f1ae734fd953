"""The open streams, by guest and session. A stream ends with its session, whichever process ended that.

The process that ends a session notifies the others through Redis. Each also checks the database: every second without
news from the others, otherwise every ten.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial

from parlour.core.errors import ParlourError
from parlour.house.accounts import rows
from parlour.house.accounts.guests import Pass
from parlour.house.database.store import Store
from parlour.house.news.beats import by_the_clock

NOTED = 600.0  # seconds for which the use of a session is not noted again
MOST = 10_000  # sessions of which it is known when that was


class Door:
    """An open stream: its owner, their address, and whether it waits for something to send."""

    def __init__(self, one: Pass, host: str) -> None:
        self.one, self.host = one, host
        self.ended = False
        self.waits: asyncio.Task[object] | None = None

    def had_ended(self) -> bool:
        """Return whether it has been ended."""
        return self.ended

    def end(self) -> None:
        """End the stream after what is being sent."""
        self.ended = True
        if self.waits is not None:
            self.waits.cancel()


class Streams:
    """The open streams of a process.

    alone   whether no other process ends sessions, or all report it
    forget  is called for a guest who has signed in or out elsewhere
    bars    whether a stream must not be open, by owner and address; also called when it opens
    """

    def __init__(
        self,
        store: Store,
        alone: Callable[[], bool],
        forget: Callable[[str], None],
        bars: Callable[[Pass, str], bool],
    ) -> None:
        self._store, self._alone, self._forget, self._bars = store, alone, forget, bars
        self._open: dict[str, set[Door]] = {}
        self._saw: dict[str, float] = {}  # when the use of a session was noted last

    def is_news(self, session: str) -> bool:
        """Return whether a session's use should be noted now, which is seldom; until the next time it is not."""
        now = time.monotonic()
        if now - self._saw.get(session, -math.inf) < NOTED:
            return False
        self._saw[session] = now
        if len(self._saw) > MOST:
            del self._saw[next(iter(self._saw))]
        return True

    async def note(self, session: str) -> None:
        """Note that a session is in use."""
        with contextlib.suppress(ParlourError):
            await self._store.do(partial(rows.see_session, session=session, now=time.time()))

    async def keep(self, stream: AsyncGenerator[bytes, None], one: Pass, host: str = "") -> AsyncGenerator[bytes, None]:
        """Return the same stream, which ends with its session."""
        door = Door(one, host)
        door.ended = self._bars(one, host)
        self._open.setdefault(one.guest, set()).add(door)
        try:
            async with aclosing(stream):
                while not door.ended:
                    door.waits = task = asyncio.current_task()
                    try:
                        message = await anext(stream, None)
                    except asyncio.CancelledError:
                        if not door.had_ended() or task is None or task.uncancel():
                            raise  # something else ends us
                        return
                    finally:
                        door.waits = None
                    if message is None:
                        return
                    yield message
        finally:
            doors = self._open.get(one.guest, set())
            doors.discard(door)
            if not doors:
                self._open.pop(one.guest, None)

    def end(self, guest: str, good: Callable[[Pass], bool] = lambda _: False) -> None:
        """End all streams of a guest except the `good` ones."""
        for door in [*self._open.get(guest, ())]:
            if not good(door.one):
                door.end()

    def end_where(self, which: Callable[[Pass, str], bool]) -> None:
        """End the streams for which this is true, by owner and address."""
        for door in [door for doors in self._open.values() for door in doors]:
            if which(door.one, door.host):
                door.end()

    async def look(self) -> None:
        """End the streams whose session has ended, according to the database. Raises StoreFailed."""
        guests = [*self._open]
        if not guests:
            return
        found = await self._store.look(lambda connection: rows.claimed(connection, guests))
        for guest in guests:
            good = partial(_good, found.get(guest))
            if not all(good(door.one) for door in self._open.get(guest, ())):
                self._forget(guest)
                self.end(guest, good)

    async def run(self) -> None:
        """Check at intervals until cancelled."""
        await by_the_clock(self.look, self._alone)


def _good(sessions: set[str] | None, one: Pass) -> bool:
    """Return whether a stream stays open; `sessions` is None for a guest without an account."""
    return not one.session if sessions is None else one.session in sessions
