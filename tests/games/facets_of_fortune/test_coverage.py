"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NOT_THESE = ("test_coverage.py", "test_scene.py", "test_properties.py", "test_policy.py")  # itself, or left to luck
RULES = HERE.parents[2] / "parlour" / "games" / "facets_of_fortune" / "rules"


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    data, report = tmp_path / "coverage", tmp_path / "report.json"
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    coverage = [sys.executable, "-m", "coverage"]
    files = [str(file) for file in sorted(HERE.glob("test_*.py")) if file.name not in NOT_THESE]
    rules = [file.relative_to(HERE.parents[2]).as_posix() for file in sorted(RULES.glob("*.py"))]
    include = "--include=" + ",".join(f"*/{name}" for name in rules)
    run = [*coverage, "run", "--branch", include, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run([*run, *files], env=environment, capture_output=True, text=True, cwd=HERE.parents[2])
    assert ran.returncode == 0, ran.stdout
    subprocess.run(
        [*coverage, "json", "-o", str(report)], env=environment, check=True, capture_output=True, cwd=HERE.parents[2]
    )
    found = json.loads(report.read_text())["files"]
    for name in rules:
        assert found[name]["missing_lines"] == [], name
        assert found[name]["missing_branches"] == [], name
