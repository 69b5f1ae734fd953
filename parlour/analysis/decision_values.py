"""What decisions are worth: the values of all legal decisions of positions drawn at random, by rollouts.

A position is a decision with a choice, each of a game's equally likely. The value of an action is its seat's mean share
of the win when everyone plays at random after it, in deals that fit what the seat knows. There are two halves of
rollouts: the best of one half is valued by the other, so that luck is not taken for worth; and the variance of values
is the covariance of the two halves, which luck leaves unbiased.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parlour import bots as known
from parlour.analysis.estimates import Estimate, Floats, ratio
from parlour.analysis.sampling import Setup
from parlour.core.errors import BadSetup
from parlour.engine import probing, simulate

ROLLOUTS = 32  # of each action


@dataclass(frozen=True, eq=False)
class Stakes:
    """One position of each game. `rows`: (games, 3) float64, the columns of `parlour.engine.probing`; a game without a
    choice has zeros."""

    rollouts: int
    rows: Floats


def play_stakes(setup: Setup, games: int, rollouts: int = ROLLOUTS, threads: int | None = None) -> Stakes:
    """Play games, and value all legal decisions of a position of each. Raises BadSetup for bots that are not
    compiled."""
    if not setup.compiled:
        raise BadSetup("Decisions are valued in games of compiled bots only: greedy or random.")
    policies = [known.driver(setup.shape.game, name) for name in setup.bots]
    rows = simulate.probe(
        setup.shape.game, setup.shape.start(), policies, range(games), setup.seed, rollouts, threads=threads
    )
    return Stakes(rollouts, np.asarray(rows, np.float64))


def gain(stakes: Stakes | None) -> Estimate | None:
    """Return how much more the best legal decision is worth than the mean one."""
    if stakes is None:
        return None
    rows = stakes.rows
    return ratio(rows[:, probing.GAIN], rows[:, probing.CHOICES] > 0)


def spread(stakes: Stakes | None) -> Estimate | None:
    """Return the standard deviation of the values of the legal decisions of a position."""
    if stakes is None:
        return None
    rows = stakes.rows
    found = ratio(rows[:, probing.VARIANCE], rows[:, probing.CHOICES] > 0)
    if found is None or found.value <= 0:
        return found and found.through(0.0, 0.0)
    return found.through(found.value**0.5, 0.5 / found.value**0.5)
