"""Faults that tests inject, counted: `scripts/nightly --faults N` runs those tests N times and prints how many."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

NOTED = "PARLOUR_FAULTS"  # the file that gets a line for each
TESTS = (
    "http/test_serve.py::test_a_full_disk_refuses_the_move_and_loses_nothing", "news/test_redis_away.py",
    "database/test_lost_answers.py", "http/test_health.py::TestServices",
)  # fmt: skip


def note(kind: str) -> None:
    """Note that a fault is injected now."""
    if file := os.environ.get(NOTED):
        with Path(file).open("a") as noted:
            noted.write(f"{kind}\n")


def inject(rounds: int, folder: Path) -> str:
    """Run the tests that inject faults this number of times; return the line of figures. Raises AssertionError if one
    fails."""
    file, here = folder / "faults", Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", *(str(here / one) for one in TESTS)]
    for number in range(rounds):
        done = subprocess.run(
            command, cwd=here.parents[1], env=os.environ | {NOTED: str(file)}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"round {number}: {done.stdout}"
    kinds = Counter(file.read_text().splitlines())
    counted = ", ".join(f"{kind} {times:,}" for kind, times in sorted(kinds.items()))
    return (
        f"{kinds.total():,} faults injected in {rounds:,} rounds ({counted}): what was refused was not done, what was "
        "written was answered when requested again, games continued, /health said what was wrong"
    )
