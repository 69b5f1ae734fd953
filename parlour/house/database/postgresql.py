"""PostgreSQL, which several servers may share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, AdaptedConnection
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from parlour.house.database.connections import FAILURES, Connection, Part, Work
from parlour.house.database.migrating import migrate
from parlour.house.errors import DatabaseUnreachable

T = TypeVar("T")
SERVING = 7275467  # the advisory lock that servers share, and that moving a house holds exclusively
PATIENCE = 2.0  # seconds that a statement waits while another program has locked what it needs
CONNECT_ARGS = {"timeout": 5, "command_timeout": 20}
TAKEN = "Another command is restoring or moving this database. Wait until it has finished."
SERVED = "A Parlour server is using this database. Stop all its servers first, so that nothing is written meanwhile."
POOLED = (
    "This database is behind a connection pooler in transaction mode, such as PgBouncer with pool_mode = transaction. "
    "Set pool_mode = session there, or use PostgreSQL's own address."
)
LOST_STATEMENTS = ("26000", "42P05")  # a prepared statement is not there, or is another session's
LOCKS = {"alone": ("pg_try_advisory_lock", SERVED), "serve": ("pg_try_advisory_lock_shared", TAKEN)}


class Postgres:
    """A `Database` in PostgreSQL. Servers share it; a command with exclusive use keeps them out; a visitor takes no
    lock, and leaves the schema as it is."""

    def __init__(self, url: URL, part: Part = "serve") -> None:
        self._url, self._part = url, part
        self._engine: AsyncEngine | None = None
        self._checking = asyncio.Lock()
        self._held: AsyncConnection | None = None  # the session that has the advisory lock

    async def open(self) -> None:
        self._engine = create_async_engine(self._url, connect_args=CONNECT_ARGS, hide_parameters=True)
        # A read of several statements must see one snapshot; a single one needs no transaction, and so only one trip.
        self._single = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        sa.event.listen(self._engine.sync_engine, "connect", _configure)
        self._several = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        await self._must_fit()
        if self._part != "visit":
            await self._take_part()
            await self.write(migrate)

    async def close(self) -> None:
        await self._let_go()
        if self._engine is not None:
            await self._engine.dispose()

    async def _must_fit(self) -> None:
        """Raise DatabaseUnreachable unless the database stores text in any script, and each connection keeps its
        session."""
        try:
            async with self._single.connect() as one, self._single.connect() as other:
                encoding = await one.scalar(sa.text("SHOW server_encoding"))
                turns = (one, other, one, one, other, other)  # also finds a pooler that gives out sessions in turn
                session = sa.text("SELECT pg_backend_pid()")
                seen = {(connection is one, await connection.scalar(session)) for connection in turns}
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", "") in LOST_STATEMENTS:
                raise DatabaseUnreachable(POOLED) from error
            raise
        if encoding != "UTF8":
            raise DatabaseUnreachable(
                f"This database stores text as {encoding}, which can't store every name. Create one with ENCODING "
                "'UTF8', and use its address."
            )
        if len(seen) != 2 or len({process for _, process in seen}) != 2:
            raise DatabaseUnreachable(POOLED)

    async def _take_part(self) -> None:
        kind, taken = LOCKS[self._part]
        connection = await self._single.connect()
        try:
            if not await connection.scalar(sa.text(f"SELECT {kind}({SERVING})")):
                raise DatabaseUnreachable(taken)
        except BaseException:
            await connection.close()
            raise
        self._held = connection

    async def ask(self, work: Work[T]) -> T:
        async with self._single.connect() as connection, _sound(connection):
            return await connection.run_sync(work)

    async def read(self, work: Work[T]) -> T:
        async with self._several.connect() as connection, _sound(connection):
            return await connection.run_sync(work)

    async def write(self, work: Work[T]) -> T:
        assert self._engine is not None
        async with self._engine.begin() as connection, _sound(connection):
            return await connection.run_sync(work)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        async with self._several.connect() as connection, _sound(connection):
            yield Connection(connection.run_sync)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Connection]:
        assert self._engine is not None
        async with self._engine.begin() as connection, _sound(connection):
            yield Connection(connection.run_sync)

    @asynccontextmanager
    async def visiting(self) -> AsyncIterator[Connection]:
        """Open a write transaction that sees one instant."""
        assert self._engine is not None
        engine = self._engine.execution_options(isolation_level="REPEATABLE READ")
        async with engine.begin() as connection, _sound(connection):
            yield Connection(connection.run_sync)

    async def check(self) -> str:
        """Check the connection; also take the lock again if the connection that had it was lost."""
        async with self._checking:  # the connection serves one at a time
            try:
                if self._held is not None:
                    await self._held.execute(sa.text("SELECT 1"))
                    return ""
            except FAILURES:
                await self._let_go()
            await self._take_part()
        return ""

    async def _let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            await held.invalidate()  # the lock goes with its session, which does not go back to the pool
            await held.close()


@asynccontextmanager
async def _sound(connection: AsyncConnection) -> AsyncIterator[None]:
    """Drop the connection when a statement fails, except for a duplicate key: its session may be broken, and the next
    user would fail too."""
    try:
        yield
    except IntegrityError:
        raise
    except FAILURES:
        await connection.invalidate()
        raise


def _configure(connection: AdaptedConnection, _: object) -> None:
    """Limit how long a new connection's statements wait for a lock. (PgBouncer refuses this as a startup parameter.)"""
    connection.run_async(lambda raw: raw.execute(f"SET lock_timeout = {int(PATIENCE * 1000)}"))
