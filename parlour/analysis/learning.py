"""A small network learns from positions: Adam on mini-batches, in NumPy.

What it has to say of a position is a mixture of how the game ended and what the search said of it. D. Kingma, J. Ba,
"Adam: A Method for Stochastic Optimization", 2015.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlour.analysis.selfplay import Games
from parlour.engine.net import ONE
from parlour.engine.weights import Weights, rounded

Real = npt.NDArray[np.float32]

BATCH = 1024  # positions
RATE = 2e-3  # of learning at the beginning of a round; it falls to a tenth in the course of it
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8  # as in Adam's paper
DECAY = 1e-2  # of weights, times the rate
SPREAD = 0.1  # of the first weights
HELD = 20  # one game in this number teaches nothing: how well it is foretold is what we show
SURE = 1e-3  # shares of the win are kept this far from 0 and 1 where their logarithm is taken


@dataclass(frozen=True)
class Lessons:
    """How a network learns: its hidden units, whether it corrects the policy's outlook (`base`), how often it sees
    each position, how much of what it must say is the end of the game (the rest is the search's), and the seed."""

    hidden: int
    base: bool
    epochs: int
    result: float
    seed: int


@dataclass(frozen=True, eq=False)
class Positions:
    """What is learnt from, a row for each position: its features (the rest is -1), and by seat from the player to move
    on the logarithm of the outlook's odds (against the last seat; without it) and the share of the win to be said."""

    features: npt.NDArray[np.int32]
    odds: Real
    shares: Real

    def part(self, which: npt.NDArray[np.bool_]) -> Positions:
        """Return some of the positions."""
        return Positions(self.features[which], self.odds[which], self.shares[which])


def positions(found: Sequence[Games], result: float) -> tuple[Positions, npt.NDArray[np.bool_]]:
    """Return the positions of these games, and which of them are held back. `result`: see `Lessons`."""
    wide = max(one.features.shape[1] for one in found)
    features, odds, shares, held = [], [], [], []
    games = 0
    for one in found:
        seats = one.shares.shape[1]
        turned = (one.player[:, None] + np.arange(seats)) % seats
        said = result * one.shares[one.game] + (1 - result) * one.values
        outlook = np.log(np.maximum(np.take_along_axis(one.outlooks, turned, 1), SURE**4))
        features.append(np.pad(one.features, ((0, 0), (0, wide - one.features.shape[1])), constant_values=-1))
        odds.append((outlook[:, :-1] - outlook[:, -1:]).astype(np.float32))
        shares.append(np.take_along_axis(said, turned, 1).astype(np.float32))
        held.append((one.game + games) % HELD == HELD - 1)
        games += len(one.shares)
    every = Positions(np.concatenate(features), np.concatenate(odds), np.concatenate(shares))
    return every, np.concatenate(held)


def learn(found: Positions, features: int, lessons: Lessons, before: Weights | None = None) -> Weights:
    """Return a network that has learnt from positions, beginning with the weights of another one or with drawn ones.

    The same arguments give the same weights on the same machine.
    """
    chance = np.random.default_rng(lessons.seed)
    seats = found.shares.shape[1]
    if before is None:
        rows = chance.normal(0, SPREAD, (features + 1, lessons.hidden)).astype(np.float32)
        last = chance.normal(0, SPREAD, (seats - 1, lessons.hidden + 1)).astype(np.float32)
        seen = np.unique(found.features)
        rows[np.setdiff1d(np.arange(features), seen)] = 0.0  # what was never there says nothing
        rows[features], last[:, -1] = 0.0, 0.0
    else:
        rows, last = _real(before)
    weights = [rows, last]
    steps = lessons.epochs * -(-len(found.shares) // BATCH)
    means = [np.zeros_like(one) for one in weights]
    squares = [np.zeros_like(one) for one in weights]
    done = 0
    for _ in range(lessons.epochs):
        order = chance.permutation(len(found.shares))
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            given = Positions(found.features[some], found.odds[some], found.shares[some])
            slopes = _slopes(weights[0], weights[1], given, lessons.base)
            done += 1
            rate = RATE * 0.1 ** (done / steps)
            for one, slope, mean, square in zip(weights, slopes, means, squares, strict=True):
                mean += (1 - FIRST) * (slope - mean)
                square += (1 - SECOND) * (slope * slope - square)
                step = mean / (1 - FIRST**done) / (np.sqrt(square / (1 - SECOND**done)) + TINY)
                one -= rate * (step + DECAY * one)
    return rounded(seats, weights[0], weights[1], lessons.base)


def loss(found: Positions, weights: Weights | None) -> float:
    """Return the mean cross entropy between what positions are said to be worth and what a network says, or the
    policy's outlook without one. Less is better; it says little about play."""
    total = 0.0
    for at in range(0, len(found.shares), BATCH):
        to = at + BATCH
        some = Positions(found.features[at:to], found.odds[at:to], found.shares[at:to])
        if weights is None:
            said = _softmax(some.odds)
        else:
            rows, last = _real(weights)
            said = _said(_there(some, len(rows)) @ rows, last, some, weights.base)
        total -= float((some.shares * np.log(np.maximum(said, SURE))).sum())
    return total / max(1, len(found.shares))


def _real(weights: Weights) -> tuple[Real, Real]:
    """Return weights as they are learnt."""
    rows, last = (one.astype(np.float32) / np.float32(ONE) for one in (weights.rows, weights.last))
    return rows, last


def _there(found: Positions, rows: int) -> Real:
    """Return how often each feature is there in each position, (n, rows); the last row always is, once."""
    n = len(found.features)
    places = np.where(found.features < 0, rows - 1, found.features) + rows * np.arange(n)[:, None]
    made = np.bincount(places.ravel(), minlength=n * rows).reshape(n, rows).astype(np.float32)
    made[:, -1] = 1.0
    return made


def _softmax(odds: Real) -> Real:
    whole = np.concatenate([odds, np.zeros((len(odds), 1), np.float32)], axis=1)
    powers = np.exp(whole - whole.max(axis=1, keepdims=True))
    said: Real = powers / powers.sum(axis=1, keepdims=True)
    return said


def _said(sums: Real, last: Real, found: Positions, base: bool) -> Real:
    odds = np.maximum(sums, 0) @ last[:, :-1].T + last[:, -1]
    return _softmax(odds + found.odds if base else odds)


def _slopes(rows: Real, last: Real, found: Positions, base: bool) -> tuple[Real, Real]:
    """Return how the mean cross entropy rises with each weight."""
    there = _there(found, len(rows))
    sums = there @ rows
    wrong = (_said(sums, last, found, base) - found.shares)[:, :-1] / len(there)
    hidden = np.maximum(sums, 0)
    back = (wrong @ last[:, :-1]) * (sums > 0)
    of_last = np.concatenate([wrong.T @ hidden, wrong.sum(axis=0)[:, None]], axis=1)
    return (there.T @ back).astype(np.float32), of_last.astype(np.float32)
