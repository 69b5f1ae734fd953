"""Notes on a table in memory: the last requests, what viewers have seen, what seats have decided."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

from parlour.core.contract import UNSEEN, Step
from parlour.core.game import Game
from parlour.core.scene import Line
from parlour.house.table.live import journal


@dataclass(slots=True)
class Asked:
    """The times of the last request about a table, by anyone and by a player (seconds of the monotonic
    clock). `table.live.looking` reads it."""

    anybody: float = -inf
    player: float = -inf


class Known(NamedTuple):
    """What a viewer has seen of a game: by version, the place in the journal after the last step that they saw; and the
    lines of the log by step."""

    places: array[int]
    lines: list[tuple[Line, ...]]


class Knowledge:
    """What each viewer who has looked at a table has seen."""

    def __init__(self, game: Game, names: tuple[str, ...], kept: Callable[[Any], Any]) -> None:
        """Start empty. The log uses `names`; `kept` returns an equal object that is already in memory."""
        self._game, self._names, self._kept = game, names, kept
        self._viewers: dict[int, Known] = {}

    def of(self, viewer: int, history: Sequence[Step], most: int | None = None) -> Known:
        """Return what the viewer has seen, after up to `most` further steps."""
        known = self._viewers.setdefault(viewer, Known(array("i", (0,)), []))
        looked = len(known.lines)
        end = len(history) if most is None else min(len(history), looked + most)
        for step in history[looked:end] if looked < end else ():
            self._see(viewer, known, step)
        return known

    def see(self, place: int, step: Step) -> None:
        """Show the step at `place` to those who have seen all before it: later the states before and after would have
        to be computed again."""
        for viewer, known in self._viewers.items():
            if len(known.lines) == place:
                self._see(viewer, known, step)

    def forget(self) -> None:
        """Forget what all viewers have seen."""
        self._viewers.clear()

    def _see(self, viewer: int, known: Known, step: Step) -> None:
        told, place = tuple(journal.tell(self._game, step, viewer, self._names)), len(known.lines)
        others = (one.lines[place] for one in self._viewers.values() if place < len(one.lines))
        known.lines.append(next((other for other in others if other == told), self._kept(told)))
        if journal.observed(self._game, step, viewer) != UNSEEN:
            known.places.append(len(known.lines))


class Decision(NamedTuple):
    """A seat's decision in `state`, and the version that the seat was given for it."""

    state: Any
    action: int
    version: int
