"""Heartbeats of open pages, where the house would not notice that a page is gone: behind a proxy, whose own connection
stays open without the browser's."""

from __future__ import annotations

from weakref import WeakValueDictionary

from parlour.house.news.peers import Peers
from parlour.house.table.live.audience import VANISHED, Listener


class Pulses:
    """This process's pages by place (a table's id, "" for the lobby) and by the name of their heartbeat. The name is a
    page's own secret, made of 96 random bits, so that no one else can keep its page open."""

    def __init__(self, peers: Peers) -> None:
        self._peers = peers
        self._pages = WeakValueDictionary[tuple[str, str], Listener]()

    def add(self, page: Listener, table: str = "") -> None:
        """Register a page; it is removed with its stream."""
        if page.pulse:
            self._pages[table, page.pulse] = page

    def take(self, pulse: str, table: str = "", *, ours: bool = True) -> None:
        """Take a page's heartbeat. If the page is open at another process, pass it on, unless it came from one (not
        `ours`)."""
        if (page := self._pages.get((table, pulse))) is not None:
            page.beat()
        elif ours:
            self._peers.tell_pulse(pulse, table)

    def heard(self) -> bool:
        """Return whether heartbeats sent to other processes have arrived here for as long as a page may be silent."""
        return self._peers.connected_for() >= VANISHED or not self._peers.use_redis
