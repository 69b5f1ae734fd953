"""A table in memory: a cache of its rows, and the people who look at it."""

from __future__ import annotations

import asyncio
import copy
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from parlour.core import asking
from parlour.core.contract import CHANCE, Step
from parlour.core.errors import BrokenRecord, OtherRules, ParlourError
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.core.scene import Line
from parlour.games import find
from parlour.house.errors import NotOver, NotPlaying, OtherHouse, StoreFailed
from parlour.house.settings import Settings
from parlour.house.table.live.audience import Audience
from parlour.house.table.live.closing import why_closed
from parlour.house.table.live.course import Course, Made, course_of
from parlour.house.table.live.journal import Journal, follow, record_of, set_up, with_rules
from parlour.house.table.live.known import Asked, Decision, Knowledge, Known
from parlour.house.table.live.question import BOTS, Question, patience
from parlour.house.table.live.signs import signs
from parlour.house.table.live.story import Story
from parlour.house.table.live.tempo import Ledger, tempo_of
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

T = TypeVar("T")
ALIKE = 300  # different steps and lines of the log that are looked for among later ones
PIECE = 50  # steps that are worked out before other work runs


class Table:
    """One table. Only `take`, `adopt` and `note_answer` change what it knows of the game, always after the database was
    written."""

    def __init__(self, snapshot: Snapshot, settings: Settings) -> None:
        self._settings = settings
        self.game: Game = find(snapshot.table.game)
        self.row: TableRow = snapshot.table
        self.seats: list[SeatRow] = []
        self.match: Match | None = None
        self._history: Journal | None = None
        self.ledger = Ledger(tempo_of(self.row.tempo), len(snapshot.seats))
        self.question: Question | None = None  # open now, asked in secret
        self.answers: dict[tuple[int, int], AnswerRow] = {}  # by version of the record and seat
        self.chat: list[ChatRow] = []
        self.lock = asyncio.Lock()
        self.audience = Audience()
        self.asked = Asked()
        self.story: Story | None = None  # of a finished game, once it is made
        self.bot_task: asyncio.Task[None] | None = None
        self.ask_task: asyncio.Task[None] | None = None
        self.hinting: set[int] = set()  # seats for which a hint is being worked out
        self.doubtful = False  # a write failed, so the database may know more than we do
        self.gone = False  # closed before it started
        self.misfit = ""  # which of its steps the rules do not have, and why
        self.changes = -1  # the database's count of them, as far as we know them
        self.times = array("I")  # when each row of the journal was written (epoch), 0 where that is not known
        self._move_ids: dict[tuple[int, str], int] = {}
        self.knowledge = Knowledge(self.game, signs(len(snapshot.seats)), self._one)
        self._about: tuple[Any, ...] = ()
        self._abouts = 0
        self._same: dict[Any, Any] = {}  # steps and lines of the log: equal ones are stored once

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
    def id(self) -> str:
        return self.row.id

    @property
    def whose(self) -> str:
        """Return the guest on whose account its bots think."""
        return self.row.host or self.id

    @property
    def history(self) -> Journal:
        """Return the journal of the game. A waiting table has none, and nothing reads it."""
        assert self._history is not None
        return self._history

    @property
    def version(self) -> int:
        """Count the entries of the journal: steps and undos. `version_for` counts what pages are shown."""
        return 0 if self._history is None else len(self._history)

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
        return self.row.status == "closed" or self._other_rules(self.row) or bool(self.misfit)

    def why_closed(self) -> str:
        """Return why the table is closed, for its players."""
        row = msgspec.structs.replace(self.row, ended=MISFIT) if self.misfit else self.row
        return why_closed(row, self.game)

    def must_be_open(self) -> None:
        """Raise NotPlaying at a closed table."""
        if self.closed:
            raise NotPlaying(self.why_closed())

    def _other_rules(self, row: TableRow) -> bool:
        return row.status != "waiting" and row.rules != self.game.rules.VERSION

    @cached_property
    def hidden_information(self) -> bool:
        """Return whether the game, as it was set up, hides anything from any seat."""
        if self.closed:
            return True
        names = self.row.names or [f"Player {seat.seat + 1}" for seat in self.seats]
        row = msgspec.structs.replace(self.row, names=names)
        return self.game.rules.hidden_information(replay(record_of(row, [], reveal=False), find).state)

    def busy(self) -> bool:
        """Return whether the table must stay in memory, since someone looks at it or something is being done."""
        working = any(not task.done() for task in self._work())
        return bool(working or self.audience.listeners or self.hinting or self.lock.locked())

    def end_work(self) -> None:
        """End the work done at this table, except for the task that calls this."""
        for task in self._work():
            if task is not asyncio.current_task():
                task.cancel()

    def _work(self) -> list[asyncio.Task[None]]:
        return [task for task in (self.bot_task, self.ask_task) if task is not None]

    def must_be_over(self) -> None:
        """Raise NotOver while the game is under way, OtherRules if it can no longer be shown."""
        if self.closed:
            raise OtherRules(self.why_closed())
        if not self.over:
            raise NotOver("The game is not over yet.")

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
        self.match = self._history = self.story = None
        self.answers.clear()
        self._move_ids.clear()
        del self.times[:]
        self.knowledge.forget()

    async def _follow(self, snapshot: Snapshot) -> None:
        """Make the steps that the database has beyond those known. Raises ParlourError if one does not fit."""
        if self.match is None and self.row.status != "waiting":
            self.ledger = Ledger(tempo_of(self.row.tempo), len(self.seats))  # which may have been chosen since
            self.match = set_up(self.row)
            self.match.given = self.row.given
            self._history = Journal(self.game, self.match.state)
            for seat in self.seats:  # whose pages look next
                if seat.kind in PERSON:
                    self._known(seat.seat)
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
        self._share(self.match)
        self.knowledge.see(row.idx, step)
        self._note_row(row)
        self._put_question()

    async def ready(self, viewer: int) -> bool:
        """Work out what `viewer` has seen of a long game piece by piece, so that showing it
        delays no one else. Return whether other work ran meanwhile."""
        yielded = False
        while len(self._known(viewer, PIECE).lines) < self.version:
            yielded = True
            await asyncio.sleep(0)
        return yielded

    def fork(self) -> Match:
        """Return a copy of the match to try a move on: the real one doesn't change before the move is stored."""
        assert self.match is not None
        return copy.copy(self.match)

    def adopt(self, trial: Match, steps: list[Step], rows: list[StepRow]) -> None:
        """Take over a fork whose new steps are in the database."""
        self.match = trial
        self._share(trial, len(steps))
        for step, row in zip(steps, rows, strict=True):
            self.history.keep(step)
            self._note_row(row)
        self._put_question()

    def timed(self, timing: Timing) -> None:
        """Note which clock runs now, as it was stored."""
        self.row = msgspec.structs.replace(self.row, **timing._asdict()) if self.row.tempo else self.row

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

    def _share(self, match: Match, last: int = 1) -> None:
        """Share equal objects among the last steps of a match: a long game has few different steps."""
        match.steps[-last:] = map(self._one, match.steps[-last:])

    def _one(self, thing: T) -> T:
        """Return the same thing, or an equal one that is in memory already."""
        if thing not in self._same and len(self._same) < ALIKE:
            self._same[thing] = thing
        found: T = self._same.get(thing, thing)
        return found

    def note_answer(self, answer: AnswerRow) -> None:
        """Note an answer that was stored. Only the player who gave it is notified."""
        if (answer.idx, answer.seat) in self.answers:
            return
        self.answers[answer.idx, answer.seat] = answer
        if answer.move_id:
            self._move_ids[answer.seat, answer.move_id] = answer.idx
        if self.question is not None:
            self.question.news.set()
        seat = self.seats[answer.seat]
        for listener in self.audience.listeners:
            if seat.kind in PERSON and listener.guest == seat.guest_id:
                listener.news.set()

    def hear(self, line: ChatRow) -> None:
        """Add a line of chat that was stored."""
        self.chat = [*self.chat, line][-CHAT_KEPT:]

    def _note_row(self, row: StepRow) -> None:
        self.times.append(int(row.at))
        self.ledger.note(row)
        if row.move_id:
            self._move_ids[row.actor, row.move_id] = row.idx

    def _put_question(self) -> None:
        """Note that a question is open, or no longer open, and whether it has to be answered in time."""
        if self.question is not None and (self.closed or self.question.idx != self.version):
            self.question.news.set()
            self.question = None
        if not self.may_ask():
            return
        share = patience(self.pace) if self._settings.patience is None else self._settings.patience
        if self.question is None:
            self.question = Question(self.version, BOTS * self.pace, share if self.limited() else None)
        elif self.limited():
            self.question.hurry(share)

    # Who is who --------------------------------------------------------------------------------
    def seats_of(self, guest: str) -> tuple[int, ...]:
        """Return all seats played on the guest's device. `table.live.eyes` says which of them the guest sees."""
        return tuple(seat.seat for seat in self.seats if seat.kind in PERSON and seat.guest_id == guest)

    def players(self) -> set[str]:
        """Return the guests who have seats."""
        return {seat.guest_id for seat in self.seats if seat.kind in PERSON}

    # What each viewer counts --------------------------------------------------------------------
    # A viewer's numbers leave out steps that they do not see, as when another player declines a discard.
    def version_for(self, viewer: int) -> int:
        """Return the steps that `viewer` knows of: the version that their pages show and their moves name."""
        return len(self._seen(viewer)) - 1

    def place(self, viewer: int, version: int) -> int:
        """Return how many steps of the record had been made when `viewer` knew of `version`."""
        return self._seen(viewer)[version]

    def _seen(self, viewer: int) -> array[int]:
        """Return the place in the journal of each version of the viewer."""
        return self._known(viewer).places

    def lines(self, viewer: int) -> list[tuple[Line, ...]]:
        """Return the lines of the log by step, with the signs of the seats (`table.live.signs`)."""
        return self._known(viewer).lines

    def _known(self, viewer: int, most: int | None = None) -> Known:
        """Return what the viewer has seen, after up to `most` further steps."""
        return self.knowledge.of(viewer, self.history if self._history is not None else (), most)

    # Who decides ---------------------------------------------------------------------------------
    def deciding(self) -> tuple[int, ...]:
        """Return the seats that may decide now: the one whose turn it is, or all that are asked in
        secret and have not answered."""
        if self.match is None or self.closed:
            return ()
        if self.question is None:
            player = self.match.current_player
            return (player,) if player >= 0 else ()
        asked = asking.questions(self.game, self.match.state)
        return tuple(seat for seat in asked if (self.question.idx, seat) not in self.answers)

    def as_asked(self, seat: int) -> Match:
        """Return a copy of the match as a seat that may decide now sees it."""
        assert self.match is not None
        return self.fork() if self.question is None else asking.as_asked(self.match, seat)

    def is_asked(self, viewer: int) -> bool:
        """Return whether `viewer` is asked in secret now, or has answered already."""
        if self.match is None or self.prescribed() is not None:
            return False
        return viewer in asking.questions(self.game, self.match.state)

    def bot_to_move(self) -> int | None:
        """Return the seat of the bot whose turn it is, or None. Secret questions are answered elsewhere (`asking`)."""
        seat = next(iter(self.deciding()), None) if self.question is None else None
        return seat if seat is not None and self.seats[seat].kind == "bot" else None

    def last_made(self) -> Step | None:
        """Return the last step that was not taken back, None if it was given to the game."""
        assert self.match is not None
        return self.history.last_standing() if self.match.version > self.match.given else None

    def may_ask(self) -> bool:
        """Return whether, by what all can see, a player might be asked in secret before the game continues."""
        return self.match is not None and not self.closed and self.may_ask_in(self.match)

    def may_ask_in(self, match: Match) -> bool:
        """Return whether a player might be asked in secret in this fork. A lesson asks no one, because it prescribes
        every decision."""
        return self.prescribed(match) is None and self.game.may_ask(match.state)

    # A lesson ------------------------------------------------------------------------------------
    @cached_property
    def course(self) -> Course | None:
        """Return the lesson that the game began with, if it did."""
        return course_of(self.row, self.game)

    def prescribed(self, match: Match | None = None) -> Made | None:
        """Return the lesson's next step, in a fork or at the table; None after its end."""
        match = match or self.match
        return None if self.course is None or match is None else self.course.after(match.steps)

    def limited(self) -> bool:
        """Return whether a secret question must be answered in limited time: always, unless one guest plays alone with
        bots, and no one else has looked, created the table, or may sit down again."""
        playing = self.players()
        others = {seat.guest_id for seat in self.seats} | {self.row.host}
        return bool(self.row.tempo) or self.row.watched or len(playing) != 1 or not others <= {*playing, ""}

    def first_watched_by(self, guest: str) -> bool:
        """Return whether this guest is the first without a seat to look at the table, if that matters."""
        strange = all(seat.guest_id != guest for seat in self.seats)
        return strange and self.game.asking is not None and not (self.row.watched or self.over)

    def wake(self) -> None:
        """Notify every open page of news, players' pages first."""
        self.audience.wake(self.players())

    def notice(self, missing: tuple[int, ...]) -> None:
        """Note who is present; `missing` as in `table.live.looking`."""
        self.audience.notice(self.players(), {self.seats[seat].guest_id for seat in missing})

    def tell_presence(self, missing: tuple[int, ...]) -> None:
        """Notify every open page if the people present have changed."""
        self.notice(missing)
        if self.audience.announce():
            self.wake()

    def about(self) -> int:
        """Return a number that grows when anything besides the game changes: seats, chat, settings, who is present."""
        about = self.row, self.seats, self.chat, self.status, self.audience.noticed, self.story
        if about != self._about:
            self._about = about
            self._abouts += 1
        return self._abouts

    # Moves already made ------------------------------------------------------------------------
    def answered(self, index: int, seat: int) -> int:
        """Return the version to which the decision at `index` led, including the chance after it, as `seat` counts.
        Chance that waited for a secret question came later, whether a player was asked or not."""
        index += 1
        while index < self.version and self.history.actor(index) == CHANCE and not self._asks(index):
            index += 1
        return self.version_at(seat, index)

    def decision(self, place: int, seat: int) -> Decision | None:
        """Return what the seat decided when `place` steps of the record had been made, or None."""
        if self._asks(place):  # only answers count: a player who did not answer has not decided
            if (place, seat) not in self.answers:
                return None
            state = asking.questions(self.game, self.state_at(place))[seat]
            return Decision(state, self.answers[place, seat].action, self.version_at(seat, place))
        if place == self.version or self.history.actor(place) != seat:
            return None
        step = self.history[place]
        return Decision(step.before, step.action, self.answered(place, seat))

    def _asks(self, place: int) -> bool:
        """Return whether a question was open when `place` steps had been made."""
        if self.course is not None and place < self.row.given:
            return False
        return self.game.asking is not None and self.game.may_ask(self.state_at(place))

    def state_at(self, place: int) -> Any:
        """Return the state when `place` steps had been made."""
        assert self.match is not None
        return self.match.state if place == self.version else self.history[place].before

    def version_at(self, seat: int, place: int) -> int:
        """Return the seat's version when `place` steps had been made."""
        return bisect_right(self._seen(seat), place) - 1

    def with_id(self, seat: int, move_id: str) -> int | None:
        """Return the index of the move that this seat sent under this id."""
        return self._move_ids.get((seat, move_id)) if move_id else None

    # The record --------------------------------------------------------------------------------
    def record(self, *, reveal: bool = False) -> Record:
        """Return the record as it is stored."""
        return record_of(self.row, self.match.steps if self.match else [], reveal=reveal)
