"""The settings of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from platformdirs import user_data_path

from parlour.bots.offered import Offered


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
    """The settings of a server.

    database  an SQLAlchemy address: sqlite:///FILE or postgresql://USER@HOST/NAME
    redis     redis://HOST:PORT/N, needed only if several processes serve the same PostgreSQL database
    pace      seconds that a bot takes at every table, instead of the table's own setting (0 in tests)
    patience  seconds to answer a secret question, instead of what follows from the pace (short in tests)
    base_url  the address that people use, if it differs from the one of the request (behind a proxy)
    names     more host names of the house, besides its own (see web/hosts.py)
    workers   processes for the bots' computations
    analysis  seconds that the analysis of one finished game may take where its rules are not compiled
    tables    idle tables without open pages that are kept in memory
    connections  the maximum number of connections; fewer if the system has fewer descriptors
    proxies   addresses or networks of proxies that are trusted to say who sent a request (X-Forwarded-For, -Proto)
    limits    whether the requests of one guest and one address are limited (http/rates.py)
    keep      days without activity (at least 1) after which games against bots are deleted; None for never
    engine    what bots and analyses compute with: "" for the compiled rules, "plain" to compile nothing (in tests)
    mail      the mail server for notifications, smtp://USER:PASSWORD@HOST:PORT or smtps://...; "" for no email
    mail_from the sender's address of notifications
    contact   where people can reach the keepers, on /contact and in bans: an email address, or any other text
    grace     seconds in which an open page can show something before a notification is sent
    outside   where browsers' push services and webhooks may be: at `public` addresses with https; or, in tests and for
              a house that trusts all its guests, at `any`
    bots      bots that the house offers besides the known ones (`bots.offered.examined` reads them); programs and
              classes that the keeper trusts
    log       the format of the log of requests on standard error, "" for no log

    Three tables list the limits: connections and requests in http/door.py, open pages in http/places.py, requests in
    http/rates.py. `limits=False` removes those of a guest and of an address; the total limits, and those of a request's
    time and size, always apply.
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
    bots: tuple[Offered, ...] = ()
