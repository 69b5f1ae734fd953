"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.covered import missed

# itself, not the rules, left to luck, of the rules' readers, of the rules' events
NOT_THESE = (
    "test_coverage.py", "test_scene.py", "test_because.py", "test_properties.py",
    "test_solve.py", "test_first_rolls.py", "test_duel.py", "test_positions.py",
    "test_events.py",
)  # fmt: skip


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    assert missed(Path(__file__).parent, tmp_path, besides=NOT_THESE) == {}
