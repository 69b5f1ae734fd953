"""PostgreSQL, which several servers may share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from parlour.table.errors import DatabaseUnreachable
from parlour.table.storage.connections import FAILURES, Connection, Part, Work
from parlour.table.storage.database import migrate

T = TypeVar("T")
SERVING = 7275467  # the advisory lock that every server shares, and that whoever moves a house has alone
CONNECT_ARGS = {"timeout": 5, "command_timeout": 20}
TAKEN = "The database is being restored or moved by another command. Wait until that is done."
SERVED = "A Parlour is serving this database. Stop all its servers first: nothing may be written there meanwhile."
LOCKS = {"alone": ("pg_try_advisory_lock", SERVED), "serve": ("pg_try_advisory_lock_shared", TAKEN)}


class Postgres:
    """A `Database` in PostgreSQL. Who serves it shares it with others who do; whoever has it alone
    keeps them out; a visitor asks nobody, and leaves the tables as they are."""

    def __init__(self, url: URL, part: Part = "serve") -> None:
        self._url, self._part = url, part
        self._engine: AsyncEngine | None = None
        self._checking = asyncio.Lock()
        self._held: AsyncConnection | None = None  # the session that has the advisory lock

    async def open(self) -> None:
        self._engine = create_async_engine(self._url, connect_args=CONNECT_ARGS, hide_parameters=True)
        # A read of several statements sees one instant; one statement does so by itself, in one trip.
        self._single = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._several = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        if self._part != "visit":
            await self._take_part()
            await self.write(migrate)

    async def close(self) -> None:
        await self._let_go()
        if self._engine is not None:
            await self._engine.dispose()

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
        async with self._single.connect() as connection:
            return await connection.run_sync(work)

    async def read(self, work: Work[T]) -> T:
        async with self._several.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Work[T]) -> T:
        assert self._engine is not None
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        async with self._several.connect() as connection:
            yield Connection(connection.run_sync)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Connection]:
        assert self._engine is not None
        async with self._engine.begin() as connection:
            yield Connection(connection.run_sync)

    @asynccontextmanager
    async def visiting(self) -> AsyncIterator[Connection]:
        """A transaction for writing that sees one instant."""
        assert self._engine is not None
        async with self._engine.execution_options(isolation_level="REPEATABLE READ").begin() as connection:
            yield Connection(connection.run_sync)

    async def check(self) -> str:
        """Also takes the lock again where the connection that had it was lost."""
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
