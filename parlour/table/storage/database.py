"""How a database is opened: SQLite's guarantees, the lock on its file, and migrations."""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from parlour.table.errors import DatabaseUnreachable

HEAD = "0004"  # the newest revision in migrations/versions
BUSY_SECONDS = 10
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_SECONDS * 1000}")


def connect_args(url: URL) -> dict[str, Any]:
    """The arguments for the database driver."""
    if url.get_backend_name() == "sqlite":
        return {"timeout": BUSY_SECONDS}
    return {"timeout": 5, "command_timeout": 20}


def prepare(engine: AsyncEngine) -> None:
    """Make SQLite durable and strict on each connection; PostgreSQL is so by itself."""
    if engine.dialect.name != "sqlite":
        return

    @sa.event.listens_for(engine.sync_engine, "connect")
    def configure(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say, below
        try:
            cursor = connection.cursor()
            for pragma in PRAGMAS:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except BaseException:
            connection.close()  # the pool does not know of it yet
            raise

    @sa.event.listens_for(engine.sync_engine, "begin")
    def begin(connection: sa.Connection) -> None:
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            # A transaction that reads first and writes later could otherwise fail as it turns into a writer.
            connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def lock_file(url: URL) -> Iterator[None]:
    """Lock an SQLite file for this process: two servers on one file would not see each other's
    moves. The system releases the lock when the process ends, however it ends.

    Raises DatabaseUnreachable.
    """
    if not url.database or url.database == ":memory:":
        raise DatabaseUnreachable("The SQLite database must be a file: sqlite:///FILE.")
    path = Path(url.database)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Of the file, whatever links lead to it; `Path.resolve` fails at links in a circle, which SQLite refuses in words.
    lock = FileLock(f"{os.path.realpath(path)}.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise DatabaseUnreachable(
            f"Another Parlour is serving {path}. Stop it first, or choose another file; several processes "
            "can share a PostgreSQL database."
        ) from None
    try:
        sqlite3.connect(path).close()  # what cannot be opened fails here, not in the driver's thread, with a traceback
        yield
    finally:
        lock.release()


def migrate(connection: sa.Connection) -> None:
    """Bring the tables to HEAD. Alembic is loaded only when there is something to do."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7275466)")  # one process at a time
    if _revision(connection) == HEAD:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Alembic's own, of its configuration file
            command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseUnreachable(
            f"The database was written by a newer Parlour; this one cannot read it ({error})."
        ) from None


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found
