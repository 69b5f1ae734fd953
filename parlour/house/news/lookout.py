"""Checks of the database at intervals: for changes by other processes that Redis doesn't report, for new keys, and
whether the database is available."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection

from parlour.core.errors import ParlourError
from parlour.house.database.store import Store
from parlour.house.table.live.table import Table

log = logging.getLogger(__name__)
BEAT = 1.0  # seconds between two looks
SELDOM = 10  # beats between two looks while Redis tells the news: a neighbour may have lost it
CARE = 5  # beats between two looks at the keys and at the database itself


class Lookout:
    """Checks of the database, until cancelled.

    tables     the tables with open pages here
    refresh    reloads a held table
    connected  whether other processes send news, so that checks are rarely needed
    keys       receives the keys of cookies
    """

    def __init__(
        self,
        store: Store,
        tables: Callable[[], Collection[Table]],
        refresh: Callable[[Table], Awaitable[None]],
        connected: Callable[[], bool],
        keys: Callable[[tuple[str, ...]], None],
    ) -> None:
        self._store, self._tables, self._refresh = store, tables, refresh
        self._connected, self._keys = connected, keys
        self._hurry = asyncio.Event()

    def hurry(self) -> None:
        """Check at once, because news was missed."""
        self._hurry.set()

    async def run(self) -> None:
        """Check whatever is due, beat after beat."""
        beat = 0
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), BEAT)
            beat += 1
            hurried = self._hurry.is_set()
            self._hurry.clear()  # before the look: what is missed during it wants another
            try:
                if not self._store.sqlite and (hurried or not self._connected() or beat % SELDOM == 0):
                    await self.look()
                if beat % CARE == 0:
                    await self._care()
            except ParlourError as error:
                log.warning("Could not check the database for changes: %s", error)
                await self._rest()
            except Exception:  # nothing else checks
                log.exception("Could not check the database for changes. Trying again.")
                await self._rest()

    async def _rest(self) -> None:
        """Wait after a failure; nothing is skipped."""
        await asyncio.sleep(BEAT)
        self._hurry.set()

    async def look(self) -> None:
        """Reload every table with open pages that changed. Raises StoreFailed."""
        tables = {table.id: table for table in self._tables()}
        if not tables:
            return
        found = await self._store.changes_of(list(tables))
        for table_id, table in tables.items():
            if found.get(table_id) != table.changes:
                async with table.lock:
                    try:
                        await self._refresh(table)
                    except ParlourError:  # it was closed, or cannot be read: others can
                        pass
                    except Exception:
                        log.exception("Could not reload table %s.", table_id)

    async def _care(self) -> None:
        before = self._store.why_not_ready()
        trouble = await self._store.check()
        if trouble and trouble != before:
            log.error("%s", trouble)
        elif before and not trouble:
            log.warning("The database is available again.")
        if not trouble:
            self._keys(await self._store.keys())
