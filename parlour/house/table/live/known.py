"""What the viewers of a table have seen: the steps that they count, and their lines of the log."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from parlour.core.contract import UNSEEN, Step
from parlour.core.game import Game
from parlour.core.scene import Line
from parlour.house.table.live import journal
from parlour.house.table.live.journal import Journal

T = TypeVar("T")
ALIKE = 300  # different things that are looked for among later ones
PIECE = 50  # steps that are worked out before other work runs

Lines = tuple[Line, ...]  # of the log, on one step


class Alike:
    """The steps and lines of a table, of which equal ones are stored once: a long game has few different ones."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def one(self, thing: T) -> T:
        """Return the same thing, or an equal one that is in memory already."""
        if thing not in self._kept and len(self._kept) < ALIKE:
            self._kept[thing] = thing
        found: T = self._kept.get(thing, thing)
        return found

    def share(self, things: list[T], last: int) -> None:
        """Share the last of these things with all before them."""
        things[-last:] = map(self.one, things[-last:])


class Known(NamedTuple):
    """What a viewer has seen of a game: by version, the place in the journal after the last step that they saw; and the
    lines of the log by step."""

    places: array[int]
    lines: list[Lines]


class Knowledge:
    """What each viewer who has looked at a table has seen.

    A viewer's versions leave out steps that they do not see, as when another player declines a discard. So each viewer
    counts differently; a place is the number of steps in the journal, the same for all.
    """

    def __init__(self, game: Game, names: tuple[str, ...], history: Journal, kept: Callable[[Lines], Lines]) -> None:
        """Start empty. The log uses `names`; `kept` returns an equal object that is already in memory."""
        self._game, self._names, self._history, self._kept = game, names, history, kept
        self._viewers: dict[int, Known] = {}

    def version(self, viewer: int) -> int:
        """Return the steps that a viewer knows of: the version that their pages show and their moves name."""
        return len(self._of(viewer).places) - 1

    def place(self, viewer: int, version: int) -> int:
        """Return how many steps had been made when a viewer knew of `version`."""
        return self._of(viewer).places[version]

    def version_at(self, viewer: int, place: int) -> int:
        """Return a viewer's version when `place` steps had been made."""
        return bisect_right(self._of(viewer).places, place) - 1

    def lines(self, viewer: int) -> list[Lines]:
        """Return the lines of the log by step, with the signs of the seats (`table.live.signs`)."""
        return self._of(viewer).lines

    async def ready(self, viewer: int) -> bool:
        """Work out what a viewer has seen of a long game piece by piece, so that showing it delays no one else. Return
        whether other work ran meanwhile."""
        yielded = False
        while len(self._of(viewer, PIECE).lines) < len(self._history):
            yielded = True
            await asyncio.sleep(0)
        return yielded

    def expect(self, viewer: int) -> None:
        """Show a viewer, whose page looks next, each step as it is made (`see`)."""
        self._of(viewer)

    def see(self, place: int, step: Step) -> None:
        """Show the step at `place` to those who have seen all before it: later the states before and after would have
        to be computed again."""
        for viewer, known in self._viewers.items():
            if len(known.lines) == place:
                self._see(viewer, known, step)

    def begin(self, history: Journal) -> None:
        """Forget what all have seen, and begin with this journal."""
        self._history = history
        self._viewers.clear()

    def _of(self, viewer: int, most: int | None = None) -> Known:
        """Return what a viewer has seen, after up to `most` further steps."""
        if (known := self._viewers.get(viewer)) is None:
            known = self._viewers[viewer] = Known(array("i", (0,)), [])
        looked, end = len(known.lines), len(self._history)
        if looked < end:
            for step in self._history[looked : end if most is None else min(end, looked + most)]:
                self._see(viewer, known, step)
        return known

    def _see(self, viewer: int, known: Known, step: Step) -> None:
        told, place = tuple(journal.tell(self._game, step, viewer, self._names)), len(known.lines)
        others = (one.lines[place] for one in self._viewers.values() if place < len(one.lines))
        known.lines.append(next((other for other in others if other == told), self._kept(told)))
        if journal.observed(self._game, step, viewer) != UNSEEN:
            known.places.append(len(known.lines))
