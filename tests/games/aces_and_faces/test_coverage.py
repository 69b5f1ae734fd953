"""The tests of this folder run every line and every branch of the rules, in plain mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
NOT_THESE = ("test_coverage.py", "test_scene.py", "test_text.py", "test_policy.py")  # itself, and not the rules


@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    data, report = tmp_path / "coverage", tmp_path / "report.json"
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    coverage = [sys.executable, "-m", "coverage"]
    files = [str(file) for file in sorted(HERE.glob("test_*.py")) if file.name not in NOT_THESE]
    folder = "parlour/games/aces_and_faces/rules"
    modules = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / folder).glob("*.py"))
    assert f"{folder}/turns.py" in modules
    included = ",".join(f"*/{module}" for module in modules)
    run = [*coverage, "run", "--branch", f"--include={included}", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run([*run, *files], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
    subprocess.run([*coverage, "json", "-o", str(report)], env=environment, check=True, capture_output=True, cwd=ROOT)
    files_found = json.loads(report.read_text())["files"]
    for module in modules:
        assert (module, files_found[module]["missing_lines"]) == (module, [])
        assert (module, files_found[module]["missing_branches"]) == (module, [])
