"""Whence guests come: the address that each of them asked from last, so that who makes up guests by the hundred has no
more than their address may have.

Kept in memory alone, in each process for itself, and never written down.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from parlour.table.errors import TooManyTables
from parlour.table.house.turns import Payer
from parlour.table.live.table import Table
from parlour.table.storage import upkeep
from parlour.table.storage.store import Store

MOST = 300  # tables not finished that guests at one address may have made: ten guests', or a class with ten each
LOOK = 30  # tables made at an address, from which on it is looked which of them are not finished
REMEMBERED = 20_000  # guests, and addresses


class Whence:
    """Where the guests of a house come from. `limits`: whether an address may have only so many tables."""

    def __init__(self, store: Store, *, limits: bool) -> None:
        self._store, self._limits = store, limits
        self._addresses: OrderedDict[str, str] = OrderedDict()  # by guest
        self._made: OrderedDict[str, dict[str, None]] = OrderedDict()  # by address: tables, the oldest first

    def note(self, guest: str, address: str) -> None:
        """A guest asks something, from this address."""
        self._addresses[guest] = address
        self._addresses.move_to_end(guest)
        if len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)

    def of(self, guest: str) -> str:
        """The address that a guest asked from last, "" if that is not known."""
        return self._addresses.get(guest, "")

    def payer(self, table: Table) -> Payer:
        """Whose turn it takes when the bots of a table think: its host's; where these have not come to this process,
        at the address of somebody who plays there."""
        known = (found for one in (table.row.host, *sorted(table.players())) if (found := self.of(one)))
        return Payer(next(known, ""), table.whose)

    async def must_have_room(self, guest: str) -> None:
        """Raise TooManyTables if guests at the address of this one have made as many tables that are not finished as
        an address may."""
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
        """A guest makes this table, or is about to."""
        if self._limits and (address := self.of(guest)):
            self._made.setdefault(address, {})[table_id] = None
            self._made.move_to_end(address)
            if len(self._made) > REMEMBERED:
                self._made.popitem(last=False)
