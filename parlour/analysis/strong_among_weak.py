"""Skill against luck: how often a strong bot wins among weak ones, and how much of the wins this explains.

The strong bot sits in each seat of the same deal once, so seats are even. The share of variance that bots explain is
the ratio of sums of squares (eta squared) of an analysis of variance of shares of wins, by bot; the rest is luck, seats
and the others' play. Both depend on the two bots: another pair gives other numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parlour import bots as known
from parlour.analysis.estimates import Estimate, Floats, ratio
from parlour.analysis.sampling import Setup, play

WEAK = "random"


@dataclass(frozen=True, eq=False)
class Skill:
    """Games of one strong bot among weak ones. `returns`: (deals, players, players), shares of the win: deal, seat of
    the strong bot, seat."""

    strong: str
    weak: str
    returns: Floats

    @property
    def won(self) -> Floats:
        """The strong bot's share of each deal, its seats averaged."""
        found: Floats = np.diagonal(self.returns, axis1=1, axis2=2).mean(axis=1)
        return found


def play_skill(setup: Setup, deals: int, strong: str = "", weak: str = WEAK, threads: int | None = None) -> Skill:
    """Play `deals` deals with one strong bot, in each seat once, among weak ones.

    The strong bot is the best that is compiled unless it is named. Raises UnknownName, BadSetup.
    """
    shape, strong = setup.shape, strong or known.simulated(setup.shape.game)[0]
    found = []
    for seat in range(shape.players):
        bots = [weak] * shape.players
        bots[seat] = strong
        found.append(play(Setup(shape, tuple(bots), setup.seed, setup.clock), 0, deals, threads=threads).returns)
    return Skill(strong, weak, np.stack(found, axis=1))


def edge(skill: Skill | None) -> Estimate | None:
    """Return the strong bot's share of wins beyond an equal share: 0 if it wins as often as the others, 1 if always."""
    if skill is None or (share := ratio(skill.won)) is None:
        return None
    equal = 1 / skill.returns.shape[1]
    return share.through((share.value - equal) / (1 - equal), 1 / (1 - equal))


def luck(skill: Skill | None) -> Estimate | None:
    """Return the share of the variance of wins that the bots do not explain."""
    if skill is None or (share := ratio(skill.won)) is None:
        return None
    players = skill.returns.shape[1]
    squares = ratio((skill.returns**2).mean(axis=(1, 2)))
    if squares is None:
        return None
    away, total = share.value - 1 / players, squares.value - 1 / players**2
    if total <= 0:
        return None
    explained = away**2 / (players - 1) / total
    influence = 2 * away / (players - 1) * share.influence - explained * squares.influence
    return Estimate(1 - explained, -influence / total)
