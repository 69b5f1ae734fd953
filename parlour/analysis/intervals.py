"""How sure a share found by counting is."""

from __future__ import annotations

SURE = 1.96  # standard errors on either side that hold 95 % of a normal distribution


def interval(share: float, n: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share found in `n` trials (Wilson's, which is right near 0 and 1 too).

    Where a trial may count in part (a win that is shared) it is a little wider than it need be.
    """
    z2 = SURE * SURE / n
    middle = (share + z2 / 2) / (1 + z2)
    half = SURE / (1 + z2) * (share * (1 - share) / n + z2 / (4 * n)) ** 0.5
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))  # rounding may not exclude it
