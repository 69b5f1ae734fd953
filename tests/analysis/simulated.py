"""`python -m tests.analysis.simulated`: what ratings make of games whose players' strengths are known.

Prints the numbers of docs/decisions.md on ratings: how far neighbours stand apart whose strengths differ by 1, where
the losers of a game for three are tied and where they are not, and how many games it takes until a rating is sure.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from statistics import fmean, median, stdev

from openskill.models import PlackettLuce

from parlour.analysis.skill import Skill, after, results
from parlour.house.ratings.rows import START, SURE, grown

SCALE = 2**0.5 * 25 / 6  # of a rating, for a factor e in the odds
STRENGTHS = (0.0, 1.0, 2.0, 3.0)
KNOWN = 2.0  # the sigma of a player who has played many games
PLAYERS = tuple("abcd")
Rate = Callable[[dict[str, Skill], Sequence[str], str], dict[str, Skill]]


def as_it_is(skills: dict[str, Skill], seats: Sequence[str], winner: str) -> dict[str, Skill]:
    """Rate one game as Parlour does: the winner over each of the others, all pairs at once."""
    return after(skills, results(seats, [float(seat == winner) for seat in seats]))


def with_ties(skills: dict[str, Skill], seats: Sequence[str], winner: str) -> dict[str, Skill]:
    """Rate one game as a ranking in which the losers are tied."""
    model = PlackettLuce(tau=0.0)
    teams = [[model.rating(mu=skills[seat].mu, sigma=skills[seat].sigma)] for seat in seats]
    rated = model.rate(teams, ranks=[1 if seat == winner else 2 for seat in seats])
    return skills | {seat: Skill(one.mu, one.sigma) for seat, (one,) in zip(seats, rated, strict=True)}


def apart(rate: Rate, seed: int, games: int = 1500) -> list[float]:
    """Return how far neighbours stand apart after these games, the strongest first; the truth is 1 each."""
    rng = random.Random(seed)
    strengths = dict(zip(PLAYERS, STRENGTHS, strict=True))
    skills = dict.fromkeys(PLAYERS, Skill())
    for _ in range(games):
        seats = rng.sample(PLAYERS, 3)
        (winner,) = rng.choices(seats, [math.exp(strengths[seat]) for seat in seats])
        skills = rate(skills, seats, winner)
    return [(skills[better].mu - skills[worse].mu) / SCALE for better, worse in pairwise(PLAYERS[::-1])]


def until_sure(seed: int, *, known: bool, crowd: int = 8) -> list[int]:
    """Return after how many games of two people become sure, whose strengths differ by 1 (a standard deviation).

    They meet each other, all new; or, where the others are known, the first alone is new and meets one of them.
    """
    rng = random.Random(seed)
    strengths = [rng.gauss(0, 1) for _ in range(crowd)]
    sure: dict[int, int] = {}
    games = [0] * crowd
    skills = [Skill(START.mu + SCALE * one, KNOWN) if known else START for one in strengths]
    skills[0] = START
    while len(sure) < (1 if known else crowd):
        pair = [0, rng.randrange(1, crowd)] if known else rng.sample(range(crowd), 2)
        (winner,) = rng.choices(pair, [math.exp(strengths[one]) for one in pair])
        before = {str(one): grown(str(one), skills[one]) for one in pair}
        rated = as_it_is(before, list(before), str(winner))
        for one in pair[:1] if known else pair:
            skills[one] = rated[str(one)]
            games[one] += 1
            if skills[one].sigma <= SURE:
                sure.setdefault(one, games[one])
    return list(sure.values())


def line(said: str, found: Iterable[Sequence[float]]) -> str:
    columns = list(zip(*found, strict=True))
    return f"{said}: " + ", ".join(f"{fmean(column):.2f} (± {stdev(column):.2f})" for column in columns)


if __name__ == "__main__":
    seeds = range(40)
    print("How far neighbours stand apart, the strongest first; the truth is 1.")
    print("Mean of 40 times 1,500 games (± standard deviation):")
    print(line("losers tied", (apart(with_ties, seed) for seed in seeds)))
    print(line("as it is", (apart(as_it_is, seed) for seed in seeds)))
    for said, known in (("known", True), ("new", False)):
        games = sorted(game for seed in seeds for game in until_sure(seed, known=known))
        most = games[len(games) * 9 // 10]
        print(f"Games of two until a rating is sure, the others {said}: median {median(games):g}, 9 in 10 by {most}")
