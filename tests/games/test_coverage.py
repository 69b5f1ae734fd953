"""The tests of each game's folder run every line and every branch of its rules, in plain mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

# What others run as well: files of these names, in these folders, and tests with these words, most of them sampled at
# length.
BESIDES = {
    "aces_and_faces": "because policy scene text",
    "facets_of_fortune": "because book policy properties scene text",
    "family_trade": "because book scene text worlds",
    "fortune": "advise_and_analysis because duel events first_rolls positions properties scene solve",
    "gatsby": "because book policy properties scene text",
}
LUCK = (
    "reaches_him or beats or right_odds or compiled or equally_likely or few_random_numbers"
    " or by_its_number_of_ways or may_ask_covers or enumerated_odds or keeps_what_the_seat_knows"
)


@pytest.mark.whole  # the suite has run these tests already
@pytest.mark.slow
def test_every_line_and_branch_of_the_rules_is_run(tmp_path: Path) -> None:
    """All in one process, since to begin takes longer than most of its tests."""
    tests, rules = [], []
    for game, besides in BESIDES.items():
        left = {f"test_{name}.py" for name in besides.split()}
        found = sorted((HERE / game).glob("test_*.py"))
        assert left < {file.name for file in found}
        tests += [str(file) for file in found if file.name not in left]
        rules += [path.relative_to(ROOT).as_posix() for path in (ROOT / "parlour/games" / game / "rules").glob("*.py")]
    assert set(BESIDES) == {file.parent.name for file in HERE.glob("*/test_*.py")}
    environment = {**os.environ, "COVERAGE_FILE": str(tmp_path / "coverage")}
    coverage = [sys.executable, "-m", "coverage"]
    run = [*coverage, "run", "--branch", "--include=" + ",".join(f"*/{file}" for file in rules), "-m", "pytest", "-q"]
    chosen = ["-p", "no:cacheprovider", "-k", f"not ({LUCK})"]
    ran = subprocess.run([*run, *chosen, *tests], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
    report = tmp_path / "report.json"
    subprocess.run([*coverage, "json", "-o", str(report)], env=environment, check=True, capture_output=True, cwd=ROOT)
    found = json.loads(report.read_text())["files"]
    assert sorted(found) == sorted(rules)
    missing = {file: (one["missing_lines"], one["missing_branches"]) for file, one in found.items()}
    assert {file: lines for file, lines in missing.items() if any(lines)} == {}
