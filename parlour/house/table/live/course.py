"""A table whose game begins as a lesson: its steps are prescribed until all of them are played.

The steps of the lesson count as given (`core.record`): they are neither decided nor drawn here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.house.table.storage.rows import LESSON, TableRow

Made = tuple[int, int, str]  # a step: actor, action, text


@dataclass(frozen=True)
class Course:
    """The steps of a lesson, and its notes by the number of steps before them."""

    steps: tuple[Made, ...]
    notes: Mapping[int, str]

    def due(self, match: Match | None) -> Made | None:
        """Return the step that comes next in this fork, or None if it has all of them or differs from the lesson."""
        done = 0 if match is None else len(match.steps)
        if match is None or done >= len(self.steps) or tuple(match.steps) != self.steps[:done]:
            return None
        return self.steps[done]


NO_LESSON = Course((), {})


@cache
def course(game: Game, ruleset: str) -> Course | None:
    """Return the course of a game's lesson, None without a lesson in this ruleset."""
    lesson = game.lessons.get(ruleset)
    return Course(tuple(replay(lesson.record, lambda _: game).steps), lesson.notes) if lesson else None


def course_of(row: TableRow, game: Game) -> Course:
    """Return the course that a table's game began with; if it began without the present lesson, one without steps."""
    found = course(game, row.options.get(RULESET, "")) if row.origin == LESSON else None
    return found if found and len(found.steps) == row.given else NO_LESSON
