"""A secret question that is open at a table: since when, and how much time there is to answer."""

from __future__ import annotations

import asyncio
import time

LEAST, MOST = 2.5, 10.0  # seconds
PACES = 2.5  # paces of a bot that it takes, between these limits
BOTS = 0.25  # of a pace that it takes at least, if no one could notice that it takes longer


def patience(pace: float) -> float:
    """Return the seconds in which all who are asked must answer, if people who must not notice the question wait."""
    return min(MOST, max(LEAST, round(PACES * pace, 1)))


class Question:
    """The facts of an open question besides the answers: `idx` is the version of the record that they belong to.

    `share` is the seconds that all have together, None without a limit. Pages have shown it, so it stays the same even
    if the table's pace changes.
    """

    def __init__(self, idx: int, least: float, share: float | None) -> None:
        self.idx, self.share = idx, share
        self.began = time.monotonic()
        self.due = self.began + (least if share is None else share)
        self.task: asyncio.Task[None] | None = None
        self.news = asyncio.Event()  # for `asking.attend`: there is an answer, or less time

    def hurry(self, share: float) -> None:
        """Limit the question to this many seconds: someone has come who must not notice it."""
        if self.share is None:
            self.share, self.due = share, time.monotonic() + share
            self.news.set()
