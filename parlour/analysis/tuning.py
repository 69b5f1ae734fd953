"""Values that bring a game near a goal: searched by NTBEA, checked with more games, and the price of each compromise.

Each evaluation plays games of its own, from the seed and its number. The point that the search proposes, and those one
step to each side of it, are then played with many games of the same seed, which are pairs; if one of these is nearer
the goal, its neighbours are played as well, and so on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from parlour.analysis import blocks
from parlour.analysis.goals import Goal
from parlour.analysis.measures import PACE
from parlour.analysis.ntbea import Ntbea, Place
from parlour.analysis.playing import How, Progress
from parlour.analysis.sampling import Setup
from parlour.analysis.sweeping import WORK, Axis, Common, Point, at
from parlour.analysis.wording import Found, said
from parlour.core.errors import BadParts, BadSetup, whole

EVALUATIONS = 60
MOST_EVALUATIONS = 1000  # evaluations at most
GAMES = 200  # of each evaluation
FINAL = 2000  # of the answer and of each step beside it
NO_GAME = 1e6  # the loss of values that make no game together
SEEDS = 1_000_003  # between the seeds of evaluations: an evaluation's games are of no other


@dataclass(frozen=True)
class Step:
    """A point beside the answer: the axis, the value there, the measures, and its loss."""

    axis: Axis
    value: object
    found: Mapping[str, Found]
    loss: float


@dataclass(frozen=True)
class Tuned:
    """The result of `tune`: the point proposed, its measures and loss, those of the setup as it was, and the steps
    beside the point. `evaluations`: each point that was looked at, with its loss."""

    setup: Setup
    goal: Goal
    axes: tuple[Axis, ...]
    point: Point
    found: Mapping[str, Found]
    loss: float
    before: Mapping[str, Found]
    before_loss: float
    steps: tuple[Step, ...]
    evaluations: tuple[tuple[Point, float], ...]

    def table(self) -> list[list[str]]:
        """Return the lines of a table: what was played, each term's measure, and the loss."""
        lines = [("as it was", self.before, self.before_loss), ("nearest", self.found, self.loss)]
        lines += [(f"{one.axis.name} = {one.value}", one.found, one.loss) for one in self.steps]
        return [
            [name, *(said(term.measure, found.get(term.measure.name)) for term in self.goal.terms), f"{loss:,.2f}"]
            for name, found, loss in lines
        ]

    def as_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""

        def plain(found: Mapping[str, Found]) -> dict[str, object]:
            return {name: one._asdict() for name, one in found.items()}

        return {
            "setup": self.setup.asked(), "goal": self.goal.words, "point": self.point, "measures": plain(self.found),
            "loss": self.loss, "before": {"measures": plain(self.before), "loss": self.before_loss},
            "steps": [{"name": one.axis.name, "value": one.value, "measures": plain(one.found), "loss": one.loss}
                      for one in self.steps],
            "evaluations": [{"point": point, "loss": loss} for point, loss in self.evaluations],
        }  # fmt: skip


def search(
    sizes: Sequence[int], seed: int, evaluations: int, look: Callable[[int, Place], float], begin: Place | None = None
) -> Ntbea:
    """Search a grid: `look(number, place)` returns the loss of a place, as evaluation `number` sees it."""
    found = Ntbea(sizes, seed)
    if begin is not None:
        found.begin(begin)
    for number in range(evaluations):
        found.add(-look(number, found.next))
    return found


def tune(
    setup: Setup, axes: Sequence[Axis], goal: Goal, *, evaluations: int = EVALUATIONS, games: int = GAMES,
    final: int = FINAL, pace: float = PACE, how: How | None = None,
) -> Tuned:  # fmt: skip
    """Search the values of the axes for those nearest the goal.

    The search looks at one point after the other; what is checked in the end is played side by side. Raises BadSetup
    (values that make no game, before anything is played), OtherResults (the file has another search).
    """
    axes, how = tuple(axes), how or How()
    tell = how.progress or _silent
    if not axes:
        raise BadSetup("Name at least one value to tune.")
    if not 1 <= whole(evaluations, "The number of evaluations") <= MOST_EVALUATIONS:
        raise BadSetup(f"The number of evaluations must be from 1 to {MOST_EVALUATIONS:,}, not {evaluations}.")
    for axis in axes:
        for value in axis.values:
            at(setup, {axis.name: value})
    with ExitStack() as stack:
        place = how.where or stack.enter_context(blocks.Here(1 if setup.compiled else None))
        common: Common = {"games": games, "measures": goal.names, "pace": pace}
        while True:  # ends: each time one worker less is left
            try:
                return _tuned(setup, axes, goal, evaluations, final, _Looks(setup, goal, common, how, place), tell)
            except _Doubt:
                continue


class _Doubt(Exception):
    """A worker is not used again. What it said before may be wrong, and with it all points that were chosen since."""


def _tuned(
    setup: Setup, axes: tuple[Axis, ...], goal: Goal, evaluations: int, final: int, looks: _Looks, tell: Progress
) -> Tuned:
    """Search, then check the answer and what is beside it. Raises _Doubt."""

    def look(number: int, at_place: Place) -> float:
        tell(number, evaluations, "searching")
        seeded = replace(setup, seed=setup.seed + SEEDS * (number + 1))
        try:
            (seen,) = looks.at([at(seeded, _point(axes, at_place))])
        except BadParts:  # each value makes a game, but not all of them together
            return NO_GAME
        return goal.loss(_values(seen))

    found = search([len(axis.values) for axis in axes], setup.seed, evaluations, look)
    looks.games = final
    checked = _Checked(setup, axes, looks, tell)
    (before,), best = looks.at([at(setup, {})]), found.best()
    while True:  # ends: each place has a lower loss than the one before
        beside = checked.beside(best)
        places = [best, *(one for _, one in beside)]
        checked.play(places)
        losses = {one: goal.loss(_values(checked.at(one))) for one in places}
        nearest = min(losses, key=losses.__getitem__)
        if losses[nearest] >= losses[best]:
            break
        best = nearest
    steps = tuple(Step(axes[n], axes[n].values[one[n]], checked.at(one), losses[one]) for n, one in beside)
    return Tuned(
        setup, goal, axes, _point(axes, best), checked.at(best), losses[best], before, goal.loss(_values(before)),
        steps, tuple((_point(axes, one), -fitness) for one, fitness in found.evaluations),
    )  # fmt: skip


class _Looks:
    """Looks at setups, each a block of a sweep; with a file, those that it has are not played again."""

    def __init__(self, setup: Setup, goal: Goal, common: Common, how: How, where: blocks.Where) -> None:
        self.games = common["games"]
        self._head = {"setup": setup.asked(), "goal": goal.words} | dict(common)
        self._game = setup.shape.game.name
        self._how = how
        self._where = where

    def at(self, setups: Sequence[Setup], progress: blocks.Progress | None = None) -> list[dict[str, Found]]:
        """Look at setups side by side. Raises _Doubt."""
        how, told = self._how, list[str]()
        asked = [{"setup": one.asked(), "games": self.games} for one in setups]
        plan = blocks.Plan(WORK, self._head, asked, (self._game,))
        results = blocks.collect(plan, self._where, how.file, audit=how.audit, progress=progress, notice=told.append)
        for sentence in told:
            if how.notice is not None:
                how.notice(sentence)
        if told and how.audit:
            raise _Doubt
        return [{name: Found(*numbers) for name, numbers in json.loads(one).items()} for one in results]


class _Checked:
    """Places that are checked with many games, each once."""

    def __init__(self, setup: Setup, axes: Sequence[Axis], looks: _Looks, tell: Progress) -> None:
        self._setup = setup
        self._axes = axes
        self._looks = looks
        self._tell = tell
        self._found: dict[Place, Mapping[str, Found]] = {}

    def play(self, places: Sequence[Place]) -> None:
        """Check places side by side."""
        new = [place for place in places if place not in self._found]
        setups = [at(self._setup, _point(self._axes, place)) for place in new]
        done = len(self._found)

        def told(status: blocks.Status) -> None:
            self._tell(done + status.done, done + status.total, "checking")

        if new:
            self._found |= zip(new, self._looks.at(setups, told), strict=True)

    def at(self, place: Place) -> Mapping[str, Found]:
        """Return what was found at a place that was checked."""
        return self._found[place]

    def beside(self, place: Place) -> list[tuple[int, Place]]:
        """Return the places one step from this that make a game, each with its axis."""
        found = _beside(self._axes, place)
        return [(axis, one) for axis, one in found if _playable(self._setup, _point(self._axes, one))]


def _silent(_done: int, _total: int, _what: str) -> None:
    """Tell no one."""


def _values(found: Mapping[str, Found]) -> dict[str, float]:
    return {name: one.value for name, one in found.items()}


def _point(axes: Sequence[Axis], place: Place) -> Point:
    return {axis.name: axis.values[which] for axis, which in zip(axes, place, strict=True)}


def _playable(setup: Setup, point: Point) -> bool:
    try:
        at(setup, point)
    except BadParts:
        return False
    return True


def _beside(axes: Sequence[Axis], place: Place) -> list[tuple[int, Place]]:
    """Return the places one step from this on each axis, with the axis."""
    found = []
    for axis, one in enumerate(axes):
        for step in (-1, 1):
            if 0 <= place[axis] + step < len(one.values):
                found.append((axis, (*place[:axis], place[axis] + step, *place[axis + 1 :])))
    return found
