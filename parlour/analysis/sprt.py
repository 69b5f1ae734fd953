"""A rule for when to stop: the sequential probability ratio test, used for chess engines, on the scores of blocks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

FIVE = (0.0, 0.25, 0.5, 0.75, 1.0)  # the scores that a pair of games can have
LITTLE = 1e-3  # the count of a score that has not occurred yet


def score_of(elo: float) -> float:
    """Return the expected share of the wins of a bot that is `elo` stronger (logistic, 400 for a factor of ten)."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the strength that gives this share of the wins; infinite for 0 and 1."""
    if not 0 < score < 1:
        return math.inf if score > 0 else -math.inf
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True)
class Sprt:
    """H0, "not more than `elo0` stronger", against H1, "at least `elo1`", with error rates `alpha` and `beta`.

    The generalised SPRT of fishtest on blocks instead of games ("pentanomial" if a block is a pair): the scores of
    blocks are independent, with an unknown distribution; the likelihood ratio is that of the two distributions that
    best fit the scores seen and have the mean of H0 or H1. Luck that the games of a block share makes blocks alike,
    which shortens the test. X. Li, J. Liu, Z. Ying, "Generalized sequential
    probability ratio test for separate families of hypotheses", Sequential Analysis 33 (2014), for the test; M. Van
    den Bergh, hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1, for the fit; the bounds are
    Wald's (1945).
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, seen: Counter[float]) -> float:
        """Return the log-likelihood ratio after blocks of these scores (each in 0 to 1): above 0 it speaks for H1."""
        weights = {value: seen[value] or LITTLE for value in (*FIVE, *seen)}
        first, second = (_shift(weights, score_of(elo)) for elo in (self.elo0, self.elo1))
        return math.fsum(n * (math.log(second[value]) - math.log(first[value])) for value, n in weights.items())

    def verdict(self, ratio: float) -> str:
        """ "H0" or "H1" when one is accepted, "" when more games are needed."""
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else ""


@dataclass
class Running:
    """A running test: it receives each block's score in order, and keeps the first verdict."""

    sprt: Sprt
    blocks: int = 0
    ratio: float = 0.0
    verdict: str = ""

    def __post_init__(self) -> None:
        self._seen: Counter[float] = Counter()

    def add(self, scores: Iterable[float]) -> bool:
        """Add more blocks, until there is a verdict. Return whether there is one."""
        for score in scores:
            if self.verdict:
                break
            self._seen[round(score, 9)] += 1
            self.blocks += 1
            self.ratio = self.sprt.ratio(self._seen)
            self.verdict = self.sprt.verdict(self.ratio)
        return bool(self.verdict)


def _shift(weights: dict[float, float], mean: float) -> dict[float, float]:
    """Return the probabilities with this mean that make these scores most likely: w / (1 + x (value - mean)), for
    some x."""
    whole = math.fsum(weights.values())
    shares = [(value - mean, n / whole) for value, n in weights.items()]
    low, high = -1 / max(away for away, _ in shares), -1 / min(away for away, _ in shares)
    x = 0.0 if low < 0 < high else (low + high) / 2
    for _ in range(200):
        slope = value = 0.0
        for away, share in shares:
            part = away / (1 + x * away)
            value += share * part
            slope += share * part * part
        if value > 0:  # falls in x
            low = x
        else:
            high = x
        step = value / slope
        before, x = x, x + step if low < x + step < high else (low + high) / 2
        if abs(x - before) <= 1e-12 * (1 + abs(x)):
            break
    return {value: n / whole / (1 + x * (value - mean)) for value, n in weights.items()}
