"""Find a Chromium that works. As a script: print its path, or the reason why no Chromium works, and exit with 1."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

# The headless shell first: the same engine without the rest of a browser. Each person has a context of their own, and
# to open a page in a new one costs a whole browser 1.8 seconds of processor time, the shell 0.5.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
ABSENT = "no Chromium was found (install chromium, or set PARLOUR_CHROMIUM to its path)"


@cache
def find() -> str | None:
    """Return the path of a Chromium that starts: $PARLOUR_CHROMIUM, an installed one, or Playwright's own."""
    if chosen := os.environ.get("PARLOUR_CHROMIUM"):
        return chosen if _starts(chosen) else None
    for path in [*map(shutil.which, NAMES), MAC]:
        if path and _starts(path):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if _starts(path) else None


def _starts(path: str) -> bool:
    """Some systems install a script called chromium that only says where to get one."""
    if not Path(path).is_file():
        return False
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    if not (found := find()):
        sys.exit(ABSENT)
    print(found)
