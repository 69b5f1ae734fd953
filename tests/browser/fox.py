"""Start a stock Firefox for Playwright."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from tests import bidi, firefox


@contextmanager
def launched(playwright: Playwright, path: str) -> Iterator[Browser]:
    """Yield the Firefox at `path`, started through tests/bidi.py, which Playwright takes for it."""
    with tempfile.TemporaryDirectory() as folder:
        through = Path(folder) / "firefox"
        through.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(bidi.__file__)} "$@"\n')
        through.chmod(0o755)
        browser = playwright.firefox.launch(
            executable_path=through, channel=firefox.CHANNEL, timeout=120_000, env={**os.environ, bidi.FOUND: path}
        )
        yield browser
        browser.close()
