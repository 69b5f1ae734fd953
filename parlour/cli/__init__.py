"""The command line. `parlour` in a shell starts `main`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line on `sys.argv` and exit with its status."""
    try:
        from parlour.cli.app import run
    except ModuleNotFoundError as error:
        from parlour.cli import door, extras

        if not (said := extras.missing(error)):
            raise
        door.complain(said)
        sys.exit(1)
    sys.exit(run(sys.argv[1:]))
