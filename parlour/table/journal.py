"""The journal of a table: what happened, takings back too, in that order. Nothing in it is ever changed.

The record is what stands: the steps without those taken back. The database keeps the journal, pages count it (so a
version only grows, and a move that was answered is always found again); chance, records and replays of records see the
record. docs/decisions.md tells why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from parlour.core.game import UNSEEN, Game, Step
from parlour.core.match import Match
from parlour.core.scene import Line
from parlour.core.struct import copy
from parlour.table.rows import StepRow

TAKEN_BACK = -1  # the action of a row that takes back the last standing step; no decision has this number
WORD = "undo"  # its text


@dataclass(frozen=True, slots=True)
class Back(Step):
    """A taking back, as a step from the position after `undone` to the one before it."""

    undone: Step


def take_back(match: Match, undone: Step) -> Back:
    """Let a match forget its last step, which was `undone`; nothing is checked."""
    back = Back(copy(match.state), undone.actor, TAKEN_BACK, undone.before, undone)
    match.steps.pop()
    match.state = copy(undone.before)
    return back


def last_standing(journal: list[Step]) -> Step | None:
    """The last step that has not been taken back."""
    skipped = 0
    for step in reversed(journal):
        if isinstance(step, Back):
            skipped += 1
        elif skipped:
            skipped -= 1
        else:
            return step
    return None


def standing(rows: Iterable[StepRow]) -> list[StepRow]:
    """The rows of the record: those not taken back."""
    kept: list[StepRow] = []
    for row in rows:
        if row.action == TAKEN_BACK:
            kept.pop()
        else:
            kept.append(row)
    return kept


def observed(game: Game, step: Step, viewer: int) -> int:
    """What `viewer` sees of a step; of a taking back he sees as much as of what is taken back."""
    seen = step.undone if isinstance(step, Back) else step
    return game.rules.observed_action(seen.before, seen.action, viewer)


def tell(game: Game, step: Step, viewer: int, names: tuple[str, ...]) -> tuple[Line, ...]:
    """What the log says of a step to `viewer`."""
    if not isinstance(step, Back):
        return game.scenes.tell(step, viewer, names)
    seen = observed(game, step, viewer)
    if seen == UNSEEN:
        return ()
    what = (
        f"“{game.text.format_action(step.undone.before, seen)}”" if seen == step.undone.action else "what was done last"
    )
    return (Line(f"{names[step.actor]} takes back {what}.", seat=step.actor),)
