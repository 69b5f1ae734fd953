"""How strong players are, as the games between them tell: openskill's Plackett-Luce model, one game after another.

Games are played for the win, which says nothing about the places behind the winner. So a game counts as a win of the
winner over each of the others, and a shared win as a draw between those who share it. This follows from Luce's choice
axiom: given that one of two wins, the odds depend on these two alone (R. Weng, C.-J. Lin, "A Bayesian approximation
method for online ranking", JMLR 12, 2011; here with tau = 0).

All pairs of a game are rated at once, from what was known before it, so the order of seats has no say: a pair gives
each of its two a Gaussian factor, the updated skill divided by the earlier one, and a player's new skill is the earlier
one times all factors (precisions add, and so do means weighted by precision).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum, log, sqrt
from typing import NamedTuple

from openskill.models import PlackettLuce

_MODEL = PlackettLuce(tau=0.0)


class Skill(NamedTuple):
    """What is known of a player in the model's units: the mean, and how unsure it is. `points` and `spread` say it on
    the scale that is shown."""

    mu: float = 25.0
    sigma: float = 25.0 / 3


MIDDLE = 1500  # what a newcomer's rating is shown as
# Points to 1 of the model: 29.48. So 400 points more means winning ten times as often, as in Elo.
SCALE = 400 / (log(10) * sqrt(2) * _MODEL.beta)


def points(mu: float) -> float:
    """Return a mean on the scale that people know from chess: 1500 for a newcomer."""
    return MIDDLE + SCALE * (mu - Skill().mu)


def spread(sigma: float) -> float:
    """Return an uncertainty on the same scale."""
    return SCALE * sigma


def results(players: Sequence[str], shares: Sequence[float]) -> Iterator[tuple[str, str, bool]]:
    """Yield the result of a game for each two players: (first, second, whether the first won; else it is a draw)."""
    winners = [player for player, share in zip(players, shares, strict=True) if share > 0]
    losers = [player for player, share in zip(players, shares, strict=True) if share <= 0]
    for i, winner in enumerate(winners):
        for loser in losers:
            if loser != winner:  # a player with several seats gets no result against themselves
                yield winner, loser, True
        for other in winners[i + 1 :]:
            if other != winner:
                yield winner, other, False


def meet(first: Skill, second: Skill, *, won: bool) -> tuple[Skill, Skill]:
    """Both after the first has won over the second, or the two drew."""
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in (first, second)]
    (one,), (other,) = _MODEL.rate(teams, ranks=[1, 2] if won else [1, 1])
    return Skill(one.mu, one.sigma), Skill(other.mu, other.sigma)


def after(skills: Mapping[str, Skill], found: Iterable[tuple[str, str, bool]]) -> dict[str, Skill]:
    """Return the skills after one game, given what it says of two players at a time."""
    met: dict[str, list[Skill]] = {player: [] for player in skills}
    for first, second, won in found:
        one, other = meet(skills[first], skills[second], won=won)
        met[first].append(one)
        met[second].append(other)
    return {player: _together(skill, met[player]) for player, skill in skills.items()}


def _together(before: Skill, pairs: Sequence[Skill]) -> Skill:
    """Multiply the factors of a player's pairs. The order does not matter, to the last bit (`fsum`)."""
    if len(pairs) < 2:
        return pairs[0] if pairs else before
    weight, pull = _natural(before)
    each = [_natural(pair) for pair in pairs]
    precision = fsum([weight, *(one for one, _ in each), *[-weight] * len(pairs)])
    mean = fsum([pull, *(one for _, one in each), *[-pull] * len(pairs)]) / precision
    return Skill(mean, precision**-0.5)


def _natural(skill: Skill) -> tuple[float, float]:
    """Return the precision, and the mean times the precision."""
    return skill.sigma**-2, skill.mu * skill.sigma**-2
