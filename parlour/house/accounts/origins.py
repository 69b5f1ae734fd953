"""The address from which each guest last made a request, so that hundreds of new guests at one address share its
limits.

It is kept only in memory, separately in each process, and never stored.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from parlour.house.database.store import Store
from parlour.house.errors import TooManyTables
from parlour.house.table.live.table import Table
from parlour.house.table.storage import upkeep
from parlour.house.workers.turns import Payer

MOST = 300  # tables not finished that guests at one address may have made: ten guests', or a class with ten each
LOOK = 30  # tables of an address beyond which we check which are unfinished
REMEMBERED = 20_000  # guests
MAKERS = 1_000  # addresses whose tables are noted


class Origins:
    """The addresses of a house's guests. `limits`: whether the number of tables per address is limited."""

    def __init__(self, store: Store, *, limits: bool) -> None:
        self._store, self._limits = store, limits
        self._addresses: OrderedDict[str, str] = OrderedDict()  # by guest
        self._made: OrderedDict[str, dict[str, None]] = OrderedDict()  # by address: tables, the oldest first

    def note(self, guest: str, address: str) -> None:
        """Note a guest's request from this address."""
        self._addresses[guest] = address
        self._addresses.move_to_end(guest)
        if len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)

    def of(self, guest: str) -> str:
        """Return the address of a guest's last request, "" if unknown."""
        return self._addresses.get(guest, "")

    def payer(self, table: Table) -> Payer:
        """Return whose turn a table's bots take: its host's; or, if the host has not come to this process, the turn of
        the address of a person who plays there."""
        known = (found for one in (table.row.host, *sorted(table.players())) if (found := self.of(one)))
        return Payer(next(known, ""), table.row.host or table.id)

    async def must_have_room(self, guest: str) -> None:
        """Raise TooManyTables if the guests at this guest's address have as many unfinished tables as an address
        may."""
        made = self._made.get(self.of(guest), {})
        if not self._limits or len(made) < LOOK:
            return
        still = await self._store.look(partial(upkeep.unfinished, table_ids=list(made)))
        for one in [one for one in made if one not in still]:
            made.pop(one, None)  # others may have looked too
        if len(made) >= MOST:
            raise TooManyTables(
                f"People at your address already have {MOST} unfinished tables, which is the limit. Finish or leave "
                "some of them."
            )

    def made(self, guest: str, table_id: str) -> None:
        """Note a table that a guest creates or is about to create."""
        if self._limits and (address := self.of(guest)):
            self._made.setdefault(address, {})[table_id] = None
            self._made.move_to_end(address)
            if len(self._made) > MAKERS:  # the one that made none for longest may begin anew
                self._made.popitem(last=False)
