"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# itself, not the rules, left to luck, of the rules' readers
NOT_THESE = (
    "test_coverage.py", "test_scene.py", "test_properties.py",
    "test_solve.py", "test_first_rolls.py", "test_duel.py", "test_positions.py",
)  # fmt: skip


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    data, report = tmp_path / "coverage", tmp_path / "report.json"
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    coverage = [sys.executable, "-m", "coverage"]
    files = [str(file) for file in sorted(HERE.glob("test_*.py")) if file.name not in NOT_THESE]
    rules = "parlour/games/fortune/rules"
    run = [*coverage, "run", "--branch", f"--include=*/{rules}/*", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run([*run, *files], env=environment, capture_output=True, text=True, cwd=HERE.parents[2])
    assert ran.returncode == 0, ran.stdout
    subprocess.run(
        [*coverage, "json", "-o", str(report)], env=environment, check=True, capture_output=True, cwd=HERE.parents[2]
    )
    found = json.loads(report.read_text())["files"]
    assert set(found) == {f"{rules}/{file.name}" for file in (HERE.parents[2] / rules).glob("*.py")}
    missed = {name: (file["missing_lines"], file["missing_branches"]) for name, file in found.items()}
    assert missed == dict.fromkeys(found, ([], []))
