"""The settings of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from platformdirs import user_data_path


def data_dir() -> Path:
    """Return where the person's data are: $PARLOUR_DATA, or the platform's usual place."""
    if chosen := os.environ.get("PARLOUR_DATA"):
        return Path(chosen)
    return user_data_path("parlour", appauthor=False)


def default_database() -> str:
    """Return the address of the SQLite file in the person's data directory."""
    return f"sqlite:///{data_dir() / 'parlour.db'}"


@dataclass(frozen=True)
class Settings:
    """Everything that a server is told.

    database  an SQLAlchemy address: sqlite:///FILE or postgresql://USER@HOST/NAME
    redis     redis://HOST:PORT/N, needed only when several processes serve the same PostgreSQL
    pace      seconds a bot takes at every table, instead of the table's own setting (0 in tests)
    patience  seconds to answer a secret question, instead of what follows from the pace (short in tests)
    base_url  the address that people use, where it is not the one the browser asked for (behind a proxy)
    names     names under which the house may be asked for besides its own (web/hosts.py says which these are)
    workers   processes in which bots think
    analysis  seconds that the analysis of one finished game may take
    tables    tables kept in memory at which nothing happens and nobody looks on
    connections  at once, in all: at most so many, and only as many as the system has descriptors for
    proxies   addresses or networks of proxies that are believed when they say who asked (X-Forwarded-For, -Proto)
    limits    whether there is a limit to what one guest or one address may ask for (web/rates.py)
    keep      days, 1 at least, for which games against bots are kept after anything was done there; None for ever
    engine    what bots and analyses think with: "" for the compiled rules, "plain" to compile nothing (in tests)
    mail      the mail server that notices are sent by, smtp://USER:PASSWORD@HOST:PORT or smtps://...; "" for no mail
    mail_from the address that they are from
    contact   where people who are banned can ask about it: an email address, or whatever you like
    grace     seconds in which whoever has the page open sees a thing there, before they are told elsewhere
    outside   where browsers' push services and webhooks may be: at `public` addresses with https; or, in tests and for
              a house that trusts all its guests, at `any`
    log       how requests are noted on standard error, "" where they are not

    What is limited, and how much of it there may be, is said in three tables: connections and requests in web/door.py,
    open pages in web/places.py, what may be asked for in web/rates.py. `limits=False` lifts those of a guest and of an
    address; those in all, and the time and size of a request, always hold.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = field(default_factory=default_database)
    redis: str | None = None
    pace: float | None = None
    patience: float | None = None
    base_url: str = ""
    names: tuple[str, ...] = ()
    workers: int = 1
    analysis: float = 25.0
    tables: int = 500
    connections: int = 4000
    proxies: tuple[str, ...] = ()
    limits: bool = True
    keep: float | None = None
    engine: Literal["", "plain"] = ""
    mail: str = ""
    mail_from: str = ""
    contact: str = ""
    grace: float = 20.0
    outside: Literal["public", "any"] = "public"
    log: Literal["", "text", "json"] = ""
