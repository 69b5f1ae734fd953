"""The secret questions of a table: the one that is open, since when, how much time there is, and the answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from parlour.core import asking
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.house.table.storage.rows import PERSON, AnswerRow, SeatRow, TableRow

LEAST, MOST = 2.5, 10.0  # seconds
PACES = 2.5  # paces of a bot that it takes, between these limits
BOTS = 0.25  # of a pace that it takes at least, if no one could notice that it takes longer


def patience(pace: float) -> float:
    """Return the seconds in which all who are asked must answer, if people who must not notice the question wait."""
    return min(MOST, max(LEAST, round(PACES * pace, 1)))


def limited(row: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Return whether a secret question must be answered in limited time: always, unless one guest plays alone with
    bots, and no one else has looked, created the table, or may sit down again."""
    playing = {seat.guest_id for seat in seats if seat.kind in PERSON}
    others = {seat.guest_id for seat in seats} | {row.host}
    return bool(row.tempo) or row.watched or len(playing) != 1 or not others <= {*playing, ""}


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


class Questions:
    """The question that is `open` now, and the answers to all. `share` is the seconds for an answer, None if the
    table's pace decides."""

    def __init__(self, game: Game, share: float | None) -> None:
        self._game, self._share = game, share
        self.open: Question | None = None
        self.answers: dict[tuple[int, int], AnswerRow] = {}  # by version of the record and seat

    def answer(self, seat: int) -> AnswerRow | None:
        """Return the seat's answer to the open question."""
        return None if self.open is None else self.answers.get((self.open.idx, seat))

    def missing(self, match: Match) -> tuple[int, ...]:
        """Return the seats that are asked now and have not answered."""
        return tuple(seat for seat in asking.questions(self._game, match.state) if self.answer(seat) is None)

    def ask(self, idx: int, pace: float, *, limited: bool) -> None:
        """Open the question that is possible at this version, unless it is open. `limited`: whether it must be answered
        in limited time, from now on."""
        if self.open is not None and self.open.idx != idx:
            self.close()
        share = patience(pace) if self._share is None else self._share
        if self.open is None:
            self.open = Question(idx, BOTS * pace, share if limited else None)
        elif limited:
            self.open.hurry(share)

    def close(self) -> None:
        """Close the open question, if there is one."""
        if self.open is not None:
            self.open.news.set()
            self.open = None

    def note(self, answer: AnswerRow) -> bool:
        """Note an answer that was stored; return whether it is new."""
        if (answer.idx, answer.seat) in self.answers:
            return False
        self.answers[answer.idx, answer.seat] = answer
        if self.open is not None:
            self.open.news.set()
        return True
