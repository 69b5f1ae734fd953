"""The course of a lesson: its steps, prescribed until all of them are played.

The steps of the lesson count as given (`core.record`): they are neither decided nor drawn at the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from msgspec.structs import replace

from parlour.core.game import Game
from parlour.core.lesson import LEARNER, led, noted
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.core.scene import Scene

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

    def note(self, match: Match | None, viewer: int) -> str:
        """Return the lesson's note for this viewer now, or "". The last note stays until the learner's next
        decision."""
        if not self.notes or match is None or viewer != LEARNER:
            return ""
        made, all_made = match.version, len(self.steps)
        since = (actor for actor, _, _ in match.steps[all_made:])
        return "" if LEARNER in since else self.notes.get(min(made, all_made), "")

    def taught(self, match: Match | None, scene: Scene, viewer: int) -> Scene:
        """Return the learner's view in a lesson: its note, and only its next move to press. While others move it is
        laid out as on the learner's turn, so that nothing moves to and fro."""
        note, due = self.note(match, viewer), self.due(match)
        if due is not None and due[0] == viewer:
            return led(scene, due[2], note)
        if due is not None and viewer == LEARNER:
            return replace(scene, lesson=True)
        return replace(noted(scene, note, scene.prompt), lesson=True) if note and due is None else scene


NO_LESSON = Course((), {})


@cache
def course(game: Game, ruleset: str) -> Course | None:
    """Return the course of a game's lesson, None without a lesson in this ruleset."""
    lesson = game.lessons.get(ruleset)
    return Course(tuple(replay(lesson.record, lambda _: game).steps), lesson.notes) if lesson else None
