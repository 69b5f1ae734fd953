"""The command line. `parlour` in a shell starts `main`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line on `sys.argv` and exit with its status."""
    from parlour.cli.app import run

    sys.exit(run(sys.argv[1:]))
