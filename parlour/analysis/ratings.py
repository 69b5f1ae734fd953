"""Ratings of bots from their games: openskill's Plackett-Luce model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from openskill.models import PlackettLuce

from parlour.analysis.arena import Block
from parlour.analysis.intervals import SURE


class Rating(NamedTuple):
    """A bot's strength and its 95 % interval. All begin at 25 ± 16; 4 more means winning twice as often."""

    rating: float
    low: float
    high: float


def rate(bots: Iterable[str], blocks: Iterable[Block]) -> dict[str, Rating]:
    """Return the ratings after these games, in their order.

    Bots play for the win, which says nothing about the places behind the winner. So a game counts as a win of the
    winner over each of the others in turn, and a shared win as a draw between those who share it. This follows from
    Luce's choice axiom: given that one of two wins, the odds depend on these two alone. The interval is the
    model's own sigma (R. Weng, C.-J. Lin, "A Bayesian approximation method for online ranking", JMLR 12, 2011, with
    tau = 0: bots do not change). It ignores blocks; in simulations it is wider than necessary for two players and
    about right for more (tests/analysis/test_ratings.py). For exact intervals, use the shares.
    """
    model = PlackettLuce(tau=0.0)
    skills = {bot: model.rating(name=bot) for bot in bots}

    def meet(first: str, second: str, ranks: list[float]) -> None:
        (skills[first],), (skills[second],) = model.rate([[skills[first]], [skills[second]]], ranks=ranks)

    for block in blocks:
        for game in block:
            winners = [bot for bot, share in zip(game.seats, game.returns, strict=True) if share > 0]
            losers = [bot for bot, share in zip(game.seats, game.returns, strict=True) if share <= 0]
            for i, winner in enumerate(winners):
                for loser in losers:
                    if loser != winner:
                        meet(winner, loser, [1, 2])
                for other in winners[i + 1 :]:
                    if other != winner:
                        meet(winner, other, [1, 1])
    return {
        bot: Rating(skill.mu, skill.mu - SURE * skill.sigma, skill.mu + SURE * skill.sigma)
        for bot, skill in skills.items()
    }
