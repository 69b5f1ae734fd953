"""A table whose game begins as a lesson: its steps are prescribed until all of them are played.

The steps of the lesson count as given (`core.record`): they are neither decided nor drawn here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.replay import replay
from parlour.house.table.storage.rows import LESSON, TableRow

Made = tuple[int, int, str]  # a step: actor, action, text


@dataclass(frozen=True)
class Course:
    """The steps of a lesson, and its notes by the number of steps before them."""

    steps: tuple[Made, ...]
    notes: Mapping[int, str]

    def after(self, steps: Sequence[Made]) -> Made | None:
        """Return the step that follows these, or None if they are complete or differ from the lesson."""
        done = len(steps)
        return self.steps[done] if done < len(self.steps) and tuple(steps) == self.steps[:done] else None


@cache
def course(game: Game, ruleset: str) -> Course | None:
    """Return the course of a game's lesson, None without a lesson in this ruleset."""
    lesson = game.lessons.get(ruleset)
    return Course(tuple(replay(lesson.record, lambda _: game).steps), lesson.notes) if lesson else None


def course_of(row: TableRow, game: Game) -> Course | None:
    """Return the course that a table's game began with, None if it began without the present lesson."""
    found = course(game, row.options.get(RULESET, "")) if row.origin == LESSON else None
    return found if found and len(found.steps) == row.given else None
