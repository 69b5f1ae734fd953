"""Addresses of databases, as people write them."""

from __future__ import annotations

import re

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from parlour.house.errors import DatabaseUnreachable

ADDRESSES = ("sqlite:///FILE", "postgresql://USER@HOST/NAME")
SQLITE = re.compile(r"sqlite(?:\+\w+)?:///(.+)", re.DOTALL)


def parse_address(address: str) -> URL:
    """Parse the address of a database. Raises DatabaseUnreachable."""
    if found := SQLITE.fullmatch(address):  # a file's name may hold what has a meaning in other addresses
        return URL.create("sqlite", database=found[1])
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # ValueError: a port that is not a number
        shown = re.sub(r"//.*@", "//...@", address)  # a password is not repeated
        raise DatabaseUnreachable(f"{shown!r} isn't a valid database address.", allowed=ADDRESSES) from None
    drivers = {"sqlite": "sqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    if url.get_backend_name() not in drivers:
        raise DatabaseUnreachable(
            f"Parlour doesn't support databases of type {url.get_backend_name()!r}.", allowed=ADDRESSES
        )
    return url.set(drivername=drivers[url.get_backend_name()])
