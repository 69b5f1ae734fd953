"""Backing up, restoring and moving a house.

A backup is an SQLite file with the tables of the Parlour that made it, whatever its database. It is read at one
instant; rows are copied in pages of two hundred, and at the end everything is read back and compared.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from parlour.house.database.addresses import parse_address
from parlour.house.database.all_tables import TABLES
from parlour.house.database.connections import Connection
from parlour.house.database.files import make_folder, make_secret
from parlour.house.database.migrating import migrate, revision
from parlour.house.database.schema import settings
from parlour.house.database.sqlite import PATIENCE
from parlour.house.database.store import Store
from parlour.house.database.visiting import existing, here, opened, reached, visit
from parlour.house.errors import CopyRefused, DatabaseUnreachable

Tell = Callable[[int, int, str], None]  # how much is done, of how much, and what is being done
PAGE = 200  # rows read and written at once: an analysis may have a hundred kilobytes
INSTRUCTIONS = 20_000  # instructions of SQLite between two words about how far it is


class Count(NamedTuple):
    """The number of rows of a table, and a checksum of their content in any order."""

    rows: int
    checksum: str


Counts = dict[str, Count]  # by table


async def back_up(address: str, file: Path, tell: Tell) -> Counts:
    """Back up a house to a new file that only its owner can read, while its servers run. Raises CopyRefused,
    DatabaseUnreachable, OSError."""
    url = parse_address(address)
    sqlite = existing(url) if url.get_backend_name() == "sqlite" else None
    with _new_file(file) as part:
        if sqlite is not None:
            _copy_file(sqlite, part, tell)
            with opened(part) as connection:
                return _rows(connection, sqlite)
        with opened(part) as connection:
            migrate(connection)
            async with visit(address) as source:
                copied = await _copy(source, here(connection), tell)
            connection.commit()
        return copied


async def restore(file: Path, address: str, tell: Tell) -> Counts:
    """Restore a backup to an empty database that no server uses. An older backup is migrated in a copy. Raises
    CopyRefused, DatabaseUnreachable, OSError."""
    url = parse_address(address)
    beside = Path(url.database or "") if url.get_backend_name() == "sqlite" else file  # where there is room
    with _copy_of(file, beside.parent, tell) as copy, opened(copy) as connection:
        if revision(connection) is None:
            raise CopyRefused(f"{file} isn't a backup of a house: it contains none of its tables.")
        migrate(connection)
        connection.commit()
        target = Store(address, "alone")
        await target.open()
        try:
            return await _fill(here(connection), target, tell)
        finally:
            await target.close()


async def move(source: str, target: str, tell: Tell) -> Counts:
    """Copy a house to another, empty database, while no server uses either. The old one stays unchanged. Raises
    CopyRefused, DatabaseUnreachable."""
    url = parse_address(source)
    if url == parse_address(target):
        raise CopyRefused("Source and target are the same database.")
    if url.get_backend_name() == "sqlite":
        existing(url)
    old, new = Store(source, "alone"), Store(target, "alone")
    await old.open()
    try:
        await new.open()
        try:
            async with old.read() as connection:
                return await _fill(connection, new, tell)
        finally:
            await new.close()
    finally:
        await old.close()


# One file -----------------------------------------------------------------------------------------
@contextmanager
def _new_file(file: Path) -> Iterator[Path]:
    """Yield a file to write, which gets its name once it is complete and on the disk; a failed one leaves nothing.
    Raises CopyRefused if a file has that name."""
    make_folder(file.absolute().parent)
    part = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    try:
        if file.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file))
        os.close(make_secret(part, new=True))
        yield part
        _settle(part)
        _name(part, file)
        _settle(file.absolute().parent)
    except FileExistsError as error:
        raise CopyRefused(f"{error.filename} already exists. Choose another name, or delete it.") from None
    finally:
        part.unlink(missing_ok=True)


def _name(part: Path, file: Path) -> None:
    """Give a complete file its name. Raises FileExistsError if a file has that name by now."""
    try:
        os.link(part, file)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from None
    except OSError:  # a file system on which a file has one name only
        part.replace(file)


@contextmanager
def _copy_of(file: Path, folder: Path, tell: Tell) -> Iterator[Path]:
    """Yield a copy that may be changed, and remove it afterwards. Raises CopyRefused."""
    if not file.is_file():
        raise CopyRefused(f"There is no backup {file}.")
    make_folder(folder.absolute())
    copy = folder / f".{file.name}.{secrets.token_hex(4)}.restoring"
    os.close(make_secret(copy, new=True))
    try:
        _copy_file(file, copy, tell)
        yield copy
    finally:
        for end in ("", "-journal"):
            copy.with_name(copy.name + end).unlink(missing_ok=True)


def _copy_file(path: Path, target: Path, tell: Tell) -> None:
    """Copy an SQLite database at this instant to an empty file, while others write to it, and check the copy. Raises
    DatabaseUnreachable."""
    with reached(str(path)), closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
        size = (
            connection.execute("PRAGMA page_count").fetchone()[0] * connection.execute("PRAGMA page_size").fetchone()[0]
        )
        connection.set_progress_handler(lambda: tell(min(target.stat().st_size, size), size, "copying"), INSTRUCTIONS)
        connection.execute("VACUUM INTO ?", (str(target),))
    with reached(str(target)), closing(sqlite3.connect(target)) as connection:
        if (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise DatabaseUnreachable(f"The database {path} is damaged: {found}.")


def _settle(path: Path) -> None:
    """Make a file, or a name in a folder, survive a power cut."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Rows ---------------------------------------------------------------------------------------------
async def _fill(source: Connection, target: Store, tell: Tell) -> Counts:
    async with target.read() as connection:
        await _must_be_empty(connection, target.shown)
    async with target.write() as connection:
        copied = await _copy(source, connection, tell)
    async with target.read() as connection:
        written = await _count(connection, tell)
    if wrong := [name for name in copied if written[name] != copied[name]]:
        raise DatabaseUnreachable(
            f"The copy in {target.shown} doesn't match the original ({', '.join(wrong)}). Don't use it."
        )
    return copied


async def _must_be_empty(connection: Connection, shown: str) -> None:
    for table in TABLES:
        if table is not settings and await connection.scalar(sa.select(table).limit(1)) is not None:
            raise CopyRefused(
                f"{shown} isn't empty, and nothing was overwritten. Name another database, or delete this one first: "
                "the file with its -wal and -shm files, or with dropdb and createdb."
            )


async def _copy(source: Connection, target: Connection, tell: Tell) -> Counts:
    """Copy every row into tables that are empty except for the settings."""
    postgresql = await target.run_sync(lambda connection: connection.dialect.name) == "postgresql"
    total, done, counts = await _total(source), 0, {}
    await target.execute(sa.delete(settings))
    for table in TABLES:
        summed = _Sum()
        async for page in _pages(source, table):
            rows = [_fit(row) for row in page] if postgresql else page
            await target.execute(sa.insert(table), [dict(zip(table.c.keys(), row, strict=True)) for row in rows])
            summed.add(rows)
            done += len(rows)
            tell(done, total, "copying")
        counts[table.name] = summed.count()
    for table in TABLES if postgresql else ():
        if (column := table.autoincrement_column) is not None:  # else the next row would take a number that there is
            number = sa.select(sa.func.max(column)).scalar_subquery()
            name = sa.func.pg_get_serial_sequence(table.name, column.name)
            await target.execute(sa.select(sa.func.setval(name, sa.func.coalesce(number, 1), number.is_not(None))))
    return counts


async def _count(connection: Connection, tell: Tell) -> Counts:
    total, done, counts = await _total(connection), 0, {}
    for table in TABLES:
        summed = _Sum()
        async for page in _pages(connection, table):
            summed.add(page)
            done += len(page)
            tell(done, total, "comparing")
        counts[table.name] = summed.count()
    return counts


def _rows(connection: sa.Connection, path: Path) -> Counts:
    """Count the rows of the tables of any Parlour. Raises DatabaseUnreachable if there are no such tables."""
    if revision(connection) is None:
        raise DatabaseUnreachable(f"{path} isn't the database of a house: it contains none of its tables.")
    there = [table for table in TABLES if sa.inspect(connection).has_table(table.name)]
    counted = {table.name: connection.scalar(sa.select(sa.func.count()).select_from(table)) for table in there}
    return {name: Count(rows or 0, "") for name, rows in counted.items()}


async def _total(connection: Connection) -> int:
    return sum([await connection.scalar(sa.select(sa.func.count()).select_from(table)) for table in TABLES])


async def _pages(connection: Connection, table: sa.Table) -> AsyncIterator[Sequence[Sequence[object]]]:
    """Yield all rows of a table in the order of its key, so that each page begins where the last one ended."""
    key = list(table.primary_key.columns)
    places = [table.c.keys().index(column.key) for column in key]
    query = sa.select(table).order_by(*key).limit(PAGE)
    after = query
    while rows := (await connection.execute(after)).all():
        yield [tuple(row) for row in rows]
        last = [sa.literal(rows[-1][place], column.type) for place, column in zip(places, key, strict=True)]
        after = query.where(sa.tuple_(*key) > sa.tuple_(*last))


def _fit(row: Sequence[object]) -> Sequence[object]:
    """Return a row as PostgreSQL can store it: without the character NUL, which programs may have used in ids of
    moves."""
    return tuple(value.replace("\x00", "\ufffd") if isinstance(value, str) else value for value in row)


class _Sum:
    """The checksum of a table: the sum over its rows, because databases differ in their order."""

    def __init__(self) -> None:
        self._rows = self._sum = 0

    def add(self, rows: Sequence[Sequence[object]]) -> None:
        for row in rows:
            digest = hashlib.sha256(msgspec.json.encode(row, order="deterministic")).digest()
            self._sum = (self._sum + int.from_bytes(digest)) % 2**256
        self._rows += len(rows)

    def count(self) -> Count:
        return Count(self._rows, f"{self._sum:064x}")
