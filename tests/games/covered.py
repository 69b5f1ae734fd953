"""What the tests of a game's folder run of its rules, in plain mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).parents[2]


def missed(here: Path, folder: Path, *, besides: Collection[str], luck: str = "") -> dict[str, tuple[object, object]]:
    """Return the lines and branches of the rules that are never run, by file; empty when all are.

    `here`: the folder of tests; `besides`: files of it that are not run; `luck`: the tests (for `pytest -k`) that are
    left out as well, since they sample at length what others run through once.
    """
    data = folder / "coverage"
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    coverage = [sys.executable, "-m", "coverage"]
    files = [str(file) for file in sorted(here.glob("test_*.py")) if file.name not in besides]
    rules = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "parlour/games" / here.name / "rules").glob("*.py"))
    ]
    included = ",".join(f"*/{file}" for file in rules)
    # Schemathesis brings a plugin, which takes longer to import than some folders of tests to run.
    plain = ["-p", "no:cacheprovider", "-p", "no:schemathesis"]
    run = [*coverage, "run", "--branch", f"--include={included}", "-m", "pytest", "-q", *plain]
    chosen = ["-k", f"not ({luck})"] if luck else []
    ran = subprocess.run([*run, *chosen, *files], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
    report = folder / "report.json"
    subprocess.run([*coverage, "json", "-o", str(report)], env=environment, check=True, capture_output=True, cwd=ROOT)
    found = json.loads(report.read_text())["files"]
    assert rules
    assert sorted(found) == rules
    told = {file: (one["missing_lines"], one["missing_branches"]) for file, one in found.items()}
    return {file: lines for file, lines in told.items() if any(lines)}
