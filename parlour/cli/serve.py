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

# The options of `parlour serve`, as the command line names them ---------------------------------
Host = Annotated[str, typer.Option(help="Address to listen on; with 127.0.0.1, only this computer can connect.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 picks a free one.")]
Redis = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="PARLOUR_REDIS",
        help="redis://HOST:PORT/N, for several server processes on one PostgreSQL database.",
    ),
]
BaseUrl = Annotated[
    str, typer.Option(metavar="URL", help="The address that people use, if it differs from this one (behind a proxy).")
]
Names = Annotated[
    str,
    typer.Option(
        metavar="NAME,...",
        envvar="PARLOUR_NAMES",
        help="More host names for this house. IP addresses, names without a dot, NAME.local and the name in "
        "--base-url always work.",
    ),
]
Proxies = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS,...",
        envvar="PARLOUR_PROXY",
        help="Proxies in front of the house, trusted to say who sent a request (X-Forwarded-For, -Proto).",
    ),
]
OpenBrowser = Annotated[
    bool | None, typer.Option("--open/--no-open", help="Open the browser.  [default: if there is a screen]")
]
Pace = Annotated[
    float | None,
    typer.Option(
        min=0, help="Seconds that bots take for each move at every table.  [default: each table's own setting]"
    ),
]
Limits = Annotated[
    bool,
    typer.Option(
        "--limits/--no-limits",
        envvar="PARLOUR_LIMITS",
        help="Limit how much one guest and one address can request. Most homes never notice; a hall of players may.",
    ),
]
Connections = Annotated[
    int,
    typer.Option(
        min=32,
        envvar="PARLOUR_CONNECTIONS",
        help="Maximum number of connections; three quarters of them can be open pages.",
    ),
]
Workers = Annotated[int, typer.Option(min=1, help="Processes for the bots' computations.")]
Mail = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="PARLOUR_MAIL",
        help="Mail server for notifications: smtp://USER:PASSWORD@HOST:PORT, or smtps://. Needs --mail-from and "
        "--base-url.  [default: no email]",
    ),
]
MailFrom = Annotated[
    str, typer.Option(metavar="ADDRESS", envvar="PARLOUR_MAIL_FROM", help="The sender's address of notifications.")
]
Contact = Annotated[
    str,
    typer.Option(metavar="WORDS", envvar="PARLOUR_CONTACT", help="Where people can reach you: an email address."),
]
Outside = Annotated[
    Literal["public", "any"],
    typer.Option(
        envvar="PARLOUR_OUTSIDE",
        help="Where guests' webhooks and push services can be: public addresses with https, or any. With any, "
        "guests can make this machine send requests into your own network.",
    ),
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="NAME=BOT",
        help="Offer a bot of your own, `module:Class` or `program:COMMAND`, under this name at tables of the games "
        "that it plays; can be given several times. It has your rights.  [env var: PARLOUR_BOTS, with ; between bots]",
    ),
]
Log = Annotated[
    Literal["text", "json"] | None,
    typer.Option(envvar="PARLOUR_LOG", help="Log each request as a line on standard error.  [default: no log]"),
]
Keep = Annotated[
    float | None,
    typer.Option(
        min=1,
        metavar="DAYS",
        envvar="PARLOUR_KEEP",
        help="Delete games against bots after this many days without activity; games between people stay.  "
        "[default: keep all]",
    ),
]


def serve(
    host: Host = EVERYWHERE[0],
    port: Port = 8000,
    database: output.Database = None,
    redis: Redis = None,
    base_url: BaseUrl = "",
    names: Names = "",
    proxy: Proxies = "",
    open_browser: OpenBrowser = None,
    pace: Pace = None,
    limits: Limits = True,
    connections: Connections = 4000,
    workers: Workers = 1,
    mail: Mail = "",
    mail_from: MailFrom = "",
    contact: Contact = "",
    outside: Outside = "public",
    log: Log = None,
    keep: Keep = None,
    bot: Bots = None,
) -> None:
    """Open the house: tables in the browser, for this computer and everyone in the same network.

    Games are kept in the database: stop with Ctrl-C and start again when you like.

    Examples: `parlour serve --port 8080`, `parlour serve --host 127.0.0.1 --database sqlite:///games.db`
    """
    gc.disable()  # nearly everything that is loaded stays; it is enabled after loading
    from parlour.bots.offered import examined
    from parlour.house.serve import run
    from parlour.house.settings import Settings, default_database

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
        bots=examined(bot or _from_environment()),
        limits=limits,
        keep=keep,
        mail=mail,
        mail_from=mail_from,
        contact=contact,
        outside=outside,
    )
    shared = host in EVERYWHERE and not base_url
    with suppress(KeyboardInterrupt):  # the ordinary way to stop
        run(settings, lambda url: _announce(url, shared, has_screen() if open_browser is None else open_browser))
    print("\nStopped. Games are saved.")


def _from_environment() -> list[str]:
    """Return the bots in PARLOUR_BOTS, between semicolons; Click would use spaces, which commands have."""
    return [one for one in os.environ.get("PARLOUR_BOTS", "").split(";") if one.strip()]


def _announce(url: str, shared: bool, show: bool) -> None:
    """Print where the house is open, for other computers too if it is `shared`. `show` it in the browser."""
    print(f"Parlour is open at {url}")
    if shared and (others := for_others(url)) != url:
        print(f"For friends on the same network: {others}")
    print("Press Ctrl-C to stop. Games are saved.", flush=True)
    if show:
        import webbrowser

        webbrowser.open(url)


def has_screen() -> bool:
    """Return whether a browser would be seen: by a person at a terminal, with a desktop."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
