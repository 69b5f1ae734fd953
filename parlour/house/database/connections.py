"""Connections, the same for SQLite and PostgreSQL: work on the database is a plain function of an SQLAlchemy
connection, and goes in one trip to where the driver works (a thread, or asyncpg)."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

T = TypeVar("T")
Part = Literal["serve", "alone", "visit"]  # what for a process opens a database
Work = Callable[[sa.Connection], T]
Rows = Mapping[str, object] | Sequence[Mapping[str, object]]  # values by column
Found = tuple[object, ...]  # a row
FAILURES = (SQLAlchemyError, sqlite3.Error, OSError)  # how a database fails; a TimeoutError is an OSError


class Runner(Protocol):
    """Calls a function with a connection, where its driver works."""

    def __call__(self, work: Work[T], /) -> Awaitable[T]: ...


class Connection:
    """An open transaction, for work that can't be one function: each call is a separate trip."""

    def __init__(self, run: Runner) -> None:
        self._run = run

    async def run_sync(self, work: Work[T]) -> T:
        """Call `work` with the connection, and return what it returns."""
        return await self._run(work)

    async def execute(self, statement: sa.Executable, parameters: Rows | None = None) -> sa.Result[*Found]:
        """Execute a statement; return its rows, all read, or the result without rows."""
        return await self._run(lambda connection: _read(connection.execute(statement, parameters)))

    async def scalar(self, statement: sa.Executable) -> Any:
        """Return the first column of the first row, or None without rows."""
        return await self._run(lambda connection: connection.scalar(statement))


def _read(result: sa.CursorResult[*Found]) -> sa.Result[*Found]:
    """Return a result with its rows in memory, because they are read elsewhere."""
    return result.freeze()() if result.returns_rows else result


class Database(Protocol):
    """SQLite or PostgreSQL. Every failure raises one of FAILURES, or StoreFailed."""

    async def open(self) -> None:
        """Connect, and bring the tables up to date."""

    async def close(self) -> None:
        """Close the connections."""

    async def ask(self, work: Work[T]) -> T:
        """Run a single statement, which is its own transaction; SQLite only reads this way."""

    async def read(self, work: Work[T]) -> T:
        """Read with several statements, which all see the same instant."""

    async def write(self, work: Work[T]) -> T:
        """Write in a transaction, which is durable on return. `work` may be called again after a rollback."""

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        """Open a read transaction, which sees one instant."""

    def writing(self) -> AbstractAsyncContextManager[Connection]:
        """Open a write transaction, committed if the block ends without an error."""

    async def check(self) -> str:
        """Return why nothing can be written now, as a sentence; "" if it can."""
