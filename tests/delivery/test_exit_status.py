"""scripts/test: its exit status is that of the tests and of the checks, whichever end first."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("tests", "checks", "last"), [*product((0, 1), (0, 1), ("tests", "checks"))])
def test_the_exit_status(tmp_path: Path, tests: int, checks: int, last: str) -> None:
    """The script as it is, with stand-ins that only end, one of them 0.3 seconds after the other."""

    def write(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{text}\n")
        path.chmod(0o755)

    write("scripts/install", "")
    write("scripts/check", f"sleep {0.3 * (last == 'checks')}; echo checked; exit {checks}")
    write(".venv/bin/python", f"sleep {0.3 * (last == 'tests')}; echo tested; exit {tests}")
    for program in ("caddy", "nginx", "pgbouncer"):  # so that none is installed
        write(f"bin/{program}", "")
    shutil.copy(ROOT / "scripts/test", tmp_path / "scripts/test")
    env = os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "PARLOUR_CHROMIUM": "none"}
    done = subprocess.run(["scripts/test"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == (tests or checks), done.stderr
    assert done.stdout == "tested\nchecked\n"
