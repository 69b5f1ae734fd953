"""The worked example of docs/learn.md learns: half a minute of it, where PyTorch and sb3-contrib are installed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_example_has_at_most_150_lines() -> None:
    assert len((ROOT / "examples" / "learn.py").read_text("utf-8").splitlines()) <= 150


@pytest.mark.whole
def test_half_a_minute_of_learning_wins_games_that_none_did_before() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    command = [sys.executable, str(ROOT / "examples" / "learn.py"), "--minutes", "0.5"]
    done = subprocess.run(command, cwd=ROOT, env=None, capture_output=True, text=True, check=False, timeout=580)
    assert done.returncode == 0, done.stderr
    first, *_, last = [float(share) for share in re.findall(r"wins ([\d.]+)%", done.stdout)]
    assert first < 3
    assert last > 3 + first
