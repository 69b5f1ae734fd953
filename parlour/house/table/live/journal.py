"""The journal of a table: everything that happened, including steps taken back, in order. Entries never change.

The record has only the steps that were not taken back. The database stores the journal, and pages count it, so a
version only grows and an answered move is always found again. Chance, records and replays use the
record. docs/decisions.md says why.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import msgspec

from parlour.core import fair
from parlour.core.contract import CHANCE, UNSEEN, Step
from parlour.core.errors import BrokenRecord, ParlourError, UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.core.scene import Line
from parlour.core.struct import GameState, copy, flatten, must_fit, unflatten
from parlour.games import find
from parlour.house.errors import OtherHouse
from parlour.house.table.storage.rows import AWAY, BACK, TAKEN_BACK, Snapshot, StepRow, TableRow

WORD = "undo"  # its text
EVERY = 64  # steps between two states that are kept
TAIL = 6  # steps kept whole
_STEP, _MARK = -1, -2  # the kind of a row that takes nothing back


@dataclass(frozen=True, slots=True)
class Back(Step):
    """An undo, as a step from the position after `undone` to the one before it."""

    undone: Step


@dataclass(frozen=True, slots=True)
class Mark(Step):
    """What happened to a seat, as a step that changes nothing: AWAY, with why, or BACK."""

    why: str


def mark(state: GameState, seat: int, action: int, why: str = "") -> Mark:
    """Return the entry for a bot that takes over a seat, or for its player's return."""
    return Mark(copy(state), seat, action, copy(state), why)


def take_back(match: Match, undone: Step) -> Back:
    """Let a match forget its last step, which was `undone`, without any check."""
    back = Back(copy(match.state), undone.actor, TAKEN_BACK, undone.before, undone)
    match.steps.pop()
    match.state = copy(undone.before)
    return back


def repeat(match: Match, row: StepRow) -> Step:
    """Make a stored step again, and return it.

    The actor and the number of the action decide. The stored text may be in the words of an older version; the match
    gets today's. Raises BrokenRecord if the rules have no such step here.
    """
    try:
        action = match.parse_outcome(row.action) if row.actor == CHANCE else match.parse(row.action, row.actor)
    except ParlourError as error:
        raise BrokenRecord(f"Step {row.idx + 1} ({row.text[:60]}) is not possible: {error}") from error
    step = match.step(action)
    if match.steps[-1][2] != row.text and _read(match.game, step, row.text) not in (None, action):
        raise BrokenRecord(f"Step {row.idx + 1} ({row.text[:60]}) has the number of another step.")
    return step


def _read(game: Game, step: Step, text: str) -> int | None:
    """Return the action that a text names today in the position before `step`, or None if it matches no action."""
    try:
        return (game.read_outcome if step.actor == CHANCE else game.read_action)(step.before, text)
    except ParlourError:
        return None


class Journal(Sequence[Step]):
    """The steps of a table with the states before and after. Only some states are stored; the others are computed from
    the steps since. So a long game takes little memory and creates few objects for the garbage collector, which stops
    the whole process when it runs."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._actors = array("b")
        self._actions = array("q")
        self._undone = array("i")  # the place of the step that it takes back, else _STEP or _MARK
        self._whys: dict[int, str] = {}  # of marks, by place
        self._kept: dict[int, bytes] = {}  # by place, the state before that step
        self._tail: list[Step] = []  # the newest, which all pages are about to show
        self.times = array("I")  # when the row of each was written (epoch), 0 where that is not known
        self.sent: dict[tuple[int, str], int] = {}  # by seat and its sender's id, the place of a move or an answer

    def __len__(self) -> int:
        return len(self._actors)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> list[Step]: ...
    def __getitem__(self, at: int | slice) -> Step | list[Step]:
        places = range(len(self))[at]
        return list(self._steps(places)) if isinstance(places, range) else next(self._steps(range(places, places + 1)))

    def __iter__(self) -> Iterator[Step]:
        return self._steps(range(len(self)))

    def actor(self, at: int) -> int:
        """Return the actor of the step at a place."""
        return self._actors[at]

    def action(self, at: int) -> int:
        """Return the action at a place: a decision, or a chance outcome."""
        return self._actions[at]

    def keep(self, step: Step) -> None:
        """Add a step that was made."""
        if self._tail and self._tail[-1].after == step.before:
            step = replace(step, before=self._tail[-1].after)  # one state in memory instead of two
        back = isinstance(step, Back)
        if isinstance(step, Mark):
            self._whys[len(self)] = step.why
        self._add(step.actor, step.action, step.before, self._last() if back else _kind(step.action))
        if back:  # the next states do not follow from the one before
            self._kept[len(self)] = _pack(step.after)
        self._tail = [*self._tail, step][-TAIL:]

    def replay(self, actor: int, action: int, before: GameState) -> None:
        """Add a step of the game that is about to be repeated in the state `before`."""
        self._add(actor, action, before)
        self._tail = []

    def note(self, row: StepRow) -> None:
        """Note what the next row says besides its step: when it was written, and its sender's id."""
        self.times.append(int(row.at))
        if row.move_id:
            self.sent[row.actor, row.move_id] = row.idx

    def last_standing(self) -> Step | None:
        """Return the last step that has not been taken back."""
        last = self._last()
        return None if last < 0 else self[last]

    def number_of(self, action: int, seat: int) -> int:
        """Count a seat's entries with this action."""
        return sum(one == (action, seat) for one in zip(self._actions, self._actors, strict=True))

    def only_marks_since(self, place: int) -> bool:
        """Return whether the entries from this place on are only marks, so nothing was done in the game."""
        return all(undone == _MARK for undone in self._undone[place:])

    def standing(self, end: int | None = None) -> list[int]:
        """Return the place in the journal of each step of the record, as it was when there were `end` entries."""
        places: list[int] = []
        for place, undone in enumerate(self._undone[:end]):
            if undone >= 0:
                places.pop()
            elif undone == _STEP:
                places.append(place)
        return places

    def _add(self, actor: int, action: int, before: GameState, undone: int = _STEP) -> None:
        place = len(self)
        if place % EVERY == 0:
            self._kept.setdefault(place, _pack(before))
        self._actors.append(actor)
        self._actions.append(action)
        self._undone.append(undone)

    def _last(self) -> int:
        """Return the place of the last step that has not been taken back, or -1."""
        place = len(self) - 1
        while place >= 0 and self._undone[place] != _STEP:
            place = (place if self._undone[place] == _MARK else self._undone[place]) - 1
        return place

    def _steps(self, places: range) -> Iterator[Step]:
        """Yield the steps at ascending places without gaps (any others one by one)."""
        if places.step != 1:
            for place in places:
                yield self[place]
            return
        tail = len(self) - len(self._tail)
        if places.start >= tail:
            yield from self._tail[places.start - tail : places.stop - tail]
            return
        known = max((place for place in self._kept if place <= places.start), default=0)
        state: Any = None
        shown: Any = None  # the state after the last step, which is the one before the next
        for place in range(known, places.stop):
            if place >= tail:
                if place >= places.start:
                    yield self._tail[place - tail]
                continue
            if place in self._kept:
                state = _unpack(self._game, self._kept[place])
            actor, action, wanted = self._actors[place], self._actions[place], place >= places.start
            before = state if not wanted else copy(state) if shown is None else shown
            if self._undone[place] == _MARK:
                if wanted:
                    shown = copy(state)
                    yield Mark(before, actor, action, shown, self._whys.get(place, ""))
            elif self._undone[place] == _STEP:
                self._game.rules.apply(state, action)
                if wanted:
                    shown = copy(state)
                    yield Step(before, actor, action, shown)
            elif wanted:
                undone = self[self._undone[place]]
                shown = copy(undone.before)
                yield Back(before, actor, action, shown, undone)


_WHY = {
    "left": "has left; a bot plays on",
    "time": "is out of time; a bot plays on",
    "gone": "is away; a bot plays on",
}


def _kind(action: int) -> int:
    return _MARK if action in (AWAY, BACK) else _STEP


def _pack(state: GameState) -> bytes:
    must_fit(state)
    return zlib.compress(array("q", flatten(state)).tobytes(), 1)


def _unpack(game: Game, kept: bytes) -> GameState:
    return unflatten(game.rules.State, list(array("q", zlib.decompress(kept))))


def standing(rows: Iterable[StepRow]) -> list[StepRow]:
    """Return the rows of the record: those not taken back."""
    kept: list[StepRow] = []
    for row in rows:
        if row.action == TAKEN_BACK:
            kept.pop()
        elif row.action not in (AWAY, BACK):
            kept.append(row)
    return kept


def record_of(row: TableRow, steps: list[tuple[int, int, str]], *, reveal: bool) -> Record:
    """Return the record of a table with these steps (actor, action, text), and with the seed if `reveal`. The steps may
    be only the first of those that the game was given."""
    return Record(
        game=row.game,
        rules_version=row.rules,
        edition=row.edition,
        parts=row.parts,
        options=row.options,
        names=tuple(row.names),
        commitment=row.commitment,
        words=tuple(row.words),
        seed=row.seed if reveal else None,
        steps=tuple((actor, text) for actor, _, text in steps),
        given=min(row.given, len(steps)),
    )


def set_up(row: TableRow) -> Match:
    """Return the match of a table before its first step. Raises OtherHouse if a newer Parlour began it with something
    that this one lacks, and what `replay` raises."""
    try:
        return replay(record_of(row, [], reveal=True), find)
    except UnknownName as error:
        if row.status == "over":
            raise
        raise OtherHouse(
            "A newer version of Parlour started this game, and this server doesn't have that version yet. Try again "
            "in a few seconds."
        ) from error


def setup_of(row: TableRow, seats: int) -> fair.Setup:
    """Return what is fixed before the first draw at a table with this number of seats."""
    return fair.Setup(row.game, row.rules, row.edition, row.parts, row.options, seats)


def committed(row: TableRow, seats: int) -> TableRow:
    """Return the row with a fresh seed, and the commitment to it and to the setup."""
    seed = fair.new_seed()
    return msgspec.structs.replace(row, seed=seed, commitment=fair.commitment(seed, setup_of(row, seats)))


def with_rules(row: TableRow, rules: int, seats: int) -> TableRow:
    """Return the row of a table that has not begun, for these rules.

    If the commitment includes the rules version, it is made again with this one.
    """
    made = msgspec.structs.replace(row, rules=rules)
    if rules == row.rules or fair.form_of(row.commitment, row.seed, setup_of(row, seats)) != fair.SETUP:
        return made
    return msgspec.structs.replace(made, commitment=fair.commitment(row.seed, setup_of(made, seats)))


def kept_record(kept: Snapshot, *, reveal: bool = True) -> Record:
    """Return the record of a game that has ended from the database alone, without its rules; with the seed if
    `reveal`."""
    steps = [(step.actor, step.action, step.text) for step in standing(kept.steps)]
    return record_of(kept.table, steps, reveal=reveal)


def observed(game: Game, step: Step, viewer: int) -> int:
    """Return what `viewer` sees of a step; of an undo they see as much as they saw of the step."""
    if isinstance(step, Mark):
        return step.action
    seen = step.undone if isinstance(step, Back) else step
    return game.rules.observed_action(seen.before, seen.action, viewer)


def tell(game: Game, step: Step, viewer: int, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Return the log's lines on a step for `viewer`."""
    if isinstance(step, Mark):
        said = "is back" if step.action == BACK else _WHY.get(step.why, _WHY["left"])
        return (Line(f"{names[step.actor]} {said}.", seat=step.actor),)
    if not isinstance(step, Back):
        return game.scenes.tell(step, viewer, names)
    seen = observed(game, step, viewer)
    if seen == UNSEEN:
        return ()
    what = (
        f"“{game.text.format_action(step.undone.before, seen)}”" if seen == step.undone.action else "what was done last"
    )
    return (Line(f"{names[step.actor]} takes back {what}.", seat=step.actor),)


def follow(history: Journal, match: Match, row: StepRow) -> Step:
    """Make the next step that the database has, in the journal and in the match. Raises BrokenRecord if it does not
    fit, and what `repeat` raises."""
    if row.idx != len(history):
        raise BrokenRecord(f"Step {len(history) + 1} is missing.")
    if row.action == TAKEN_BACK:
        undone = history.last_standing()
        if undone is None or undone.actor != row.actor:
            raise BrokenRecord(f"Step {row.idx + 1} takes back a step that is not there.")
        step: Step = take_back(match, undone)
        history.keep(step)
    elif row.action in (AWAY, BACK):
        step = mark(match.state, row.actor, row.action, row.text)
        history.keep(step)
    else:
        step = repeat(match, row)
        history.replay(row.actor, row.action, step.before)
    return step
