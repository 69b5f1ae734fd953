"""Measures in words: a number with half of its interval, in its unit."""

from __future__ import annotations

import math
from typing import NamedTuple

from parlour.analysis.estimates import Estimate
from parlour.analysis.measures import Measure

NONE = "–"
MOST_DIGITS = 6


class Found(NamedTuple):
    """A measure of a setup, with its 95 % confidence interval."""

    value: float
    low: float
    high: float


def of(estimate: Estimate | None) -> Found | None:
    """Return the numbers of an estimate."""
    return None if estimate is None else Found(estimate.value, *estimate.interval)


def said(measure: Measure, found: Found | None, *, signed: bool = False) -> str:
    """Return a number with half of its interval, and no more digits than that leaves it; "–" for none."""
    if found is None:
        return NONE
    factor, unit = (100, " %") if measure.share else (1, f" {measure.unit}" if measure.unit else "")
    value, half = factor * found.value, factor * (found.high - found.low) / 2
    sign = "+" if signed else ""
    if not half:
        return f"{value:{sign},.{MOST_DIGITS}g}{unit}".replace("-", "−")
    digits = 0 if not math.isfinite(half) else min(MOST_DIGITS, max(0, 1 - math.floor(math.log10(half))))
    return f"{value:{sign},.{digits}f} ± {half:,.{digits}f}{unit}".replace("-", "−")


def said_p(value: float) -> str:
    """Return a p-value in words: "0.03", "< 0.001"."""
    return "< 0.001" if value < 0.001 else f"{value:.2g}" if value < 0.995 else "1"
