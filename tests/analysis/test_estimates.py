"""Estimates and their intervals, against simulation and against formulas for known distributions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from parlour.analysis.estimates import Estimate, difference, holm, p_value, ratio, variation, wide


def made(parts: object, wholes: object = None) -> Estimate:
    found = ratio(parts, wholes)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_mean_has_its_textbook_error_and_a_ratio_cochrans() -> None:
    numbers = np.array([1.0, 2, 4, 9])
    assert made(numbers).value == 4
    assert made(numbers).error == pytest.approx(np.std(numbers, ddof=1) / 2)
    wholes = np.array([1.0, 1, 2, 3])
    residuals = numbers - 16 / 7 * wholes
    assert made(numbers, wholes).value == pytest.approx(16 / 7)
    assert made(numbers, wholes).error == pytest.approx(math.sqrt(residuals @ residuals / 3 / 4) / (7 / 4))
    assert ratio(numbers, np.zeros(4)) is None
    assert ratio([]) is None


def test_a_difference_of_pairs_is_that_of_a_paired_test() -> None:
    rng = np.random.default_rng(1)
    before = rng.normal(size=500)
    after = before + rng.normal(0.1, 0.2, 500)
    change = difference(made(before), made(after))
    away = after - before
    assert change.value == pytest.approx(away.mean())
    assert change.error == pytest.approx(away.std(ddof=1) / 500**0.5)
    assert change.error < made(before).error / 2, "which is what pairs are for"
    alone = difference(made(before), made(after[:250]))
    apart = math.hypot(made(before).error, made(after[:250]).error)
    assert alone.value == pytest.approx(after[:250].mean() - before.mean())
    assert alone.error < apart, "those in common are still pairs"


def test_intervals_hold_the_truth_as_often_as_they_say(size: Callable[[int, int], int]) -> None:
    """Means, ratios, shares near 0 and spreads of known distributions, and differences of pairs."""
    rng = np.random.default_rng(2)
    times, held = size(400, 4000), np.zeros(5)
    for _ in range(times):
        x = rng.exponential(2.0, 400)
        w = rng.integers(1, 6, 400).astype(float)
        share = ratio(rng.random(400) < 0.02, share=True)
        spread = variation(x)
        assert share is not None
        assert spread is not None
        pairs = difference(made(x), made(x + rng.normal(0.5, 1, 400)))
        found = [(made(x), 2.0), (made(w * x, w), 2.0), (share, 0.02), (spread, 1.0), (pairs, 0.5)]
        held += [one.interval[0] <= truth <= one.interval[1] for one, truth in found]
    assert (np.abs(held / times - 0.95) < 0.04).all(), held / times


def test_p_values_below_a_twentieth_are_one_in_twenty_without_a_difference() -> None:
    rng = np.random.default_rng(3)
    found = [p_value(difference(made(x), made(x + rng.normal(size=200)))) for x in rng.normal(size=(2000, 200))]
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.015)
    assert p_value(made(np.zeros(5))) == 1
    assert p_value(made(np.ones(5))) == 0


def test_holm_is_the_example_of_the_paper() -> None:
    """Holm 1979: p-values in order are compared with 0.05 / n, 0.05 / (n - 1), ..."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_looking_again_and_again_is_allowed_for(size: Callable[[int, int], int]) -> None:
    """Without a difference, the interval for all looks leaves out 0 at some of a hundred looks less often than once
    in twenty; the usual one does so in more than a fifth of runs."""
    rng = np.random.default_rng(4)
    runs, always, usual = size(300, 3000), 0, 0
    for _ in range(runs):
        numbers = rng.exponential(1.0, 5000) - 1
        looks = [made(numbers[:n]) for n in range(50, 5001, 50)]
        always += any(abs(one.value) > wide(one, 5000) for one in looks)
        usual += any(not one.interval[0] <= 0 <= one.interval[1] for one in looks)
    assert always / runs <= 0.05
    assert usual / runs > 0.2


def test_the_interval_for_all_looks_is_narrowest_where_it_was_planned() -> None:
    rng = np.random.default_rng(5)
    one = made(rng.normal(size=2000))
    widths = {planned: wide(one, planned) for planned in (200, 2000, 20_000)}
    assert widths[2000] == min(widths.values())
    assert 1.2 < widths[2000] / (1.96 * one.error) < 1.6
