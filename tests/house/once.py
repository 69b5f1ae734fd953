"""What all houses of a process need and none changes, made once: to make it takes longer than most tests."""

from __future__ import annotations

import copy
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from litestar import Litestar
from sqlalchemy.ext.asyncio import AsyncEngine

from parlour.house import app as application
from parlour.house.database import postgresql
from parlour.house.database.files import SECRET
from parlour.house.database.migrating import migrate
from parlour.house.settings import Settings

PREFIX = "sqlite:///"


def share() -> None:
    """Let all houses opened from now on share what they may."""
    sa.create_engine = _sharing_statements()
    postgresql.create_async_engine = _sharing_statements_of_postgresql()  # type: ignore[attr-defined]
    application.App = _sharing_routes()  # type: ignore[misc, assignment]


def _sharing_statements() -> Any:
    """Return `create_engine` for engines that share, if on SQLite, a dialect and compiled statements."""
    real = sa.create_engine
    first = real("sqlite://")
    first.connect().close()  # which completes the dialect

    def create_engine(url: sa.URL | str, **given: Any) -> sa.Engine:
        made = real(url, **given)
        if type(made.dialect) is type(first.dialect):
            made.dialect = made.pool._dialect = first.dialect
            made._compiled_cache = first._compiled_cache
        return made

    return create_engine


def _sharing_statements_of_postgresql() -> Any:
    """Return `create_async_engine` for engines that share the dialect and compiled statements of the first that has
    connected, which completes a dialect: a test may begin with a database that cannot be reached."""
    real, kept = postgresql.create_async_engine, list[sa.Engine]()  # type: ignore[attr-defined]

    def create_async_engine(url: sa.URL, **given: Any) -> AsyncEngine:
        made: AsyncEngine = real(url, **given)
        if not (kept and hasattr(kept[0].dialect, "default_isolation_level")):
            kept[:] = [made.sync_engine]
        made.sync_engine.dialect = made.sync_engine.pool._dialect = kept[0].dialect
        made.sync_engine._compiled_cache = kept[0]._compiled_cache
        return made

    return create_async_engine


def _sharing_routes() -> Any:
    """Return `App` for applications that share their routes, which store nothing of a house."""
    real, kept = application.App, list[tuple[Litestar, Any]]()

    def app(**given: Any) -> Litestar:
        if not kept:
            first = real(**given)
            kept.append((first, first.asgi_handler))
        made = copy.copy(kept[0][0])
        made.asgi_handler, made.state = kept[0][1], given["state"]
        return made

    return app


def lay(settings: Settings) -> None:
    """Create a new house's SQLite file, with empty tables: to migrate each takes longer."""
    file = Path(settings.database.removeprefix(PREFIX))
    if settings.database.startswith(PREFIX) and file.parent.is_dir() and not file.exists():
        file.touch(SECRET)
        file.write_bytes(migrated())


@cache
def migrated() -> bytes:
    """Return the content of an SQLite file with empty tables."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "parlour.db"
        engine = sa.create_engine(f"{PREFIX}{file}")
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
        return file.read_bytes()
