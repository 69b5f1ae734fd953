"""`parlour serve`: the table in the browser."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from parlour.table.web.network import EVERYWHERE, for_others


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 127.0.0.1 keeps the tables to this computer.")
    ] = EVERYWHERE[0],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="PARLOUR_DATABASE",
            help="sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: a file in your data folder]",
        ),
    ] = None,
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL", envvar="PARLOUR_REDIS", help="redis://HOST:PORT/N, for several servers on one PostgreSQL."
        ),
    ] = None,
    base_url: Annotated[
        str, typer.Option(metavar="URL", help="The address that people use, if it is different (behind a proxy).")
    ] = "",
    open_browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the browser.  [default: if there is a screen]")
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0, help="Seconds that bots take for a move at every table.  [default: each table's own]"),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes in which bots think.")] = 1,
) -> None:
    """Open the house: tables in the browser, for this computer and everybody in the same network.

    Games are kept in the database: stop with Ctrl-C and start again when you like.

    Examples: `parlour serve --port 8080`, `parlour serve --host 127.0.0.1 --database sqlite:///games.db`
    """
    from parlour.table.settings import Settings, default_database
    from parlour.table.web.serve import run

    def ready(url: str) -> None:
        print(f"Parlour is open at {url}")
        if host in EVERYWHERE and not base_url and (shared := for_others(url)) != url:
            print(f"Friends in the same network: {shared}")
        print("Stop with Ctrl-C; games are kept.", flush=True)
        if open_browser or (open_browser is None and has_screen()):
            import webbrowser

            webbrowser.open(url)

    settings = Settings(
        host=host,
        port=port,
        database=database or default_database(),
        redis=redis,
        pace=pace,
        base_url=base_url,
        workers=workers,
    )
    with suppress(KeyboardInterrupt):  # the ordinary way to stop
        run(settings, ready)
    print("\nStopped; games are kept.")


def has_screen() -> bool:
    """Return whether somebody would see a browser open: a person at a terminal, with a desktop."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
