"""Open pages that say that they are there, where the house would not notice that they are not: behind a proxy, whose
own connection stays when the one to the browser is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from parlour.table.live.audience import Listener

if TYPE_CHECKING:
    from parlour.table.house.fanout import Fanout


class Pulses:
    """Pages of this process by where they are (a table's id, "" for the lobby) and the names under which they say so.
    Such a name is a page's own secret, which it makes up of 96 bits of chance: nobody else can keep its page open, nor
    do they gain anything by it. `fanout`: the way to the others, if there is one."""

    def __init__(self, fanout: Callable[[], Fanout | None]) -> None:
        self._fanout = fanout
        self._pages = WeakValueDictionary[tuple[str, str], Listener]()

    def add(self, page: Listener, table: str = "") -> None:
        """A page is opened; it is forgotten with its stream."""
        if page.pulse:
            self._pages[table, page.pulse] = page

    def take(self, pulse: str, table: str = "", *, ours: bool = True) -> None:
        """A page says that it is there; if it is open at another process, that is told. Not `ours`: one told it."""
        if (page := self._pages.get((table, pulse))) is not None:
            page.beat()
        elif ours and (fanout := self._fanout()) is not None:
            fanout.tell_pulse(pulse, table)

    def heard(self) -> bool:
        """Whether what pages say to other processes is heard here."""
        fanout = self._fanout()
        return fanout is None or fanout.connected
