"""Migrates a database's tables to those that this Parlour declares."""

from __future__ import annotations

import warnings
from pathlib import Path

import sqlalchemy as sa

from parlour.house.errors import DatabaseUnreachable

SCRIPTS = Path(__file__).parent / "migrations"
HEAD = "0034"  # the newest revision in SCRIPTS / "versions"


def migrate(connection: sa.Connection) -> None:
    """Migrate the tables to HEAD. Alembic is loaded only if there is something to do.

    Raises DatabaseUnreachable if a newer Parlour wrote them.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")  # another process may migrate, which takes its time
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7275466)")  # one process at a time
    if revision(connection) == HEAD:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes["connection"] = connection
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Alembic's own, of its configuration file
            command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseUnreachable(
            f"A newer Parlour wrote this database, and this version can't read it ({error})."
        ) from None


def revision(connection: sa.Connection) -> str | None:
    """Return the revision of the tables, None without any."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found
