"""A small network learns from positions: Adam on mini-batches, in NumPy.

What it has to say of a position is a mixture of how the game ended and what the search said of it; where there was no
search, what the positions after it said. D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015. A weight
of a feature is moved only in batches that have the feature, as most positions have few of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlour.analysis.selfplay import Features, Games
from parlour.engine.net import ONE
from parlour.engine.weights import Weights, rounded

Real = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]

BATCH = 1024  # positions
RATE = 2e-3  # of learning at the beginning of a round; it falls to a tenth in the course of it
SLOWER, SLOWEST = 0.85, 0.1  # that rate with each further round, and at least
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

    features: Features
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


def learn(found: Positions, features: int, lessons: Lessons, before: Weights | None = None, number: int = 1) -> Weights:
    """Return a network that has learnt from positions in a round of this number, beginning with another one, whose form
    it keeps, or with drawn weights.

    The same arguments give the same weights on the same machine.
    """
    chance = np.random.default_rng(lessons.seed)
    seats, base = found.shares.shape[1], lessons.base if before is None else before.base
    if before is None:
        rows = chance.normal(0, SPREAD, (features + 1, lessons.hidden)).astype(np.float32)
        last = chance.normal(0, SPREAD, (seats - 1, lessons.hidden + 1)).astype(np.float32)
        seen = np.unique(found.features)
        rows[np.setdiff1d(np.arange(features), seen)] = 0.0  # what was never there says nothing
        rows[features], last[:, -1] = 0.0, 0.0
    else:
        rows, last = _real(before)
    moments = [np.zeros((2, *one.shape), np.float32) for one in (rows, last)]
    steps = lessons.epochs * -(-len(found.shares) // BATCH)
    fastest, done = RATE * max(SLOWEST, SLOWER ** (number - 1)), 0
    for _ in range(lessons.epochs):
        order = chance.permutation(len(found.shares))
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            given = Positions(found.features[some], found.odds[some], found.shares[some])
            seen, of_rows, of_last = _slopes(rows, last, given, base)
            done += 1
            rate = fastest * 0.1 ** (done / steps)
            _move(rows, seen, of_rows, moments[0], rate, done)
            _move(last, slice(None), of_last, moments[1], rate, done)
    return rounded(seats, rows, last, base)


def _move(weights: Real, which: Places | slice, slopes: Real, moments: Real, rate: float, step: int) -> None:
    """Do a step of Adam with some rows of the weights."""
    mean, square = moments[0, which], moments[1, which]
    mean = mean + (1 - FIRST) * (slopes - mean)
    square = square + (1 - SECOND) * (slopes * slopes - square)
    moments[0, which], moments[1, which] = mean, square
    moved = mean / (1 - FIRST**step) / (np.sqrt(square / (1 - SECOND**step)) + TINY)
    weights[which] -= rate * (moved + DECAY * weights[which])


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
            said = _said(_sums(some, rows), last, some, weights.base)
        total -= float((some.shares * np.log(np.maximum(said, SURE))).sum())
    return total / max(1, len(found.shares))


def _real(weights: Weights) -> tuple[Real, Real]:
    """Return weights as they are learnt."""
    rows, last = (one.astype(np.float32) / np.float32(ONE) for one in (weights.rows, weights.last))
    return rows, last


def _sums(found: Positions, rows: Real) -> Real:
    """Return the sums of the hidden units, (n, hidden): of the rows of each feature that is there, and of the last."""
    absent = (found.features < 0).sum(axis=1)
    whole: Real = rows[found.features].sum(axis=1) + (1 - absent[:, None]).astype(np.float32) * rows[-1]
    return whole  # a feature of -1 has added the last row


def _softmax(odds: Real) -> Real:
    whole = np.concatenate([odds, np.zeros((len(odds), 1), np.float32)], axis=1)
    powers = np.exp(whole - whole.max(axis=1, keepdims=True))
    said: Real = powers / powers.sum(axis=1, keepdims=True)
    return said


def _said(sums: Real, last: Real, found: Positions, base: bool) -> Real:
    odds = np.maximum(sums, 0) @ last[:, :-1].T + last[:, -1]
    return _softmax(odds + found.odds if base else odds)


def _slopes(rows: Real, last: Real, found: Positions, base: bool) -> tuple[Places, Real, Real]:
    """Return which rows there are in these positions, and how the mean cross entropy rises with each of their weights
    and of the last layer's."""
    n, width = found.features.shape
    sums = _sums(found, rows)
    wrong = (_said(sums, last, found, base) - found.shares)[:, :-1] / n
    hidden = np.maximum(sums, 0)
    back = (wrong @ last[:, :-1]) * (sums > 0)
    of_last = np.concatenate([wrong.T @ hidden, wrong.sum(axis=0)[:, None]], axis=1)
    places = np.concatenate([found.features.ravel().astype(np.intp), np.full(n, len(rows) - 1)])
    positions = np.concatenate([np.repeat(np.arange(n), width), np.arange(n)])
    there = places >= 0
    places, positions = places[there], positions[there]
    order = np.argsort(places, kind="stable")
    seen, starts = np.unique(places[order], return_index=True)
    of_rows = np.add.reduceat(back[positions[order]], starts, axis=0)
    return seen, of_rows.astype(np.float32), of_last.astype(np.float32)
