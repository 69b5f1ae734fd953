"""Proves that a database can do what the house needs: store a text in any script, and return it."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from parlour.house.database.keys import get, put
from parlour.house.errors import StoreFailed

KEY = "proof"  # in the settings
SAMPLE = "Dée Жюль 王 🎲"  # names in scripts that some databases cannot keep


def prove(connection: sa.Connection) -> None:
    """Write a text that was not there before, and read it back. Raises StoreFailed, or whatever the database says."""
    written = f"{SAMPLE} {secrets.token_hex(8)}"  # SQLite writes nothing where nothing is different
    put(connection, KEY, written)
    if get(connection, KEY) != written:
        raise StoreFailed("The database doesn't return what was written to it.")
