"""NTBEA, the N-tuple bandit evolutionary algorithm: the best point of a grid, where each look at a point is noisy.

S. Lucas, J. Liu, D. Perez-Liebana, "The N-tuple bandit evolutionary algorithm for automatic game improvement", IEEE CEC
2018. The current point is evaluated; a model keeps the mean of all evaluations for every value of each axis, every pair
of values, and every whole point; of some mutants of the current point, the one with the highest upper confidence bound
in the model is next. In the end the evaluated point with the best mean in the model is proposed.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Place = tuple[int, ...]  # a point: for each axis, which of its values

NEIGHBOURS = 50  # mutants that are compared for each step
EPSILON = 0.5  # keeps what was never seen finite: of the paper
EXPLORE = 2.0  # the weight of the confidence bound, in standard deviations of the evaluations so far


@dataclass
class _Seen:
    times: int = 0
    total: float = 0.0


@dataclass
class Ntbea:
    """A search over a grid with `sizes` values on its axes. Ask `next`, evaluate, and `add` the fitness (more is
    better); the same seed and the same fitnesses give the same search."""

    sizes: Sequence[int]
    seed: int
    neighbours: int = NEIGHBOURS
    evaluations: list[tuple[Place, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        axes = range(len(self.sizes))
        groups = [*itertools.combinations(axes, 1), *itertools.combinations(axes, 2), tuple(axes)]
        self._groups = list(dict.fromkeys(groups))
        self._model: list[dict[Place, _Seen]] = [{} for _ in self._groups]
        self._rng = random.Random(f"parlour-ntbea-1/{self.seed}")
        self._current: Place = tuple(self._rng.randrange(size) for size in self.sizes)

    def begin(self, place: Place) -> None:
        """Begin at this point instead of a random one."""
        self._current = place

    @property
    def next(self) -> Place:
        """The point to evaluate next."""
        return self._current

    def add(self, fitness: float) -> None:
        """Note the fitness of `next`, and choose the point after it."""
        place = self._current
        self.evaluations.append((place, fitness))
        for group, table in zip(self._groups, self._model, strict=True):
            seen = table.setdefault(tuple(place[axis] for axis in group), _Seen())
            seen.times += 1
            seen.total += fitness
        mutants = dict.fromkeys(self._mutant(place) for _ in range(self.neighbours))
        scale = self._scale()
        self._current = max(mutants, key=lambda one: (self._bound(one, scale), self._rng.random()))

    def best(self) -> Place:
        """Return the evaluated point with the highest mean in the model. Raises ValueError before the first."""
        return max(dict.fromkeys(place for place, _ in self.evaluations), key=self.mean)

    def mean(self, place: Place) -> float:
        """Return the model's mean for a point: that of all its tuples of values that have been seen."""
        means = [seen.total / seen.times for seen in self._tuples(place) if seen.times]
        return sum(means) / len(means) if means else 0.0

    def _tuples(self, place: Place) -> Iterable[_Seen]:
        nothing = _Seen()
        for group, table in zip(self._groups, self._model, strict=True):
            yield table.get(tuple(place[axis] for axis in group), nothing)

    def _bound(self, place: Place, scale: float) -> float:
        """Return the upper confidence bound: the mean of the tuples' means and of their explorations."""
        whole = len(self.evaluations)
        explorations = [math.sqrt(math.log(1 + whole) / (seen.times + EPSILON)) for seen in self._tuples(place)]
        return self.mean(place) + EXPLORE * scale * sum(explorations) / len(explorations)

    def _scale(self) -> float:
        """Return the standard deviation of the fitnesses so far, so that exploring has their unit."""
        values = [fitness for _, fitness in self.evaluations]
        mean = sum(values) / len(values)
        return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values)) or 1.0

    def _mutant(self, place: Place) -> Place:
        """Return the point with at least one other value: one axis for sure, each other with a chance of 1 in axes."""
        axes = [axis for axis, size in enumerate(self.sizes) if size > 1]
        if not axes:
            return place
        sure = self._rng.choice(axes)
        made = list(place)
        for axis in axes:
            if axis == sure or self._rng.random() < 1 / len(axes):
                other = self._rng.randrange(self.sizes[axis] - 1)
                made[axis] = other if other < place[axis] else other + 1
        return tuple(made)
