"""A table in memory: a cache of its rows, and the people who look at it."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import msgspec

from parlour.bots.offered import Offered
from parlour.core.contract import Step
from parlour.core.course import Course
from parlour.core.errors import BrokenRecord, OtherRules, ParlourError
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.games import find
from parlour.house.errors import NotOver, NotPlaying, OtherHouse, StoreFailed
from parlour.house.settings import Settings
from parlour.house.table.live.audience import Audience
from parlour.house.table.live.closing import why_closed
from parlour.house.table.live.course import course_of
from parlour.house.table.live.journal import Journal, follow, record_of, set_up, with_rules
from parlour.house.table.live.known import PIECE, Alike, Knowledge
from parlour.house.table.live.question import Questions, limited
from parlour.house.table.live.signs import signs
from parlour.house.table.live.story import Story
from parlour.house.table.live.tempo import Ledger, tempo_of
from parlour.house.table.live.work import Work
from parlour.house.table.storage.queries import CHAT_KEPT
from parlour.house.table.storage.rows import (
    MISFIT,
    PERSON,
    AnswerRow,
    ChatRow,
    SeatRow,
    Snapshot,
    Status,
    StepRow,
    TableRow,
    Timing,
)


class Table:
    """One table. Only `take`, `adopt` and `note_answer` change what it knows of the game, always after the database was
    written."""

    def __init__(self, snapshot: Snapshot, settings: Settings) -> None:
        self._settings = settings
        self.game: Game = find(snapshot.table.game)
        self.row: TableRow = snapshot.table
        self.seats: list[SeatRow] = []
        self.chat: list[ChatRow] = []
        self.changes = -1  # the database's count of them, as far as we know them
        self.match: Match | None = None
        self.history = Journal(self.game)  # empty before the start
        self.ledger = Ledger(tempo_of(self.row.tempo), len(snapshot.seats))
        self._alike = Alike()
        self.known = Knowledge(self.game, signs(len(snapshot.seats)), self.history, self._alike.one)
        self.questions = Questions(self.game, settings.patience)
        self.audience = Audience()
        self.came: set[str] = set()  # players of a tournament's game of whom the database knows that they have come
        self.story: Story | None = None  # of a finished game, once it is made
        self.lock = asyncio.Lock()
        self.work = Work()
        self.doubtful = False  # a write failed, so the database may know more than we do
        self.gone = False  # closed before it started
        self.misfit = ""  # which of its steps the rules do not have, and why
        self._about: tuple[Any, ...] = ()
        self._abouts = 0

    @classmethod
    async def of(cls, snapshot: Snapshot, settings: Settings) -> Table:
        """Return the table as the database has it. Errors: those of `take`."""
        table = cls(snapshot, settings)
        await table.take(snapshot)
        return table

    # What is known -----------------------------------------------------------------------------
    @property
    def pace(self) -> float:
        """Return the seconds that a bot takes for a move here, at least."""
        return self.row.pace if self._settings.pace is None else self._settings.pace

    @property
    def offers(self) -> tuple[Offered, ...]:
        """Return the bots that the house offers besides the known ones."""
        return self._settings.bots

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def version(self) -> int:
        """Count the entries of the journal: steps and undos. `known.version` counts what pages are shown."""
        return len(self.history)

    @property
    def status(self) -> Status:
        """Return the status according to the game, since the row may lag."""
        if self.closed:
            return "closed"
        return "waiting" if self.match is None else "over" if self.match.over else "playing"

    @property
    def over(self) -> bool:
        return self.status == "over"

    @property
    def closed(self) -> bool:
        """Return whether the table is closed: earlier, or because its rules version or a step doesn't fit this
        server's rules. It then has no match."""
        other_rules = self.row.status != "waiting" and self.row.rules != self.game.rules.VERSION
        return self.row.status == "closed" or other_rules or bool(self.misfit)

    def why_closed(self) -> str:
        """Return why the table is closed, for its players."""
        row = msgspec.structs.replace(self.row, ended=MISFIT) if self.misfit else self.row
        return why_closed(row, self.game)

    def must_be_open(self) -> None:
        """Raise NotPlaying at a closed table."""
        if self.closed:
            raise NotPlaying(self.why_closed())

    def must_be_over(self) -> None:
        """Raise NotOver while the game is under way, OtherRules if it can no longer be shown."""
        if self.closed:
            raise OtherRules(self.why_closed())
        if not self.over:
            raise NotOver("The game is not over yet.")

    @cached_property
    def hidden_information(self) -> bool:
        """Return whether the game, as it was set up, hides anything from any seat."""
        if self.closed:
            return True
        names = self.row.names or [f"Player {seat.seat + 1}" for seat in self.seats]
        row = msgspec.structs.replace(self.row, names=names)
        return self.game.rules.hidden_information(replay(record_of(row, [], reveal=False), find).state)

    @cached_property
    def course(self) -> Course:
        """Return the lesson that the game began with; without one, a course without steps."""
        return course_of(self.row, self.game)

    def may_ask(self, match: Match) -> bool:
        """Return whether, by what all can see, a player might be asked in secret in this fork before the game
        continues. A lesson asks no one, because it prescribes every decision."""
        return self.course.due(match) is None and self.game.may_ask(match.state)

    def fork(self) -> Match:
        """Return a copy of the match to try a move on: the real one doesn't change before the move is stored."""
        assert self.match is not None
        return copy.copy(self.match)

    def record(self, *, reveal: bool = False) -> Record:
        """Return the record as it is stored."""
        return record_of(self.row, self.match.steps if self.match else [], reveal=reveal)

    # How it is learned --------------------------------------------------------------------------
    async def take(self, snapshot: Snapshot) -> None:
        """Take over the rows of the database, and the steps beyond those known. Between the steps of a long game other
        work runs, so it always sees a whole position.

        The steps of a closed table are not read. A waiting table begins with today's rules. A step that does not fit
        the rules closes the table: `misfit` says which.
        """
        row = snapshot.table
        if row.status == "waiting":
            row = with_rules(row, self.game.rules.VERSION, len(snapshot.seats))
        if row.is_news_to(self.row):
            self.row = row
        self.seats = snapshot.seats
        known = self.chat[-1].id if self.chat else 0
        self.chat = [*self.chat, *(line for line in snapshot.chat if line.id > known)][-CHAT_KEPT:]
        if not self.closed:
            try:
                await self._follow(snapshot)
            except OtherHouse:
                raise
            except ParlourError as error:
                self.start_over(error.message)
        self.changes = snapshot.changes
        self._put_question()

    def start_over(self, misfit: str = "") -> None:
        """Forget the game, so that `take` reads it from the beginning, unless it is a `misfit`."""
        self.misfit = misfit
        self.match = self.story = None
        self.history = Journal(self.game)
        self.known.begin(self.history)
        self.questions.answers.clear()

    async def _follow(self, snapshot: Snapshot) -> None:
        """Make the steps that the database has beyond those known. Raises ParlourError if one does not fit."""
        if self.match is None and self.row.status != "waiting":
            self.ledger = Ledger(tempo_of(self.row.tempo), len(self.seats))  # which may have been chosen since
            self.match = set_up(self.row)
            self.match.given = self.row.given
            for seat in self.seats:
                if seat.kind in PERSON:
                    self.known.expect(seat.seat)
        if self.match is not None:
            self.match.names = tuple(self.row.names)  # a player may have a new name
        for answer in snapshot.answers:
            self.note_answer(answer)
        for step in snapshot.steps:
            if step.idx >= self.version:
                self._repeat(step)
                if step.idx % PIECE == 0:
                    await asyncio.sleep(0)

    def _repeat(self, row: StepRow) -> None:
        """Make the next step that the database has."""
        if self.match is None:
            raise BrokenRecord("Step 1 is missing.")
        step = follow(self.history, self.match, row)
        self._alike.share(self.match.steps, 1)
        self.known.see(row.idx, step)
        self.history.note(row)
        self.ledger.note(row)
        self._put_question()

    def adopt(self, trial: Match, steps: list[Step], rows: list[StepRow], timing: Timing) -> None:
        """Take over a fork whose new steps are in the database, and the clock that runs now."""
        if self.row.tempo:
            self.row = msgspec.structs.replace(self.row, **timing._asdict())
        self.match = trial
        self._alike.share(trial.steps, len(steps))
        for step, row in zip(steps, rows, strict=True):
            self.history.keep(step)
            self.history.note(row)
            self.ledger.note(row)
        self._put_question()

    def note_answer(self, answer: AnswerRow) -> None:
        """Note an answer that was stored. Only the player who gave it is notified."""
        if not self.questions.note(answer):
            return
        if answer.move_id:
            self.history.sent[answer.seat, answer.move_id] = answer.idx
        seat = self.seats[answer.seat]
        for listener in self.audience.listeners:
            if seat.kind in PERSON and listener.guest == seat.guest_id:
                listener.news.set()

    def hear(self, line: ChatRow) -> None:
        """Add a line of chat that was stored."""
        self.chat = [*self.chat, line][-CHAT_KEPT:]

    def wrote(self, changes: int) -> None:
        """Note the database's count of changes after our own. If another process has just changed something, the count
        is not the next one, and the table is read again before its next change."""
        if changes == self.changes + 1:
            self.changes = changes

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Mark the table as doubtful if a write within fails or is cancelled: if the connection is lost at the commit,
        we don't know whether it was written."""
        try:
            yield
        except (StoreFailed, asyncio.CancelledError):
            self.doubtful = True
            raise

    def _put_question(self) -> None:
        """Note that a question is open, or no longer open, and whether it has to be answered in time."""
        if self.match is None or self.closed or not self.may_ask(self.match):
            self.questions.close()
        else:
            self.questions.ask(self.version, self.pace, limited=limited(self.row, self.seats))

    # Its people --------------------------------------------------------------------------------
    def seats_of(self, guest: str) -> tuple[int, ...]:
        """Return all seats played on the guest's device. `table.live.eyes` says which of them the guest sees."""
        return tuple(seat.seat for seat in self.seats if seat.kind in PERSON and seat.guest_id == guest)

    def players(self) -> set[str]:
        """Return the guests who have seats."""
        return {seat.guest_id for seat in self.seats if seat.kind in PERSON}

    def wake(self) -> None:
        """Notify every open page of news, players' pages first."""
        self.audience.wake(self.players())

    def busy(self) -> bool:
        """Return whether the table must stay in memory, since someone looks at it or something is being done."""
        return bool(self.audience.listeners or self.lock.locked() or self.work.busy())

    def about(self) -> int:
        """Return a number that grows when anything besides the game changes: seats, chat, settings, who is present."""
        about = self.row, self.seats, self.chat, self.status, self.audience.noticed, self.story
        if about != self._about:
            self._about = about
            self._abouts += 1
        return self._abouts
