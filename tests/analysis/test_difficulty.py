"""Ratings of puzzles: they find what made the answers, and puzzles of all ratings are kept."""

from __future__ import annotations

from random import Random

import pytest

from parlour.analysis import difficulty
from parlour.core.puzzle import MIDDLE

STRENGTHS = {"strong": 1900.0, "usual": 1500.0, "weak": 1200.0}


def answers(rating: float, asked: int, luck: Random) -> dict[str, tuple[int, int]]:
    """Return answers of bots of these strengths to a puzzle of this rating, as the model has them."""
    chance = {name: 1 / (1 + 10 ** ((rating - strength) / 400)) for name, strength in STRENGTHS.items()}
    return {name: (sum(luck.random() < share for _ in range(asked)), asked) for name, share in chance.items()}


def test_ratings_find_what_made_the_answers() -> None:
    luck = Random(1)
    truth = [1200.0 + 6 * number for number in range(100)]
    found, strengths = difficulty.ratings([answers(rating, 40, luck) for rating in truth])
    middle = sum(truth) / len(truth)
    assert sum(found) / len(found) == pytest.approx(MIDDLE, abs=0.1)
    apart = [one - MIDDLE - (rating - middle) for one, rating in zip(found, truth, strict=True)]
    assert (sum(one**2 for one in apart) / len(apart)) ** 0.5 < 90  # 120 answers each: their own error is 60 to 70
    assert strengths["strong"] - strengths["weak"] == pytest.approx(700, abs=80)
    assert strengths["usual"] - strengths["weak"] == pytest.approx(300, abs=60)


def test_what_everybody_or_nobody_finds_has_a_finite_rating() -> None:
    known = {"a": (4, 8), "b": (2, 8)}
    (middle, easy, hard), _ = difficulty.ratings([known, {"a": (8, 8), "b": (8, 8)}, {"a": (0, 8), "b": (0, 8)}])
    assert easy < middle < hard
    assert hard - easy < 2_000
    assert difficulty.ratings([]) == ([], {})


def test_a_bot_that_was_not_asked_says_nothing() -> None:
    one, other = {"a": (4, 8)}, {"a": (4, 8), "b": (0, 0)}
    (first, second), _ = difficulty.ratings([one, other])
    assert first == pytest.approx(second)


def test_puzzles_of_all_ratings_are_kept() -> None:
    rated = [1500.0 + place % 7 for place in range(90)] + [1200.0, 1320.0, 1410.0, 1790.0, 2001.0]
    kept = difficulty.spread(rated, 20)
    assert len(kept) == 20
    assert {90, 91, 92, 93, 94} <= {*kept}
    assert [rated[place] for place in kept] == sorted(rated[place] for place in kept)
    assert difficulty.spread(rated, 500) == sorted(range(95), key=lambda place: rated[place])
