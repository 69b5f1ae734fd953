"""The store: SQLite in a file, or PostgreSQL by its address. What it has accepted survives a power cut."""

from __future__ import annotations

import asyncio
import re
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from parlour.core.errors import ParlourError
from parlour.table.errors import DatabaseUnreachable, StoreFailed, UnknownTable
from parlour.table.storage import schema as s
from parlour.table.storage.database import connect_args, lock_file, migrate, prepare
from parlour.table.storage.rows import AnswerRow, ChatRow, Listing, SeatRow, Snapshot, StepRow, TableRow, Values, Which

CHAT_KEPT = 50  # lines shown
LISTED = 30  # tables in a list of the lobby


class Conflict(Exception):
    """Another process wrote this step first."""


@dataclass
class Change:
    """A transaction on one table, which holds its row: `table` and `seats` are as they are now."""

    connection: AsyncConnection
    table: TableRow
    seats: list[SeatRow]

    async def set(self, **values: Any) -> None:
        """Change columns of the table."""
        await self.connection.execute(sa.update(s.tables).where(s.tables.c.id == self.table.id).values(**values))

    async def set_seat(self, seat: int, /, **values: Any) -> None:
        """Change columns of a seat."""
        which = (s.seats.c.table_id == self.table.id) & (s.seats.c.seat == seat)
        await self.connection.execute(sa.update(s.seats).where(which).values(**values))

    async def delete(self) -> None:
        """Delete the table and everything that belongs to it."""
        await self.connection.execute(sa.delete(s.tables).where(s.tables.c.id == self.table.id))

    async def add_steps(self, steps: Sequence[StepRow]) -> None:
        """Add to the record."""
        await add_steps(self.connection, self.table.id, steps)

    async def answers(self, idx: int) -> list[AnswerRow]:
        """The answers to the question that was open when the record had `idx` steps."""
        return await _answers(self.connection, self.table.id, idx, idx)


class Store:
    """All reading and writing. Every method raises StoreFailed when the database does not answer or
    is full."""

    def __init__(self, address: str) -> None:
        try:
            url = make_url(address)
        except (ArgumentError, ValueError):  # ValueError: a port that is no number
            shown = re.sub(r"//.*@", "//...@", address)  # a password is not repeated
            raise DatabaseUnreachable(
                f"{shown!r} is not the address of a database.",
                allowed=("sqlite:///FILE", "postgresql://USER@HOST/NAME"),
            ) from None
        drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
        if url.get_backend_name() not in drivers:
            raise DatabaseUnreachable(
                f"Parlour cannot use a database of the kind {url.get_backend_name()!r}.",
                allowed=("sqlite:///FILE", "postgresql://USER@HOST/NAME"),
            )
        self.url = url.set(drivername=drivers[url.get_backend_name()])
        self.sqlite = url.get_backend_name() == "sqlite"
        self.shown = url.render_as_string(hide_password=True)
        self.engine: AsyncEngine
        self._reader: AsyncEngine
        self._open = AsyncExitStack()
        self._writing = asyncio.Lock()

    async def open(self) -> None:
        """Connect, bring the tables up to date, and prove that it can be written.
        DatabaseUnreachable otherwise."""
        try:
            if self.sqlite:
                self._open.enter_context(lock_file(self.url))
            self.engine = create_async_engine(self.url, connect_args=connect_args(self.url))
            self._open.push_async_callback(self.engine.dispose)
            prepare(self.engine)
            self._reader = self.engine.execution_options(isolation_level="AUTOCOMMIT")
            async with self.engine.begin() as connection:
                await connection.run_sync(migrate)
                values = {"key": "secret", "value": secrets.token_hex(32)}
                found = await connection.execute(
                    sa.update(s.settings).where(s.settings.c.key == "secret").values(value=s.settings.c.value)
                )
                if not found.rowcount:
                    await connection.execute(sa.insert(s.settings).values(values))
        except ParlourError:
            await self.close()
            raise
        except (SQLAlchemyError, OSError, sqlite3.Error, TimeoutError) as error:
            await self.close()
            raise DatabaseUnreachable(f"The database {self.shown} cannot be used: {plain(error)}.") from error

    async def close(self) -> None:
        """Let go of the database."""
        await self._open.aclose()

    # Reading -----------------------------------------------------------------------------------
    async def secret(self) -> bytes:
        """The key that signs cookies; made once, kept in the database."""
        async with self.read() as connection:
            value = await connection.scalar(sa.select(s.settings.c.value).where(s.settings.c.key == "secret"))
            return str(value).encode()

    async def guest_name(self, guest: str) -> str | None:
        """The name that a guest chose, None when they chose none."""
        async with self.read() as connection:
            name: str | None = await connection.scalar(sa.select(s.guests.c.name).where(s.guests.c.id == guest))
            return name

    async def load(self, table_id: str, from_step: int = 0, after_chat: int = 0) -> Snapshot:
        """A table, with its steps from `from_step` on and its chat after line `after_chat`.
        UnknownTable."""
        async with self.read() as connection:
            row = await _table(connection, table_id)
            seats = await _seats(connection, table_id)
            c = s.steps.c
            steps = await connection.execute(
                sa.select(c.idx, c.actor, c.action, c.text, c.move_id)
                .where(c.table_id == table_id, c.idx >= from_step)
                .order_by(c.idx)
            )
            lines = await connection.execute(
                sa.select(s.chat)
                .where(s.chat.c.table_id == table_id, s.chat.c.id > after_chat)
                .order_by(s.chat.c.id.desc())
                .limit(CHAT_KEPT)
            )
            answers = await _answers(connection, table_id, from_step)
            chat = [ChatRow(**line) for line in lines.mappings()]
            return Snapshot(row, seats, [StepRow(*step) for step in steps], answers, chat[::-1])

    async def listing(self, which: Which, guest: str) -> list[Listing]:
        """Tables for the lobby: one's own, those touched last first; others', those of the last
        hour first, the newest of them first."""
        c = s.tables.c
        query = sa.select(s.tables).limit(LISTED)
        if which == "mine":
            own = sa.select(s.seats.c.table_id).where(s.seats.c.guest_id == guest)
            query = query.where(c.id.in_(own) | (c.host == guest)).order_by(c.touched.desc())
        else:  # to the hour: nobody reads from it how long a player thinks who may be asked in secret (FT-26)
            query = query.where(c.status == which, c.public, c.touched > time.time() - 7 * 86400)
            query = query.order_by(sa.cast(c.touched / 3600, sa.Integer).desc(), c.created.desc())
        async with self.read() as connection:
            rows = [_table_row(row) for row in (await connection.execute(query)).mappings()]
            found = await connection.execute(
                sa.select(s.seats).where(s.seats.c.table_id.in_([row.id for row in rows])).order_by(s.seats.c.seat)
            )
            seats = [SeatRow(**seat) for seat in found.mappings()]
            return [Listing(row, [seat for seat in seats if seat.table_id == row.id]) for row in rows]

    async def with_bots(self) -> list[str]:
        """Ids of the tables under way at which a bot sits."""
        query = (
            sa.select(s.tables.c.id)
            .where(s.tables.c.status == "playing", s.tables.c.id.in_(_bot_tables()))
            .order_by(s.tables.c.touched.desc())
        )
        async with self.read() as connection:
            return list((await connection.scalars(query)).all())

    async def analysis(self, table_id: str, rules: int, way: str) -> Any:
        """The analysis that `keep_analysis` kept, None if there is none."""
        c = s.analyses.c
        query = sa.select(c.judgements).where(c.table_id == table_id, c.rules == rules, c.way == way)
        async with self.read() as connection:
            return await connection.scalar(query)

    # Writing -----------------------------------------------------------------------------------
    async def name_guest(self, guest: str, name: str) -> None:
        """Keep a guest's name; seats at tables that have not started follow it."""
        waiting = sa.select(s.tables.c.id).where(s.tables.c.status == "waiting")
        async with self.write() as connection:
            found = await connection.execute(sa.update(s.guests).where(s.guests.c.id == guest).values(name=name))
            if not found.rowcount:
                await connection.execute(sa.insert(s.guests).values(id=guest, name=name, created=time.time()))
            await connection.execute(
                sa.update(s.seats)
                .where(s.seats.c.guest_id == guest, s.seats.c.kind == "guest", s.seats.c.table_id.in_(waiting))
                .values(name=name)
            )

    async def waiting_at(self, guest: str) -> list[str]:
        """Ids of the tables not started at which the guest sits."""
        query = sa.select(s.tables.c.id).join(s.seats, s.seats.c.table_id == s.tables.c.id).distinct()
        async with self.read() as connection:
            found = await connection.scalars(query.where(s.tables.c.status == "waiting", s.seats.c.guest_id == guest))
            return list(found.all())

    async def create(self, table: TableRow, seats: Iterable[SeatRow], steps: Sequence[StepRow] = ()) -> None:
        """Keep a new table, with its first steps when it starts at once."""
        async with self.write() as connection:
            await _create(connection, table, seats, steps)

    async def follow(self, old: str, table: TableRow, seats: Iterable[SeatRow], steps: Sequence[StepRow]) -> str:
        """Keep `table` as the rematch of `old`; return the id of the rematch, which is another's
        if that came first."""
        async with self.change(old) as change:
            if change.table.rematch:
                return change.table.rematch
            await _create(change.connection, table, seats, steps)
            await change.set(rematch=table.id)
            return table.id

    async def append(self, table_id: str, steps: Sequence[StepRow], *, over: bool) -> None:
        """Add a move and the chance that follows to the record, all or nothing. Raises Conflict
        if they are there."""
        values: Values = {"touched": time.time(), **({"status": "over"} if over else {})}
        async with self.write() as connection:
            await add_steps(connection, table_id, steps)
            await connection.execute(sa.update(s.tables).where(s.tables.c.id == table_id).values(values))

    async def answer(self, table_id: str, row: AnswerRow) -> None:
        """Keep an answer to a secret question, and change nothing else. Raises Conflict if the
        record has moved on or the seat has answered."""
        last = sa.select(sa.func.max(s.steps.c.idx)).where(s.steps.c.table_id == table_id)
        async with self.change(table_id) as change:
            if await change.connection.scalar(last) != row.idx - 1:
                raise Conflict(f"The question at step {row.idx} is over.")
            await change.connection.execute(sa.insert(s.answers).values(table_id=table_id, **row._asdict()))

    async def keep_analysis(self, table_id: str, rules: int, way: str, judgements: Any) -> None:
        """Keep the analysis of a finished game, made in this `way`. Raises Conflict if there is
        one."""
        row = {"table_id": table_id, "rules": rules, "way": way, "judgements": judgements}
        async with self.write() as connection:
            await connection.execute(sa.insert(s.analyses).values(row))

    async def say(self, line: Values) -> int:
        """Keep a line of chat; return its number."""
        async with self.write() as connection:
            made = await connection.execute(sa.insert(s.chat).values(line).returning(s.chat.c.id))
            return int(made.scalar_one())

    @asynccontextmanager
    async def change(self, table_id: str) -> AsyncIterator[Change]:
        """A transaction that holds the table against all others; committed if the block ends
        without an error."""
        async with self.write() as connection:
            row = await _table(connection, table_id, hold=True)
            yield Change(connection, row, await _seats(connection, table_id))

    # Connections -------------------------------------------------------------------------------
    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading."""
        with _translated():
            async with self._reader.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction. SQLite has one writer, so in one process they wait for each other here."""
        async with self._writing if self.sqlite else nullcontext():
            with _translated():
                async with self.engine.begin() as connection:
                    yield connection


class _translated:
    """Database failures as StoreFailed, a doubled key as Conflict."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, IntegrityError):
            raise Conflict(str(error)) from error
        if isinstance(error, (SQLAlchemyError, OSError, sqlite3.Error, TimeoutError)):
            raise StoreFailed(
                f"The house could not write this down ({plain(error)}). Nothing was done; please try again."
            ) from error


async def add_steps(connection: AsyncConnection, table_id: str, steps: Sequence[StepRow]) -> None:
    """Insert steps of a record."""
    if steps:
        await connection.execute(sa.insert(s.steps), [{"table_id": table_id, **step._asdict()} for step in steps])


async def _create(
    connection: AsyncConnection, table: TableRow, seats: Iterable[SeatRow], steps: Sequence[StepRow]
) -> None:
    await connection.execute(sa.insert(s.tables).values(msgspec.structs.asdict(table)))
    await connection.execute(sa.insert(s.seats), [msgspec.structs.asdict(seat) for seat in seats])
    await add_steps(connection, table.id, steps)


async def _answers(connection: AsyncConnection, table_id: str, first: int, last: int | None = None) -> list[AnswerRow]:
    c = s.answers.c
    query = sa.select(c.idx, c.seat, c.action, c.text, c.move_id).where(c.table_id == table_id, c.idx >= first)
    found = await connection.execute(query.order_by(c.idx) if last is None else query.where(c.idx <= last))
    return [AnswerRow(*row) for row in found]


async def _table(connection: AsyncConnection, table_id: str, *, hold: bool = False) -> TableRow:
    query = sa.select(s.tables).where(s.tables.c.id == table_id)
    row = (await connection.execute(query.with_for_update() if hold else query)).mappings().first()
    if row is None:
        raise UnknownTable(f"There is no table {table_id!r}.")
    return _table_row(row)


def _table_row(row: Any) -> TableRow:
    return TableRow(**row)


async def _seats(connection: AsyncConnection, table_id: str) -> list[SeatRow]:
    query = sa.select(s.seats).where(s.seats.c.table_id == table_id).order_by(s.seats.c.seat)
    return [SeatRow(**seat) for seat in (await connection.execute(query)).mappings()]


def _bot_tables() -> sa.Select[Any]:
    return sa.select(s.seats.c.table_id).where(s.seats.c.kind == "bot")


def plain(error: BaseException) -> str:
    """A database failure in words, without SQL and links."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    text = str(cause).strip() or type(cause).__name__
    return text.splitlines()[0].removeprefix("<class ").rstrip(".")
