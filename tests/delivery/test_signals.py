"""The suite can be started by any shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ASK = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
START = f"import subprocess, sys, tests.conftest; subprocess.run([sys.executable, '-c', {ASK!r}], check=True)"


def test_ctrl_c_reaches_what_tests_start_also_where_the_shell_ignores_it() -> None:
    command = ["sh", "-c", 'trap "" INT; exec "$0" -W error -c "$1"', sys.executable, START]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
