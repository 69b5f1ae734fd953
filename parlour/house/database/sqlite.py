"""SQLite in a file: one writer, in its own thread; readers don't wait for it.

Writes that arrive during a commit share the next commit; each is acknowledged after it. If one of them fails, all are
rolled back and made one by one.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError

from parlour.house.database.connections import Connection, Work
from parlour.house.database.files import HeldFile
from parlour.house.database.migrating import migrate
from parlour.house.errors import DatabaseUnreachable, StoreFailed

T = TypeVar("T")
PATIENCE = 2.0  # seconds that a write waits, from when it was asked for, while another program has the file
SLICE = 0.25  # seconds of waiting in one piece
TOGETHER = 64  # writes in one commit, at most
WAITING = 10_000  # writes that wait for theirs, and pieces of work that wait for a reader
READERS = 2  # threads
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={int(SLICE * 1000)}")
BUSY = "Too much waits for the house's database right now. Nothing was changed. Please try again in a few seconds."
LOCKED = (
    "Another program has locked the house's database for more than {:.0f} seconds. Nothing was changed. Please try "
    "again."
)


class _Wanted(NamedTuple, Generic[T]):
    """A waiting write, until `deadline` (of the monotonic clock) at most."""

    work: Work[T]
    done: asyncio.Future[T]
    deadline: float


class Sqlite:
    """A `Database` in a file, which this process uses exclusively."""

    def __init__(self, url: URL) -> None:
        self._url = url.set(drivername="sqlite")
        self._file: HeldFile | None = None
        self._writing = asyncio.Lock()
        self._queue: list[_Wanted[Any]] = []
        self._reads = 0  # under way, or waiting for a thread
        self._turn: asyncio.Task[None] | None = None
        self._deadline = 0.0  # of the transaction that begins
        self._refused = -math.inf  # when one last was not begun until its deadline
        self._connection: sa.Connection | None = None  # the writer's
        self._engines: list[sa.Engine] = []
        self._hands = ThreadPoolExecutor(1, "parlour-writer")
        self._eyes = ThreadPoolExecutor(READERS, "parlour-reader")

    async def open(self) -> None:
        if not self._url.database or self._url.database == ":memory:":
            raise DatabaseUnreachable("The SQLite database must be a file: sqlite:///FILE.")
        self._file = HeldFile(Path(self._url.database))
        if lack := self._file.lack():
            raise DatabaseUnreachable(lack)
        writer = self._engine("BEGIN IMMEDIATE")  # as one that only turns into a writer later could fail there
        self._reader = self._engine("BEGIN", "query_only=ON")
        self._connection = await self._trip(self._hands, writer.connect)
        await self.write(migrate)

    def _engine(self, begin: str, *more: str) -> sa.Engine:
        arguments = {"timeout": SLICE, "check_same_thread": False}
        engine = sa.create_engine(self._url, connect_args=arguments, hide_parameters=True)  # a log tells no seed
        sa.event.listen(engine, "connect", partial(_configure, [*PRAGMAS, *more]))
        sa.event.listen(engine, "begin", partial(self._begin, begin))
        self._engines.append(engine)
        return engine

    def _begin(self, begin: str, connection: sa.Connection) -> None:
        """Begin as soon as no other program has locked the file, or fail at the deadline."""
        while True:
            try:
                connection.exec_driver_sql(begin)
                return
            except OperationalError as error:
                if not _locked(error) or connection is not self._connection:
                    raise
                if time.monotonic() >= self._deadline:
                    self._refused = time.monotonic()
                    raise StoreFailed(LOCKED.format(PATIENCE)) from error

    async def close(self) -> None:
        if self._turn is not None:
            await asyncio.wait([self._turn])
        await asyncio.to_thread(self._eyes.shutdown)
        if self._connection is not None:
            await self._trip(self._hands, self._connection.close)
            self._connection = None
        for engine in reversed(self._engines):
            await self._trip(self._hands, engine.dispose)
        self._engines.clear()
        self._hands.shutdown()
        if self._file is not None:
            self._file.release()
            self._file = None

    # Reading -----------------------------------------------------------------------------------
    async def read(self, work: Work[T]) -> T:
        if self._reads >= WAITING:
            raise StoreFailed(BUSY)
        self._reads += 1
        try:
            return await self._trip(self._eyes, partial(self._look, work))
        finally:
            self._reads -= 1

    ask = read

    def _look(self, work: Work[T]) -> T:
        with self._reader.connect() as connection:
            return work(connection)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        connection = await self._trip(self._eyes, self._reader.connect)
        try:
            yield Connection(lambda work: self._trip(self._eyes, partial(work, connection)))
        finally:
            await self._trip(self._eyes, connection.close)

    # Writing -----------------------------------------------------------------------------------
    async def write(self, work: Work[T]) -> T:
        if len(self._queue) >= WAITING:
            raise StoreFailed(BUSY)
        wanted: _Wanted[T] = _Wanted(work, asyncio.get_running_loop().create_future(), time.monotonic() + PATIENCE)
        self._queue.append(wanted)
        if self._turn is None or self._turn.done():
            self._turn = asyncio.create_task(self._write_all())
        return await wanted.done

    async def _write_all(self) -> None:
        while self._queue:
            async with self._writing:
                now = [wanted for wanted in self._queue[:TOGETHER] if not wanted.done.done()]  # who hung up is let go
                del self._queue[:TOGETHER]
                made = await self._trip(self._hands, partial(self._commit, now))
            for wanted, outcome in zip(now, made, strict=True):
                if wanted.done.done():
                    continue
                if isinstance(outcome, BaseException):
                    wanted.done.set_exception(outcome)
                else:
                    wanted.done.set_result(outcome)

    def _commit(self, together: list[_Wanted[Any]]) -> list[Any]:
        """Return each write's result or failure. Runs in the writer's thread."""
        if len(together) > 1:
            try:
                with self._begun(min(wanted.deadline for wanted in together)) as connection:
                    return [wanted.work(connection) for wanted in together]
            except Exception:  # whose fault it was shows when each is made alone
                pass
        return [self._commit_one(wanted) for wanted in together]

    def _commit_one(self, wanted: _Wanted[T]) -> T | Exception:
        try:
            with self._begun(wanted.deadline) as connection:
                return wanted.work(connection)
        except Exception as error:
            return error

    @contextmanager
    def _begun(self, deadline: float) -> Iterator[sa.Connection]:
        with self._begin_by(deadline) as transaction:
            yield transaction.connection

    def _begin_by(self, deadline: float) -> sa.RootTransaction:
        assert self._connection is not None
        assert self._file is not None
        if trouble := self._file.trouble():
            raise StoreFailed(trouble)
        if (now := time.monotonic()) >= deadline and now - self._refused < SLICE:
            raise StoreFailed(LOCKED.format(PATIENCE))  # who waited as long need not find out by trying in turn
        self._deadline = deadline
        return self._connection.begin()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Connection]:
        deadline = time.monotonic() + PATIENCE
        try:
            async with asyncio.timeout(PATIENCE):
                await self._writing.acquire()
        except TimeoutError as error:
            raise StoreFailed(LOCKED.format(PATIENCE)) from error
        connection = self._connection
        assert connection is not None
        try:
            await self._trip(self._hands, partial(self._begin_by, deadline))
            yield Connection(lambda work: self._trip(self._hands, partial(work, connection)))
            await self._trip(self._hands, connection.commit)
        except BaseException:
            await self._trip(self._hands, connection.rollback)
            raise
        finally:
            self._writing.release()

    async def check(self) -> str:
        if self._writing.locked():
            return ""  # who writes looks too
        async with self._writing:
            assert self._file is not None
            return self._file.trouble() or self._file.lack()

    async def _trip(self, where: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        """Call `work` in a thread. A cancelled caller still waits for it, because a connection serves one at a time."""
        going = asyncio.get_running_loop().run_in_executor(where, work)
        try:
            return await asyncio.shield(going)
        except asyncio.CancelledError:
            await asyncio.wait([going])
            raise


def _configure(pragmas: list[str], connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # transactions begin where we say
    try:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except BaseException:
        connection.close()  # the pool does not know of it yet
        raise


def _locked(error: OperationalError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_BUSY
