"""`parlour serve`: the table in the browser."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import Annotated, Literal

import typer

from parlour.cli import output
from parlour.house.http.network import EVERYWHERE, for_others


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; with 127.0.0.1, only this computer can connect.")
    ] = EVERYWHERE[0],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 picks a free one.")] = 8000,
    database: output.Database = None,
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="PARLOUR_REDIS",
            help="redis://HOST:PORT/N, for several server processes on one PostgreSQL database.",
        ),
    ] = None,
    base_url: Annotated[
        str,
        typer.Option(metavar="URL", help="The address that people use, if it differs from this one (behind a proxy)."),
    ] = "",
    names: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            envvar="PARLOUR_NAMES",
            help="More host names for this house. IP addresses, names without a dot, NAME.local and the name in "
            "--base-url always work.",
        ),
    ] = "",
    proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS,...",
            envvar="PARLOUR_PROXY",
            help="Proxies in front of the house, trusted to say who sent a request (X-Forwarded-For, -Proto).",
        ),
    ] = "",
    open_browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the browser.  [default: if there is a screen]")
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(
            min=0, help="Seconds that bots take for each move at every table.  [default: each table's own setting]"
        ),
    ] = None,
    limits: Annotated[
        bool,
        typer.Option(
            "--limits/--no-limits",
            envvar="PARLOUR_LIMITS",
            help="Limit how much one guest and one address can request. Most homes never notice; a hall of players "
            "may.",
        ),
    ] = True,
    connections: Annotated[
        int,
        typer.Option(
            min=32,
            envvar="PARLOUR_CONNECTIONS",
            help="Maximum number of connections; three quarters of them can be open pages.",
        ),
    ] = 4000,
    workers: Annotated[int, typer.Option(min=1, help="Processes for the bots' computations.")] = 1,
    mail: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="PARLOUR_MAIL",
            help="Mail server for notifications: smtp://USER:PASSWORD@HOST:PORT, or smtps://. Needs --mail-from and "
            "--base-url.  [default: no email]",
        ),
    ] = "",
    mail_from: Annotated[
        str, typer.Option(metavar="ADDRESS", envvar="PARLOUR_MAIL_FROM", help="The sender's address of notifications.")
    ] = "",
    contact: Annotated[
        str,
        typer.Option(
            metavar="WORDS", envvar="PARLOUR_CONTACT", help="Where banned people can appeal: an email address."
        ),
    ] = "",
    outside: Annotated[
        Literal["public", "any"],
        typer.Option(
            envvar="PARLOUR_OUTSIDE",
            help="Where guests' webhooks and push services can be: public addresses with https, or any. With any, "
            "guests can make this machine send requests into your own network.",
        ),
    ] = "public",
    log: Annotated[
        Literal["text", "json"] | None,
        typer.Option(envvar="PARLOUR_LOG", help="Log each request as a line on standard error.  [default: no log]"),
    ] = None,
    keep: Annotated[
        float | None,
        typer.Option(
            min=1,
            metavar="DAYS",
            envvar="PARLOUR_KEEP",
            help="Delete games against bots after this many days without activity; games between people stay.  "
            "[default: keep all]",
        ),
    ] = None,
) -> None:
    """Open the house: tables in the browser, for this computer and everyone in the same network.

    Games are kept in the database: stop with Ctrl-C and start again when you like.

    Examples: `parlour serve --port 8080`, `parlour serve --host 127.0.0.1 --database sqlite:///games.db`
    """
    gc.disable()  # nearly everything that is loaded stays; it is enabled after loading
    from parlour.house.serve import run
    from parlour.house.settings import Settings, default_database

    def ready(url: str) -> None:
        print(f"Parlour is open at {url}")
        if host in EVERYWHERE and not base_url and (shared := for_others(url)) != url:
            print(f"For friends on the same network: {shared}")
        print("Press Ctrl-C to stop. Games are saved.", flush=True)
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
        names=tuple(filter(None, (name.strip() for name in names.split(",")))),
        proxies=tuple(filter(None, proxy.split(","))),
        connections=connections,
        workers=workers,
        log=log or "",
        limits=limits,
        keep=keep,
        mail=mail,
        mail_from=mail_from,
        contact=contact,
        outside=outside,
    )
    with suppress(KeyboardInterrupt):  # the ordinary way to stop
        run(settings, ready)
    print("\nStopped. Games are saved.")


def has_screen() -> bool:
    """Return whether a browser would be seen: by a person at a terminal, with a desktop."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
