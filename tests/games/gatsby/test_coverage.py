"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.covered import missed

NOT_THESE = (
    "test_coverage.py",
    "test_scene.py",
    "test_because.py",
    "test_properties.py",
)  # itself, not the rules, left to luck
# Sampled at length; whatever of the rules they run, others run as well.
LUCK = (
    "cannot_tell_apart and (house-6 or house-4-1 or house-4--2) or rows_and_tower_have_the_length"
    " or chance_finds_nothing and exchanges--2"
)


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    assert missed(Path(__file__).parent, tmp_path, besides=NOT_THESE, luck=LUCK) == {}
