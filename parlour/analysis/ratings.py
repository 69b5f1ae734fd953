"""Ratings of bots from their games: openskill's Plackett-Luce model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from parlour.analysis.arena import Block
from parlour.analysis.intervals import SURE
from parlour.analysis.skill import Skill, after, points, results, spread


class Rating(NamedTuple):
    """A bot's strength and its 95 % interval. All begin at 1500 ± 482; 400 more means winning ten times as often."""

    rating: float
    low: float
    high: float


def rate(bots: Iterable[str], blocks: Iterable[Block]) -> dict[str, Rating]:
    """Return the ratings after these games, one after another, as `skill` computes them.

    The interval is the model's own sigma; bots do not change. It ignores blocks; in simulations it is wider than
    necessary for two players and about right for more (tests/analysis/test_ratings.py). For exact intervals, use the
    shares.
    """
    skills = dict.fromkeys(bots, Skill())
    for block in blocks:
        for game in block:
            skills = after(skills, results(game.seats, game.returns))
    return {
        bot: Rating(middle := points(skill.mu), middle - (half := SURE * spread(skill.sigma)), middle + half)
        for bot, skill in skills.items()
    }
