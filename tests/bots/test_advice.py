"""Which decisions are as good as each other."""

from __future__ import annotations

import pytest

from parlour.bots import Advice, Choice


@pytest.mark.parametrize(
    ("one", "other", "simulations", "alike"),
    [
        (Choice(0, 0.5), Choice(1, 0.5), 0, True),  # exact
        (Choice(0, 0.5), Choice(1, 0.4999), 0, False),
        (Choice(0, 0.5, 1000), Choice(1, 0.47, 1000), 2000, True),  # errors of 0.016 each: 0.045 are needed
        (Choice(0, 0.5, 1000), Choice(1, 0.45, 1000), 2000, False),
        (Choice(0, 0.5, 100_000), Choice(1, 0.47, 100_000), 200_000, False),
        (Choice(0, 0.5, 1000), Choice(1, None), 1000, False),  # not looked at
        (Choice(0, 1.0, 1), Choice(1, 0.6, 1000), 1001, True),  # one simulation that was won proves nothing
    ],
)
def test_what_cannot_be_told_apart_is_alike(one: Choice, other: Choice, simulations: int, alike: bool) -> None:
    advice = Advice(0, (one, other), simulations)
    assert advice.alike(one, other) == advice.alike(other, one) == alike
    assert advice.alike(one, one) == (one.chance is not None)
