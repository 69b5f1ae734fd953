"""The language of goals: what it reads, and every mistake in one sentence."""

from __future__ import annotations

import pytest

from parlour.analysis import goals, measures
from parlour.analysis.goals import ABOUT, AT_LEAST, AT_MOST
from parlour.analysis.sampling import Setup
from parlour.core.errors import BadSetup
from parlour.core.game import Game

SETUP = Setup.make(Game("sprint", "tests.fixtures.sprint"), bots="random")
KNOWN = list(measures.all_measures(SETUP).values())


@pytest.mark.parametrize(
    ("text", "name", "side", "target", "tolerance"),
    [
        ("first player 50 %", "1st", ABOUT, 0.5, 0.02),
        ("50% 1st", "1st", ABOUT, 0.5, 0.02),
        ("1st to play wins 50 ± 1 %", "1st", ABOUT, 0.5, 0.01),
        ("25 minutes", "minutes", ABOUT, 25, 2.5),
        ("25 ± 5 min minutes", "minutes", ABOUT, 25, 5),
        ("at most 8 % shared wins", "shared-wins", AT_MOST, 0.08, 0.02),
        ("shared-wins at most 8 %", "shared-wins", AT_MOST, 0.08, 0.02),
        ("at least 3 lead-changes", "lead-changes", AT_LEAST, 3, 0.3),
        (">= 3 +- 1 changes of the lead a game", "lead-changes", AT_LEAST, 3, 1),
        ("about 0 margin", "margin", ABOUT, 0, 1),
        ("-2.5 margin", "margin", ABOUT, -2.5, 0.25),
        ("at most 10 % ending level", "ending level", AT_MOST, 0.1, 0.02),
    ],
)
def test_a_term_is_read(text: str, name: str, side: str, target: float, tolerance: float) -> None:
    (term,) = goals.read(text, KNOWN).terms
    assert (term.measure.name, term.side) == (name, side)
    assert (term.target, term.tolerance) == pytest.approx((target, tolerance))
    (again,) = goals.read(term.words, KNOWN).terms
    assert again == term, "what is printed can be read"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "needs at least one term"),
        ("first player", "names no number"),
        ("50 % first plaier", 'names no measure: "first plaier" is unknown. Possible are: 1st'),
        ("first player 50", 'Write its number with "%"'),
        ("25 % minutes", 'Write its number without "%"'),
        ("first player 150 %", "a share is from 0 to 100 %"),
        ("25 ± 0 minutes", "a tolerance must be above 0"),
        ("25 minutes, 30 minutes", "asks the same of one measure twice"),
    ],
)
def test_a_mistake_is_one_sentence(text: str, why: str) -> None:
    with pytest.raises(BadSetup, match=why.replace("(", r"\(").replace("?", r"\?")):
        goals.read(text, KNOWN)


def test_a_loss_is_the_sum_of_squares_in_tolerances() -> None:
    goal = goals.read("first player 50 ± 2 %, at most 8 ± 1 % shared-wins, 25 ± 5 minutes", KNOWN)
    assert goal.loss({"1st": 0.54, "shared-wins": 0.01, "minutes": 20}) == pytest.approx(4 + 0 + 1)
    assert goal.loss({"1st": 0.5, "shared-wins": 0.11, "minutes": 25}) == pytest.approx(9)
    assert goal.loss({"1st": 0.5, "minutes": 25}) == goals.FAR, "games that say nothing of it are not a way out"
    assert goal.names == ["1st", "shared-wins", "minutes"]
