"""How far draws are from the chances that they should have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from random import Random


def variation(draws: Sequence[Hashable], chances: Mapping[Hashable, float]) -> float:
    """Return the total variation between the shares of the draws and the chances: 0 the same, 1 nothing in common."""
    shares, n = Counter(draws), len(draws)
    keys = shares.keys() | chances.keys()
    return sum(abs(shares[key] / n - chances.get(key, 0.0)) for key in keys) / 2


def distance(draws: Sequence[Hashable], chances: Mapping[Hashable, float], random: Random, times: int = 20) -> float:
    """Return the same, less the mean distance that luck alone gives to equally many true draws, over `times`."""
    keys, weights = list(chances), list(chances.values())
    luck = [variation(random.choices(keys, weights, k=len(draws)), chances) for _ in range(times)]
    return max(0.0, variation(draws, chances) - sum(luck) / times)
