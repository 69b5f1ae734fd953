"""Confidence intervals of shares found by counting."""

from __future__ import annotations

import math
from collections.abc import Sequence

SURE = 1.96  # standard errors on either side that hold 95 % of a normal distribution


def interval(share: float, n: float, sure: float = SURE) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share found in `n` trials (Wilson's, which is also right near 0 and 1).

    If a trial may count in part (a shared win), it is a little wider than necessary.
    """
    z2 = sure * sure / n
    middle = (share + z2 / 2) / (1 + z2)
    half = sure / (1 + z2) * (share * (1 - share) / n + z2 / (4 * n)) ** 0.5
    return max(0.0, min(share, middle - half)), min(
        1.0, max(share, middle + half)
    )  # rounding must not exclude the share


def block_interval(parts: Sequence[float], wholes: Sequence[float] | None = None) -> tuple[float, float, float]:
    """Return a share found in blocks of dependent games, and its 95 % confidence interval.

    `parts[i]` of `wholes[i]` (1 unless given) were won in block i; the share is sum(parts) / sum(wholes), and the
    unit that varies is the block, so games of one block may be as alike, or as contrary, as they like. Wilson's
    interval, with the number of trials that would vary as the blocks do, and Student's quantile: right near 0 and 1 and
    for few blocks. Blocks that do not vary at all count as one trial each, which is cautious; one block says nothing.
    If nothing was won: (0.5, 0, 1).
    """
    n = len(parts)
    wholes = [1.0] * n if wholes is None else wholes
    whole = math.fsum(wholes)
    if not whole:
        return 0.5, 0.0, 1.0
    share = math.fsum(parts) / whole
    if n < 2:
        return share, 0.0, 1.0
    variance = variance_of_ratio(parts, wholes)
    trials = share * (1 - share) / variance if variance > 1e-12 else n
    return share, *interval(share, trials, student(n - 1))


def variance_of_ratio(parts: Sequence[float], wholes: Sequence[float]) -> float:
    """Return the variance of sum(parts) / sum(wholes), of two or more units that vary (Cochran, Sampling Techniques,
    chapter 6). The wholes must not sum to 0."""
    n, whole = len(parts), math.fsum(wholes)
    share = math.fsum(parts) / whole
    errors = math.fsum((part - share * of) ** 2 for part, of in zip(parts, wholes, strict=True))
    return errors / (n - 1) * n / whole**2


def student(freedom: int) -> float:
    """Return how many standard errors hold 95 % of Student's distribution (to 1 % from 3 degrees of freedom on;
    exact below).

    The expansion is number 26.7.5 of Abramowitz and Stegun, Handbook of Mathematical Functions.
    """
    if freedom < 3:
        return (12.706, 4.303)[freedom - 1]
    z, n = SURE, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
