"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDER = "parlour/games/family_trade"
RULES = [f"{FOLDER}/rules/{file.name}" for file in sorted((HERE.parents[2] / FOLDER / "rules").glob("*.py"))]
NOT_THESE = ("test_coverage.py", "test_scene.py")  # itself, not the rules


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    data, report = tmp_path / "coverage", tmp_path / "report.json"
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    coverage = [sys.executable, "-m", "coverage"]
    files = [str(file) for file in sorted(HERE.glob("test_*.py")) if file.name not in NOT_THESE]
    included = ",".join(f"*/{file}" for file in RULES)
    run = [*coverage, "run", "--branch", f"--include={included}", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    # What is left to luck takes long under measurement, and is not needed.
    run += ["-k", "not reaches_him and not beats and not right_odds"]
    ran = subprocess.run([*run, *files], env=environment, capture_output=True, text=True, cwd=HERE.parents[2])
    assert ran.returncode == 0, ran.stdout
    subprocess.run(
        [*coverage, "json", "-o", str(report)], env=environment, check=True, capture_output=True, cwd=HERE.parents[2]
    )
    found = json.loads(report.read_text())["files"]
    assert sorted(found) == sorted(RULES)
    missing = {file: (found[file]["missing_lines"], found[file]["missing_branches"]) for file in RULES}
    assert missing == dict.fromkeys(RULES, ([], []))
