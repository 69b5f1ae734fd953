"""Intervals by block: against closed forms, and how often they hold what they should."""

from __future__ import annotations

import random

import pytest

from parlour.analysis.intervals import SURE, block_interval, interval, student


def test_blocks_of_one_game_are_wilsons_interval() -> None:
    """Then nothing hangs together. The variance is estimated with n - 1, the quantile is Student's."""
    for wins, n in ((120, 200), (3, 40), (197, 200)):
        share, low, high = block_interval([1.0] * wins + [0.0] * (n - wins))
        assert share == wins / n
        assert (low, high) == pytest.approx(interval(share, n - 1, student(n - 1)))
        assert (low, high) == pytest.approx(interval(share, n), abs=0.3 / n)


@pytest.mark.parametrize("size", [2, 4])
def test_games_that_are_all_alike_count_once_and_games_that_cancel_do_not_count_against_it(size: int) -> None:
    """A block of `size` equal games is one game; one where luck cancels has no spread but that of skill."""
    rng = random.Random(5)
    outcomes = [float(rng.random() < 0.6) for _ in range(300)]
    alike = block_interval([one * size for one in outcomes], [float(size)] * 300)
    assert alike == pytest.approx(block_interval(outcomes))
    cancelled = [0.5 + 0.25 * (one - 0.5) for one in outcomes]
    share, low, high = block_interval(cancelled)
    _, wide, wider = block_interval(outcomes)
    assert high - low == pytest.approx((wider - wide) / 4, rel=0.03)
    assert share == pytest.approx(0.5 + 0.25 * (sum(outcomes) / 300 - 0.5))


def test_half_the_width_is_the_standard_error_of_the_block_means() -> None:
    parts = [0.5] * 50 + [0.0] * 25 + [1.0] * 25
    _, low, high = block_interval(parts)
    error = (sum((one - 0.5) ** 2 for one in parts) / 99 / 100) ** 0.5
    assert (high - low) / 2 == pytest.approx(student(99) * error, rel=0.02)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Pairs of games; in some of them luck gives one to each. From 93 % on for few blocks and many."""
    for blocks, luck, skill in ((8, 0.0, 0.6), (8, 0.5, 0.8), (40, 0.8, 0.6), (40, 0.0, 0.95), (200, 0.5, 0.5)):
        truth = 0.5 * luck + (1 - luck) * skill
        held = 0
        for seed in range(400):
            rng = random.Random(seed)
            parts = [
                0.5 if rng.random() < luck else ((rng.random() < skill) + (rng.random() < skill)) / 2
                for _ in range(blocks)
            ]
            _, low, high = block_interval(parts)
            held += low <= truth <= high
        assert held / 400 >= 0.93, (blocks, luck, skill)
        if blocks == 200:
            assert held / 400 <= 0.98, "not wider than need be"


def test_a_ratio_counts_only_the_games_that_one_of_the_two_won() -> None:
    parts, wholes = [1.0, 0.0, 2.0, 0.0], [1.0, 0.0, 2.0, 1.0]
    share, low, high = block_interval(parts, wholes)
    assert share == 3 / 4
    assert low < share < high
    assert block_interval([0.0, 0.0], [0.0, 0.0]) == (0.5, 0.0, 1.0)


def test_what_is_not_known_is_not_said() -> None:
    assert block_interval([1.0]) == (1.0, 0.0, 1.0)
    share, low, high = block_interval([1.0] * 10)
    assert (share, high) == (1.0, 1.0)
    assert low == pytest.approx(10 / (10 + student(9) ** 2))
    assert block_interval([0.5] * 10) == (0.5, *interval(0.5, 10, student(9)))


def test_students_quantile() -> None:
    """The values of the tables."""
    known = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}
    for freedom, value in known.items():
        assert student(freedom) == pytest.approx(value, rel=0.01)
    assert student(10**6) == pytest.approx(SURE, abs=1e-4)
