"""When to stop: a sequential probability ratio test on the scores of blocks, as chess engines are tested."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

FIVE = (0.0, 0.25, 0.5, 0.75, 1.0)  # what a pair of games can give
LITTLE = 1e-3  # games that a score has which has not been seen yet


def score_of(elo: float) -> float:
    """The expected share of the wins of a bot that is `elo` stronger (logistic, 400 for a factor of ten)."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The strength that gives this share of the wins; infinite for 0 and 1."""
    if not 0 < score < 1:
        return math.inf if score > 0 else -math.inf
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True)
class Sprt:
    """H0, "not more than `elo0` stronger", against H1, "at least `elo1`", with error rates `alpha` and `beta`.

    The generalised SPRT of fishtest on blocks instead of games ("pentanomial" where a block is a pair): the scores of
    blocks are independent and have a distribution that is not known; the likelihood ratio is that of the two
    distributions which fit best what was seen and have the mean that H0 or H1 says. Luck that the games of a block
    share makes blocks alike, and the test is the shorter for it. X. Li, J. Liu, Z. Ying, "Generalized sequential
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
        """The log-likelihood ratio after blocks of these scores (each in 0 to 1): above 0 it speaks for H1."""
        weights = {value: seen[value] or LITTLE for value in (*FIVE, *seen)}
        first, second = (_shift(weights, score_of(elo)) for elo in (self.elo0, self.elo1))
        return math.fsum(n * (math.log(second[value]) - math.log(first[value])) for value, n in weights.items())

    def verdict(self, ratio: float) -> str:
        """ "H0" or "H1" when one is accepted, "" when more games are needed."""
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else ""


@dataclass
class Running:
    """A test under way: told each block's score in order, it keeps the first verdict."""

    sprt: Sprt
    blocks: int = 0
    ratio: float = 0.0
    verdict: str = ""

    def __post_init__(self) -> None:
        self._seen: Counter[float] = Counter()

    def add(self, scores: Iterable[float]) -> bool:
        """Look at more blocks, until there is a verdict; whether there is one."""
        for score in scores:
            if self.verdict:
                break
            self._seen[round(score, 9)] += 1
            self.blocks += 1
            self.ratio = self.sprt.ratio(self._seen)
            self.verdict = self.sprt.verdict(self.ratio)
        return bool(self.verdict)


def _shift(weights: dict[float, float], mean: float) -> dict[float, float]:
    """The probabilities with this mean that make what was seen most likely: w / (1 + x (value - mean)), for some x."""
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
