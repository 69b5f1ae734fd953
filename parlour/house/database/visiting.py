"""Work on a house's database while its servers run: it is neither locked nor migrated."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

from parlour.house.database.addresses import parse_address
from parlour.house.database.connections import FAILURES, Connection, Work
from parlour.house.database.migrating import HEAD, revision
from parlour.house.database.postgresql import Postgres
from parlour.house.database.sqlite import PATIENCE
from parlour.house.database.store import plain
from parlour.house.errors import DatabaseUnreachable

T = TypeVar("T")


@asynccontextmanager
async def visit(address: str) -> AsyncIterator[Connection]:
    """Open a transaction on a house's database, committed if the block ends without an error; it sees one instant.
    Raises DatabaseUnreachable."""
    url = parse_address(address)
    shown = url.render_as_string(hide_password=True)
    with reached(shown):
        if url.get_backend_name() == "sqlite":
            with opened(existing(url)) as connection:
                _must_be_ours(connection, shown)
                yield here(connection)
                connection.commit()
            return
        database = Postgres(url.set(drivername="postgresql+asyncpg"), "visit")
        await database.open()
        try:
            async with database.visiting() as found:
                await found.run_sync(lambda connection: _must_be_ours(connection, shown))
                yield found
        finally:
            await database.close()


@contextmanager
def reached(shown: str) -> Iterator[None]:
    """Turn a database's failures into a sentence. Raises DatabaseUnreachable."""
    try:
        yield
    except FAILURES as error:
        raise DatabaseUnreachable(f"The database {shown} can't be used: {plain(error)}.") from error


def existing(url: sa.URL) -> Path:
    """Return the file of an existing SQLite database. Raises DatabaseUnreachable."""
    path = Path(url.database or "")
    if not path.is_file():
        raise DatabaseUnreachable(f"There is no database {path}.")
    return path


@contextmanager
def opened(path: Path) -> Iterator[sa.Connection]:
    """Open an SQLite file, in a transaction."""
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)), connect_args={"timeout": PATIENCE})
    sa.event.listen(engine, "connect", lambda made, _: setattr(made, "isolation_level", None))
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def here(connection: sa.Connection) -> Connection:
    """Return the same connection, for work that is awaited."""

    async def run(work: Work[T]) -> T:
        return work(connection)

    return Connection(run)


def _must_be_ours(connection: sa.Connection, shown: str) -> None:
    found = revision(connection)
    if found is None:
        raise DatabaseUnreachable(f"{shown} isn't the database of a house: it contains none of its tables.")
    if found != HEAD:
        raise DatabaseUnreachable(
            f"Another version of Parlour wrote {shown} ({found}, not {HEAD}). Start this version on it once, or use "
            "the other version."
        )
