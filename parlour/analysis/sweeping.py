"""One setup with other values, at each point of a grid: the measures of each.

An axis is a value of the edition, by its path, or an option (a reading of a rule, say), with the values to try. All
points are played with the same seed, so that neighbours are pairs.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import NotRequired, TypedDict

from parlour.analysis import blocks
from parlour.analysis.measures import PACE, Measure, chosen
from parlour.analysis.playing import How, play
from parlour.analysis.sampling import Asked, Setup
from parlour.analysis.wording import Found, said
from parlour.core.changes import value_of
from parlour.core.errors import BadSetup, whole
from parlour.engine.frames import Columns, Framed

MOST = 2000  # points of a grid
WORK = "parlour.analysis.sweeping:block"
OPTION = "option"  # what an axis of an option is called in points: "option pile"


@dataclass(frozen=True)
class Axis:
    """What is varied, and the values that are tried, in their order. `path`: of a value of the edition, or an option's
    name, if `option`."""

    path: str
    values: tuple[object, ...]
    option: bool = False

    @property
    def name(self) -> str:
        """The name in points: the path, or "option NAME"."""
        return f"{OPTION} {self.path}" if self.option else self.path

    @staticmethod
    def read(text: str, *, option: bool = False) -> Axis:
        """Read "PATH=LOW..HIGH/STEP", "PATH=LOW..HIGH" (steps of 1) or "PATH=A,B,C". Raises BadSetup."""
        path, equals, said = (part.strip() for part in text.partition("="))
        if not (path and equals and said):
            raise BadSetup(f"Write what is varied as PATH=LOW..HIGH/STEP or PATH=A,B,C, not {text!r}.")
        if ".." in said and not option:
            return Axis(path, _steps(said))
        given = [one.strip() for one in said.split(",")]
        values = tuple(given if option else map(value_of, given))
        if len(set(map(str, values))) < len(values):
            raise BadSetup(f"{path} names a value twice: {said}.")
        return Axis(path, values, option)


def _steps(text: str) -> tuple[object, ...]:
    """Return the numbers from LOW to HIGH in steps, exact as written."""
    ends, _, step = text.partition("/")
    try:
        low, high = (Decimal(one.strip()) for one in ends.split(".."))
        size = Decimal(step.strip() or "1")
    except (InvalidOperation, ValueError):
        raise BadSetup(f"{text!r} is not a range: write LOW..HIGH/STEP, such as 50000..250000/25000.") from None
    if not (low.is_finite() and high.is_finite() and size.is_finite()) or size <= 0 or high < low:
        raise BadSetup(f"{text!r} has no values: the range must go up, in steps above 0.")
    count = int((high - low) / size) + 1
    if count > MOST:
        raise BadSetup(f"{text!r} has {count:,} values; at most {MOST:,} are possible.")
    numbers = [low + size * i for i in range(count)]
    return tuple(int(one) if whole_number else float(one) for one, whole_number in
                 ((one, all(end == end.to_integral_value() for end in (low, size))) for one in numbers))  # fmt: skip


Point = dict[str, object]  # the value of each axis, by its name


@dataclass(frozen=True)
class Sweep(Framed):
    """The result of `sweep`: the measures of each point, in the order of the points."""

    setup: Setup
    axes: tuple[Axis, ...]
    games: int
    measures: tuple[Measure, ...]
    points: tuple[Point, ...]
    found: tuple[Mapping[str, Found], ...]

    def table(self) -> list[list[str]]:
        """Return the lines of a table: a point's values, then its measures with half of their intervals."""
        return [
            [*(str(point[axis.name]) for axis in self.axes), *(self._said(one, found) for one in self.measures)]
            for point, found in zip(self.points, self.found, strict=True)
        ]

    def columns(self) -> Columns:
        """Return a row for each measure at each point: the value of each axis, the measure's name, and its value with
        the ends of its interval."""
        rows = [
            {**point, "measure": name, **one._asdict()}
            for point, found in zip(self.points, self.found, strict=True)
            for name, one in found.items()
        ]
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}

    @staticmethod
    def _said(measure: Measure, found: Mapping[str, Found]) -> str:
        return said(measure, found.get(measure.name))

    def as_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {
            "setup": self.setup.asked(),
            "games": self.games,
            "axes": [{"name": axis.name, "values": list(axis.values)} for axis in self.axes],
            "points": [
                {"point": point, "measures": {name: one._asdict() for name, one in found.items()}}
                for point, found in zip(self.points, self.found, strict=True)
            ],
        }


def grid(axes: Sequence[Axis]) -> list[Point]:
    """Return every combination of the values. Raises BadSetup if there are more than MOST."""
    count = math.prod(len(axis.values) for axis in axes)
    if count > MOST:
        raise BadSetup(f"The grid has {count:,} points; at most {MOST:,} are possible. Ask for fewer with --points.")
    names = [axis.name for axis in axes]
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*(axis.values for axis in axes))]


def hypercube(axes: Sequence[Axis], points: int, seed: int) -> list[Point]:
    """Return a Latin hypercube of this many points: on each axis, they are spread evenly over its values (M. McKay,
    R. Beckman, W. Conover, Technometrics 21, 1979). Points that fall together are given once. Raises BadSetup."""
    if not 1 <= whole(points, "The number of points") <= MOST:
        raise BadSetup(f"The number of points must be from 1 to {MOST:,}, not {points}.")
    rng = random.Random(f"parlour-hypercube-1/{seed}")
    columns = []
    for axis in axes:
        ranks = list(range(points))
        rng.shuffle(ranks)
        columns.append([axis.values[(2 * rank + 1) * len(axis.values) // (2 * points)] for rank in ranks])
    names = [axis.name for axis in axes]
    made = [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
    return list({json.dumps(point, sort_keys=True): point for point in made}.values())


def at(setup: Setup, point: Mapping[str, object]) -> Setup:
    """Return the setup with the values of a point. Raises what `Edition.changed` and `Game.options` raise."""
    prefix = f"{OPTION} "
    shape = setup.shape
    values = {name: value for name, value in point.items() if not name.startswith(prefix)}
    options = {name.removeprefix(prefix): str(value) for name, value in point.items() if name.startswith(prefix)}
    box = shape.box.changed(values) if values else shape.edition
    chosen_options = shape.game.read({**shape.options, **options})
    shape.game.options(chosen_options)
    return replace(setup, shape=replace(shape, edition=box, options=chosen_options))


def setups(result: Sweep) -> dict[str, Setup]:
    """Return the setup of each point of a sweep by the point's values in words: "deck.gold=5, option first=seat"."""
    return {
        ", ".join(f"{name}={value}" for name, value in point.items()): at(result.setup, point)
        for point in result.points
    }


def sweep(
    setup: Setup, axes: Iterable[Axis], games: int, *, measures: Iterable[str] | None = None, points: int | None = None,
    pace: float = PACE, how: How | None = None,
) -> Sweep:  # fmt: skip
    """Measure a setup at every point of a grid, or at `points` points of a Latin hypercube.

    Raises BadSetup (a value out of its bounds at
    any point, before anything is played), UnknownName; OtherResults (the file has another sweep).
    """
    axes = tuple(axes)
    if not axes:
        raise BadSetup("Name at least one value to vary.")
    if twice := next((axis.name for i, axis in enumerate(axes) if axis.name in [one.name for one in axes[:i]]), ""):
        raise BadSetup(f"{twice} is varied twice.")
    made = grid(axes) if points is None else hypercube(axes, points, setup.seed)
    setups = [at(setup, point) for point in made]
    wanted = chosen(setup, measures)
    common: Common = {
        "games": whole(games, "The number of games"), "measures": [one.name for one in wanted], "pace": pace,
    }  # fmt: skip
    plan = blocks.Plan(WORK, common, [{"setup": one.asked()} for one in setups], (setup.shape.game.name,))
    how = how or How()

    def told(status: blocks.Status) -> None:
        if how.progress is not None:
            how.progress(status.done, status.total, "points")

    with ExitStack() as stack:
        place = how.where or stack.enter_context(blocks.Here(1 if setup.compiled else None))
        results = blocks.collect(plan, place, how.file, audit=how.audit, progress=told, notice=how.notice)
    found = tuple({name: Found(*numbers) for name, numbers in json.loads(one).items()} for one in results)
    return Sweep(setup, axes, games, tuple(wanted), tuple(made), found)


class Common(TypedDict):
    """What all looks have in common: games, measures by name, and the pace."""

    games: int
    measures: list[str]
    pace: float


class Look(TypedDict):
    """A look at one setup; a search looks at its answer with more games, and says so here."""

    setup: Asked
    games: NotRequired[int]


def block(common: Common, look: Look) -> bytes:
    """Measure one setup (`parlour.analysis.blocks`): JSON, name -> value and the ends of its interval."""
    setup, games = Setup.of(look["setup"]), look.get("games", common["games"])
    played = play(setup, games, common["measures"], pace=common["pace"], how=How(threads=blocks.cores()))
    found = {}
    for name in common["measures"]:
        if (estimate := played.estimate(name)) is not None:
            found[name] = [estimate.value, *estimate.interval]
    return json.dumps(found).encode()
