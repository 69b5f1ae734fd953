"""Estimates from games: a number, and how much each game has to do with it.

Each estimate is a smooth function of means over independent games, so near enough it is a mean itself: that of its
influence, one number a game (F. Hampel, "The influence curve and its role in robust estimation", JASA 69, 1974). The
standard error follows from these, and that of a difference from the differences of influences: games of the same number
of two setups, which share their chance, are paired by this alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.analysis.intervals import interval, student

Floats: TypeAlias = NDArray[np.float64]

SMALLEST = 1e-300  # a standard error that is not above this counts as zero
SURE = 0.05  # the error of all intervals here: they are of 95 %


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number found in games. `influence`: one number for each game, whose mean is 0. `share` says whether the number
    is a share, from 0 to 1."""

    value: float
    influence: Floats
    share: bool = False

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.influence)

    @property
    def error(self) -> float:
        """The standard error of the value; infinite for one game."""
        n = self.games
        return float(np.sqrt(self.influence @ self.influence / (n - 1) / n)) if n > 1 else math.inf

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval; of a share Wilson's, with as many trials as would vary as the games do."""
        n, error = self.games, self.error
        if n < 2:
            return (0.0, 1.0) if self.share else (-math.inf, math.inf)
        if not self.share or not 0 <= self.value <= 1:
            half = student(n - 1) * error
            return self.value - half, self.value + half
        trials = self.value * (1 - self.value) / error**2 if error > SMALLEST and 0 < self.value < 1 else n
        return interval(self.value, trials, student(n - 1))

    def through(self, value: float, slope: float, *, share: bool = False) -> Estimate:
        """Return the estimate of a function of this one: its value and its slope here (the delta method)."""
        return Estimate(value, slope * self.influence, share)


def ratio(parts: ArrayLike, wholes: ArrayLike | None = None, *, share: bool = False) -> Estimate | None:
    """Return sum(parts) / sum(wholes), a number of each for every game; without `wholes`, the mean of the parts.

    Returns None if there is nothing to divide by. The influence is that of Cochran's ratio estimate (Sampling
    Techniques, chapter 6).
    """
    part = np.asarray(parts, np.float64)
    whole = np.ones_like(part) if wholes is None else np.asarray(wholes, np.float64)
    mean = float(whole.mean()) if len(whole) else 0.0
    if not mean:
        return None
    value = float(part.sum() / whole.sum())
    return Estimate(value, (part - value * whole) / mean, share)


def variation(numbers: ArrayLike) -> Estimate | None:
    """Return the standard deviation of numbers as a share of their mean; None if that is 0."""
    number = np.asarray(numbers, np.float64)
    mean = float(number.mean()) if len(number) else 0.0
    if not mean:
        return None
    away = number - mean
    variance = float(away @ away / len(number))
    deviation = variance**0.5
    spread = (away**2 - variance) / (2 * deviation) if deviation else np.zeros_like(number)
    return Estimate(deviation / mean, (spread - away * deviation / mean) / mean)


def difference(before: Estimate, after: Estimate) -> Estimate:
    """Return how much more `after` is, its games paired with those of the same number of `before`.

    Games that only one of the two has stay unpaired.
    """
    few = min(before.games, after.games)
    if before.games == after.games:
        return Estimate(after.value - before.value, after.influence - before.influence)
    longest = max(before.games, after.games)
    influence = np.zeros(longest)
    influence[: after.games] += after.influence * (longest / after.games)
    influence[: before.games] -= before.influence * (longest / before.games)
    return Estimate(after.value - before.value, influence) if few else Estimate(math.nan, influence)


def p_value(estimate: Estimate) -> float:
    """Return the two-sided p-value of "the truth is 0", by the normal distribution."""
    if estimate.error <= SMALLEST:
        return 0.0 if estimate.value else 1.0
    return math.erfc(abs(estimate.value) / estimate.error / 2**0.5)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values adjusted so that with 95 % none below 0.05 is an accident (S. Holm, "A simple sequentially
    rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979)."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, least = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = least
    return adjusted


# Looking while the games are played -----------------------------------------------------------------
def wide(estimate: Estimate, planned: int, error: float = SURE) -> float:
    """Return half the width of an interval that may be looked at after every game, and acted upon.

    The asymptotic confidence sequence of I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy, A. Ramdas, "Time-uniform
    central limit theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), theorem 2.2: with
    probability 1 - `error`, the truth is in the intervals of all looks together. It is narrowest near `planned` games
    (their equation 10). As the name says, it needs enough games for the standard error to be known.
    """
    n = estimate.games
    deviation = estimate.error * n**0.5
    narrow = (-2 * math.log(error) + math.log(-2 * math.log(error) + 1)) / planned
    grown = n * narrow + 1
    return float(deviation * math.sqrt(2 * grown / (n * n * narrow) * math.log(math.sqrt(grown) / error)))
