"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.covered import missed

NOT_THESE = ("test_coverage.py", "test_scene.py", "test_because.py")  # itself, not the rules
# Sampled at length; whatever of the rules they run, others run as well.
LUCK = (
    "reaches_him or beats or right_odds or compiled or equally_likely or few_random_numbers"
    " or by_its_number_of_ways or may_ask_covers"
)


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    assert missed(Path(__file__).parent, tmp_path, besides=NOT_THESE, luck=LUCK) == {}
