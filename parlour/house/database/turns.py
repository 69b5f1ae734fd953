"""The turns that a house's own processes take in PostgreSQL; SQLite has one writer."""

from __future__ import annotations

import sqlalchemy as sa

QUEUED = 15.0  # seconds that a turn is waited for, less than a statement may take (`postgresql.CONNECT_ARGS`)
_TAKE = """
WITH usual AS MATERIALIZED (SELECT current_setting('lock_timeout') AS patience)
SELECT set_config('lock_timeout', :queued, true), {lock}, set_config('lock_timeout', patience, true) FROM usual
"""
_ONE = sa.text(_TAKE.format(lock="pg_advisory_xact_lock(:number)"))
_OF_WORD = sa.text(_TAKE.format(lock="pg_advisory_xact_lock(:number, hashtext(:word))"))


def take(connection: sa.Connection, number: int, word: str = "") -> None:
    """Wait for the turn of this number, or of this number and word, and keep it until the transaction ends.

    Only the house's processes take turns, and many may come at once. So a turn may wait longer than any other lock,
    which another program could hold forever (`postgresql.PATIENCE`).
    """
    if connection.dialect.name != "postgresql":
        return
    values = {"number": number, "queued": f"{QUEUED * 1000:.0f}ms"}
    connection.execute(_OF_WORD if word else _ONE, {**values, "word": word} if word else values)
