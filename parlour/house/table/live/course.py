"""A table whose game begins as a lesson (`core.course`)."""

from __future__ import annotations

from parlour.core.course import NO_LESSON, Course, course
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.house.table.storage.rows import LESSON, TableRow


def course_of(row: TableRow, game: Game) -> Course:
    """Return the course that a table's game began with; if it began without the present lesson, one without steps."""
    found = course(game, row.options.get(RULESET, "")) if row.origin == LESSON else None
    return found if found and len(found.steps) == row.given else NO_LESSON
