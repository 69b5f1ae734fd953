"""How hard puzzles are: ratings from how often each bot finds them, and a choice of puzzles of all ratings.

A bot of strength s finds a puzzle of rating r with chance 1 / (1 + 10 ** ((r - s) / 400)), as in chess, where the
puzzle is the opponent. Strengths and ratings are fitted together (Rasch 1960, Zermelo 1929), to the answers that bots
gave. Each has a normal prior, so that a puzzle that no bot, or every bot, found has a finite rating. The mean rating of
the puzzles is MIDDLE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

import numpy as np

from parlour.core.puzzle import MIDDLE

POINTS = 400  # rating points by which the odds change ten times, as in chess
SCALE = POINTS / log(10)  # rating points by which the odds change e times
PRIOR = 350.0  # standard deviation of a rating before anything is known
ROUNDS = 200
STEP = 0.5  # of a Newton step, so that both sides can move at once
BIN = 100.0  # rating points within which puzzles are alike


def ratings(found: Sequence[Mapping[str, tuple[int, int]]]) -> tuple[list[float], dict[str, float]]:
    """Return the rating of each puzzle, and the strength of each bot, from answers: by bot, how many of how many were
    right."""
    if not found:
        return [], {}
    bots = sorted({bot for one in found for bot in one})
    right = np.array([[one.get(bot, (0, 0))[0] for bot in bots] for one in found], float)
    asked = np.array([[one.get(bot, (0, 0))[1] for bot in bots] for one in found], float)
    hard, strong = np.zeros(len(found)), np.zeros(len(bots))
    prior = (SCALE / PRIOR) ** 2
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(hard[:, None] - strong[None, :]))
        surprise, spread = right - asked * chance, asked * chance * (1 - chance)
        hard += STEP * (-surprise.sum(1) - prior * hard) / (spread.sum(1) + prior)
        strong += STEP * (surprise.sum(0) - prior * strong) / (spread.sum(0) + prior)
        hard, strong = hard - hard.mean(), strong - hard.mean()
    return (
        [round(MIDDLE + SCALE * float(one), 1) for one in hard],
        {bot: round(MIDDLE + SCALE * float(one), 1) for bot, one in zip(bots, strong, strict=True)},
    )


def spread(rated: Sequence[float], wanted: int) -> list[int]:
    """Return which puzzles to keep so that all ratings are there: in turn one from each BIN of ratings, the first of
    it, until there are enough. In the order of their ratings."""
    bins: dict[int, list[int]] = {}
    for place, rating in enumerate(rated):
        bins.setdefault(int(rating // BIN), []).append(place)
    kept: list[int] = []
    depth = 0
    while len(kept) < min(wanted, len(rated)):
        layer = [places[depth] for _, places in sorted(bins.items()) if depth < len(places)]
        kept += layer[: wanted - len(kept)]
        depth += 1
    return sorted(kept, key=lambda place: rated[place])
