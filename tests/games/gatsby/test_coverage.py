"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NOT_THESE = ("test_coverage.py", "test_scene.py", "test_properties.py")  # itself, not the rules, left to luck


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    data, report = tmp_path / "coverage", tmp_path / "report.json"
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    coverage = [sys.executable, "-m", "coverage"]
    files = [str(file) for file in sorted(HERE.glob("test_*.py")) if file.name not in NOT_THESE]
    root = HERE.parents[2]
    rules = [str(file.relative_to(root)) for file in sorted(root.glob("parlour/games/gatsby/rules/*.py"))]
    run = [
        *coverage,
        "run",
        "--branch",
        "--include=" + ",".join(f"*/{name}" for name in rules),
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    ran = subprocess.run([*run, *files], env=environment, capture_output=True, text=True, cwd=root)
    assert ran.returncode == 0, ran.stdout
    subprocess.run([*coverage, "json", "-o", str(report)], env=environment, check=True, capture_output=True, cwd=root)
    found = json.loads(report.read_text())["files"]
    assert len(found) == len(rules) > 10
    assert {name: found[name]["missing_lines"] for name in rules if found[name]["missing_lines"]} == {}
    assert {name: found[name]["missing_branches"] for name in rules if found[name]["missing_branches"]} == {}
