"""The sequential test: its ratio where that is known, and its error rates on games that are made up."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from parlour.analysis.sprt import Running, Sprt, elo_of, score_of


def test_strength_and_score_are_each_others_inverse() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    assert elo_of(score_of(-123)) == pytest.approx(-123)
    assert (elo_of(1), elo_of(0)) == (math.inf, -math.inf)


def test_of_single_games_it_is_walds_ratio() -> None:
    """With wins and losses only, the mean is the whole distribution, and the ratio has a closed form."""
    sprt = Sprt(-10, 40)
    first, second = score_of(-10), score_of(40)
    for wins, losses in ((60, 40), (5, 90), (300, 300), (30, 0)):
        wald = wins * math.log(second / first) + losses * math.log((1 - second) / (1 - first))
        assert sprt.ratio(Counter({1.0: wins, 0.0: losses})) == pytest.approx(wald, abs=0.02)


def test_no_other_distribution_with_the_mean_fits_better() -> None:
    """The ratio is that of constrained maxima: found here by searching along what two constraints leave of three."""
    counts = {0.0: 12, 0.5: 20, 1.0: 28}

    def best(mean: float) -> float:
        grid = (k / 20000 for k in range(1, 20000))  # the share of 1; 1/2 and 0 follow from mean and sum
        return max(
            28 * math.log(one) + 20 * math.log(half) + 12 * math.log(1 - one - half)
            for one in grid
            if (half := 2 * (mean - one)) > 0 and one + half < 1
        )

    sprt = Sprt(0, 60)
    expected = best(score_of(60)) - best(score_of(0))
    assert sprt.ratio(Counter(counts)) == pytest.approx(expected, abs=0.02)


def test_swapping_bots_and_hypotheses_turns_the_sign() -> None:
    seen = Counter({0.0: 3, 0.25: 7, 0.5: 20, 0.75: 9, 1.0: 6})
    turned = Counter({1 - value: n for value, n in seen.items()})
    assert Sprt(10, 50).ratio(seen) == pytest.approx(-Sprt(-50, -10).ratio(turned))


def test_scores_of_more_players_are_allowed() -> None:
    assert Sprt().ratio(Counter({1 / 3: 40, 2 / 3: 80})) > 0 > Sprt().ratio(Counter({1 / 3: 80, 2 / 3: 40}))


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.suite("True")
def test_error_rates_are_what_they_should_be(paired: bool) -> None:
    """At either end of the range 5 % of tests give a wrong verdict, within three standard errors of 400 tests."""
    sprt = Sprt(0, 60)
    tests, most = 400, 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5
    for elo, wrong in ((0, "H1"), (60, "H0")):
        verdicts: Counter[str] = Counter()
        blocks = 0
        for seed in range(tests):
            run = _tried(sprt, score_of(elo), paired, random.Random(seed))
            verdicts[run.verdict] += 1
            blocks += run.blocks
        assert set(verdicts) <= {"H0", "H1"}
        assert verdicts[wrong] / tests <= most
        # A test of fixed size with the same errors needs the means to lie 2 x 1.645 standard errors apart.
        fixed = (2 * 1.645) ** 2 * _variance(score_of(elo), paired) / (score_of(60) - 0.5) ** 2
        assert blocks / tests < 0.75 * fixed


def test_what_lies_far_off_is_decided_soon() -> None:
    far = [_tried(Sprt(0, 60), score_of(elo), False, random.Random(1)).blocks for elo in (300, -300)]
    near = [_tried(Sprt(0, 60), score_of(30), False, random.Random(seed)).blocks for seed in range(20)]
    assert max(far) < sum(near) / 20 / 2


def test_the_first_verdict_stays() -> None:
    run = Running(Sprt(0, 100))
    assert not run.add([0.5])
    assert run.add([1.0] * 60)
    assert (run.verdict, run.blocks < 61) == ("H1", True)
    before = run.blocks, run.ratio
    assert run.add([0.0] * 500)
    assert (run.blocks, run.ratio, run.verdict) == (*before, "H1")


def _tried(sprt: Sprt, score: float, paired: bool, rng: random.Random) -> Running:
    run = Running(sprt)
    while not run.add([_block(score, paired, rng)]):
        pass
    return run


def _block(score: float, paired: bool, rng: random.Random) -> float:
    """Two games with this expected score; `paired`: in half the blocks the dice give one game to each."""
    if paired and rng.random() < 0.5:
        return 0.5
    score = 0.5 + 2 * (score - 0.5) if paired else score
    return ((rng.random() < score) + (rng.random() < score)) / 2


def _variance(score: float, paired: bool) -> float:
    if not paired:
        return score * (1 - score) / 2
    skilled = 2 * score - 0.5
    return 0.5 * (skilled * (1 - skilled) / 2 + (skilled - score) ** 2) + 0.5 * (0.5 - score) ** 2
