"""What compiled play draws has the frequencies that `chance_outcomes` states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.engine import compile
from parlour.games import find

FORTUNE = find("fortune")
R: Any = FORTUNE.rules
DRAWS = 400_000


def start() -> Any:
    return FORTUNE.start(3, FORTUNE.edition(), FORTUNE.options())


def rolling(dice: int) -> Any:
    """Return a state with this number of dice in the air."""
    state = start()
    R.apply(state, 1)
    R.apply(state, R.CAPTAIN)
    state.count[R.GOLD] = R.N_DICE - dice
    return state


def seat() -> Any:
    return start()


def card() -> Any:
    state = start()
    R.apply(state, 1)
    for _ in range(3):
        state.unseen[R.STORM] -= 1
        state.turned += 1
    return state


STATES = {"seat": seat(), "card": card(), **{f"{n} dice": rolling(n) for n in range(1, 9)}}


@pytest.mark.parametrize("name", list(STATES))
def test_samples_have_the_stated_probabilities(name: str) -> None:
    state = STATES[name]
    out, weights = [0] * R.MAX_OUTCOMES, [0] * R.MAX_OUTCOMES
    n = R.chance_outcomes(state, out, weights)
    engine = compile(FORTUNE)
    rng, samples = engine.integers(RNG_SIZE), engine.integers(DRAWS)
    seed_rng(rng, 12345, len(name))
    engine.drivers.sample_many(engine.states(state, 1), rng, samples)
    found, counts = np.unique(samples, return_counts=True)
    assert set(found.tolist()) <= set(out[:n])
    observed = dict(zip(found.tolist(), counts.tolist(), strict=True))
    mass = sum(weights[:n])
    square, cells, rest, rest_seen = 0.0, 0, 0.0, 0
    for outcome, weight in zip(out[:n], weights[:n], strict=True):
        expected = DRAWS * weight / mass
        if expected < 10:  # rare ones together
            rest += expected
            rest_seen += observed.get(outcome, 0)
        else:
            square += (observed.get(outcome, 0) - expected) ** 2 / expected
            cells += 1
    if rest > 0:
        square += (rest_seen - rest) ** 2 / rest
        cells += 1
    freedom = cells - 1
    # Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal.
    z = ((square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5
    assert abs(z) < 4, f"chi-square {square:.1f} with {freedom} degrees of freedom"
