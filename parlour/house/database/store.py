"""The store: SQLite in a file, or PostgreSQL by its address. What it has accepted survives a power cut."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from parlour.core.errors import ParlourError
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.preferences import rows as preference_rows
from parlour.house.database.addresses import parse_address
from parlour.house.database.connections import FAILURES, Connection, Database, Part, Work
from parlour.house.database.keys import accepted_keys, ensure_key, push_key
from parlour.house.database.postgresql import Postgres
from parlour.house.database.proof import prove
from parlour.house.database.sqlite import Sqlite
from parlour.house.errors import DatabaseUnreachable, StoreFailed
from parlour.house.playtests import rows as playtest_rows
from parlour.house.profiles import rows as profile_rows
from parlour.house.social import rows as social_rows
from parlour.house.table.storage import queries, single, timekeeping, upkeep
from parlour.house.table.storage.change import Change
from parlour.house.table.storage.rows import (
    AnswerRow,
    SeatRow,
    Snapshot,
    StepRow,
    TableRow,
    Timing,
    Values,
)
from parlour.house.today import rows as today_rows
from parlour.house.tournaments import rows as tournament_rows

T = TypeVar("T")
CARE = 60.0  # seconds after which we prove again that the database can be written
NO_CLOCK = Timing()


class Conflict(Exception):
    """Another process wrote this step first."""


class Store:
    """All reading and writing: of tables by its methods, of anything else by functions of a connection (`ask`, `look`,
    `do`). Every method raises StoreFailed if the database does not respond or is full. `part`: what holds the lock.
    SQLite is always locked exclusively."""

    def __init__(self, address: str, part: Part = "serve") -> None:
        self.url = parse_address(address)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.shown = f"sqlite:///{self.url.database}" if self.sqlite else self.url.render_as_string(hide_password=True)
        self._part = part
        self._database: Database = Sqlite(self.url) if self.sqlite else Postgres(self.url, part)
        self._trouble = ""
        self._proved = -math.inf  # when a proof last worked, and no write has failed since (of the monotonic clock)
        self.timed: Callable[[str, float], None] | None = None  # told of each piece of work how long it took

    async def open(self) -> None:
        """Connect, migrate the tables, and prove that they can be written. Raises DatabaseUnreachable. Restoring or
        moving a house skips the proof, compares the result instead, and leaves an existing house as it is."""
        try:
            await self._database.open()
            await self._database.write(ensure_key)
            if self._part == "serve":
                await self.prove()
        except StoreFailed as error:
            await self.close()
            raise DatabaseUnreachable(f"The database {self.shown} can't be used: {error.message}") from error
        except ParlourError:
            await self.close()
            raise
        except FAILURES as error:
            await self.close()
            raise DatabaseUnreachable(f"The database {self.shown} can't be used: {plain(error)}.") from error

    async def close(self) -> None:
        """Close the database."""
        await self._database.close()

    # Whether it works --------------------------------------------------------------------------
    def why_not_ready(self) -> str:
        """Return why nothing can be written, as a sentence, from the last `check`; "" if it can."""
        return self._trouble

    async def check(self) -> str:
        """Check whether the database is available; return what `why_not_ready` returns from now on."""
        try:
            if not (trouble := await self._database.check()):
                await self.prove(CARE)
            self._trouble = trouble
        except ParlourError as error:
            self._trouble = error.message
        except FAILURES as error:
            self._trouble = f"The database doesn't respond ({plain(error)})."
        return self._trouble

    async def prove(self, rest: float = 0.0) -> None:
        """Write and read as the house does, unless that worked in the last `rest` seconds. Raises StoreFailed."""
        if time.monotonic() - self._proved > rest:
            await self.do(prove)
            self._proved = time.monotonic()

    # Any work ----------------------------------------------------------------------------------
    async def ask(self, work: Work[T]) -> T:
        """Execute the single statement of a function of a connection. SQLite only reads this way."""
        with _translated(), self._time(_name(work)):
            return await self._database.ask(work)

    async def look(self, work: Work[T]) -> T:
        """Read with a function of a connection, which sees one instant."""
        with _translated(), self._time(_name(work)):
            return await self._database.read(work)

    async def do(self, work: Work[T]) -> T:
        """Write with a function of a connection. It may be called again after a rollback. Raises Conflict."""
        with _translated(), self._time(_name(work)):
            return await self._database.write(work)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Connection]:
        """Open a read transaction, which sees one instant."""
        with _translated(), self._time("read"):
            async with self._database.reading() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Connection]:
        """Open a transaction for what can't be one function: SQLite's writer does no other work until the
        block ends."""
        with _translated(), self._time("write"):
            async with self._database.writing() as connection:
                yield connection

    @contextmanager
    def _time(self, operation: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        except (StoreFailed, *FAILURES):
            self._proved = -math.inf
            raise
        finally:
            if self.timed is not None:
                self.timed(operation, time.perf_counter() - began)

    # Reading -----------------------------------------------------------------------------------
    async def keys(self) -> tuple[str, ...]:
        """Return the accepted keys of cookies; the last one signs."""
        return await self.look(accepted_keys)

    async def push_key(self) -> str:
        """Return the private key of the house's notifications to browsers."""
        return await self.do(push_key)

    async def load(self, table_id: str, from_step: int = 0, after_chat: int = 0) -> Snapshot:
        """Return a table at one instant, with its steps from `from_step` on and its chat after line `after_chat`.
        Raises UnknownTable."""
        work: Work[Snapshot] = partial(
            queries.load if self.sqlite else single.load, table_id=table_id, from_step=from_step, after_chat=after_chat
        )
        return await (self.look(work) if self.sqlite else self.ask(work))

    async def changes_at(self, table_id: str) -> int | None:
        """Return a table's count of changes; None if it is gone."""
        return await self.ask(partial(queries.changes_at, table_id=table_id))

    async def changes_of(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return the counts of many tables, without those that are gone."""
        return await self.ask(partial(queries.changes_of, table_ids=table_ids))

    async def named_at(self, guest: str) -> list[str]:
        """Return the ids of unfinished tables at which the guest sits, or is invited to a seat."""
        return await self.ask(partial(queries.named_at, guest=guest))

    # Writing -----------------------------------------------------------------------------------
    async def name_guest(self, guest: str, name: str, likeness: str = "") -> bool:
        """Store a guest's name, including at unfinished tables. Return False, and store nothing, if a similar name
        belongs to another account."""
        return await self.do(partial(account_rows.rename, guest=guest, name=name, likeness=likeness))

    async def create(
        self,
        table: TableRow,
        seats: Iterable[SeatRow],
        steps: Sequence[StepRow] = (),
        also: Work[None] | None = None,
    ) -> None:
        """Store a new table, with its first steps if it starts at once; do what is to be done `also` in the same
        transaction. Raises TooManyTables, and what `also` raises."""
        await self.do(partial(_create, table=table, seats=list(seats), steps=steps, also=also))

    async def follow(
        self,
        old: str,
        table: TableRow,
        seats: Iterable[SeatRow],
        steps: Sequence[StepRow],
        also: Work[None] | None = None,
    ) -> str:
        """Store `table` as the rematch of `old`; return the id of the rematch, which is another table's if that came
        first and is not over. `also` and what it raises are as for `create`. Raises TooManyTables."""
        async with self.change(old) as change:
            if before := change.table.rematch:
                goes_on: Work[bool] = partial(queries.is_under_way, table=before)
                if await change.connection.run_sync(goes_on):
                    return before
            made = partial(_create, table=table, seats=list(seats), steps=steps, also=also)
            await change.connection.run_sync(made)
            await change.set(rematch=table.id)
            return table.id

    async def append(
        self,
        table_id: str,
        steps: Sequence[StepRow],
        *,
        over: bool,
        timing: Timing = NO_CLOCK,
        known: int | None = None,
    ) -> int:
        """Add a move and the chance after it to the record, and store the clock that then runs, all or nothing; return
        the table's count of changes. Raises Conflict if they are stored already, or if another process has changed
        anything since the `known` count. (An SQLite file has one process.)"""
        if self.sqlite:
            return await self.do(partial(queries.append, table_id=table_id, steps=steps, over=over, timing=timing))
        work = partial(single.append, table_id=table_id, steps=steps, over=over, timing=timing, known=known)
        changes = await (self.do(work) if over else self.ask(work))
        if changes is None:
            raise Conflict(f"Another process has changed or deleted table {table_id}.")
        return changes

    async def answer(self, table_id: str, row: AnswerRow) -> int:
        """Store an answer to a secret question, and change nothing else that a page shows; return the table's count of
        changes. Raises Conflict if the record has grown or the seat has answered."""
        return await self.do(partial(_answer, table_id=table_id, row=row))

    async def say(self, line: Values) -> int:
        """Store a chat message; return its number."""
        return await self.do(partial(queries.say, line=line))

    async def clear(self, mine: str, now: float, keep: float | None, rest: float, most: int) -> list[str]:
        """Delete some tables that waited too long, or games against bots older than `keep` days; return their ids. Also
        delete the data of guests whom no cookie knows any more, reports closed long ago, old playtests, old games of
        the day, and tournaments cancelled long ago. Do nothing if another process than `mine` did so in the last `rest`
        seconds. Raises Conflict if one does so now."""
        seconds = None if keep is None else keep * 86400

        def clear(connection: sa.Connection) -> list[str]:
            if not upkeep.claim(connection, mine, now, rest):
                return []
            preference_rows.clear(connection, now)
            profile_rows.clear(connection, now)
            social_rows.clear(connection, now)
            playtest_rows.clear(connection, now)
            today_rows.clear(connection, now)
            tournament_rows.clear(connection, now)
            account_rows.release(connection, now)
            return upkeep.clear(connection, now, seconds, most)

        return await self.do(clear)

    async def tick(
        self, now: float, lost: float, *, asleep: bool, most: int, give_back: timekeeping.GiveBack
    ) -> tuple[list[str], list[str]]:
        """Store a beat of the house; return tables whose time is up, at most this many, and those whose clocks got back
        what they lost. `asleep`: this process was not there for the last beat, for example at its start; `give_back`
        restores a clock's lost time."""
        first = await self.ask(timekeeping.next_due)
        if first is None:
            return [], []
        return await self.do(
            partial(timekeeping.tick, now=now, lost=lost, asleep=asleep, most=most, give_back=give_back)
        )

    async def no_clock(self, table_id: str) -> None:
        """Stop a table's clock, because nothing can be done there."""
        await self.do(partial(timekeeping.no_clock, table_id=table_id))

    @asynccontextmanager
    async def change(self, table_id: str) -> AsyncIterator[Change]:
        """Open a transaction that locks the table; committed if the block ends without an error."""
        async with self.write() as connection:
            yield Change(connection, *await connection.run_sync(partial(queries.hold, table_id=table_id)))


def _name(work: Work[T]) -> str:
    """Return a piece of work's name in the metrics: that of its function."""
    name: str = getattr(work.func if isinstance(work, partial) else work, "__name__", "other")
    return name.removeprefix("_")


class _translated:
    """Turn database failures into StoreFailed, a duplicate key into Conflict."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, IntegrityError):
            raise Conflict(str(error)) from error
        if isinstance(error, FAILURES):
            raise StoreFailed(
                f"We couldn't save this ({plain(error)}). Nothing was changed. Please try again."
            ) from error


def _create(
    connection: sa.Connection,
    table: TableRow,
    seats: Iterable[SeatRow],
    steps: Sequence[StepRow] = (),
    also: Work[None] | None = None,
) -> None:
    upkeep.must_have_room(connection, table.host)  # which also makes tables of one host wait for each other
    queries.create(connection, table, seats, steps)
    if also is not None:
        also(connection)


def _answer(connection: sa.Connection, table_id: str, row: AnswerRow) -> int:
    changes = queries.answer(connection, table_id, row)
    if changes is None:
        raise Conflict(f"The question at step {row.idx} is over.")
    return changes


def plain(error: BaseException) -> str:
    """Return a database failure in words, without SQL and links."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    text = str(cause).strip() or type(cause).__name__
    return text.splitlines()[0].removeprefix("<class ").rstrip(".")
