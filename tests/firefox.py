"""Find a Firefox that works: a stock one, which WebDriver BiDi drives. As a script: print its path, or why it was
not found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache

NAMES = ("firefox-esr", "firefox")
CHANNEL = "moz-firefox"  # Playwright's name for a Firefox that it did not build
ABSENT = "no Firefox was found (install firefox-esr, or set PARLOUR_FIREFOX to its path)"


@cache
def find() -> str | None:
    """Return the path of a Firefox that starts: $PARLOUR_FIREFOX, else an installed one."""
    chosen = os.environ.get("PARLOUR_FIREFOX")
    paths = [chosen] if chosen else list(filter(None, map(shutil.which, NAMES)))
    return next(filter(_starts, paths), None)


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    if not (found := find()):
        sys.exit(ABSENT)
    print(found)
