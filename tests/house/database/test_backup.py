"""`parlour house`: a drill with a real house during games, and what the commands refuse."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from alembic import command as alembic
from alembic.config import Config

from parlour.cli.app import run
from parlour.core import fair
from parlour.core.errors import ParlourError
from parlour.core.match import Match
from parlour.games import find
from parlour.house.database import copying
from parlour.house.database import migrating as database_module
from parlour.house.database.store import Store
from parlour.house.database.visiting import opened
from tests.house.people import Person, play_on, turn, two_at_table
from tests.house.serving import Nursery, Server
from tests.house.shelf import Shelf


async def house(*arguments: object, status: int = 0) -> str:
    """Run `parlour house ...` as another process; return what it printed."""
    command = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", "-m", "parlour", "house", *map(str, arguments),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    out, err = await command.communicate()
    said = (out + err).decode()
    assert command.returncode == status, said
    return said


class Under:
    """A table at which two people play until they are stopped or the server dies."""

    def __init__(self, ann: Person, bob: Person, table: str) -> None:
        self.ann, self.bob, self.table = ann, bob, table
        self.acknowledged: dict[int, str] = {}  # moves, by the version that they answered
        self.moved = asyncio.Event()
        self.task = asyncio.create_task(self._play())

    async def _play(self) -> None:
        with contextlib.suppress(httpx.HTTPError):
            while True:
                person, seen = await turn(self.table, self.ann, self.bob)
                version = seen["table"]["version"]
                await person.do(f"tables/{self.table}/moves", move=seen["legal"][-1], version=version)
                self.acknowledged[version] = seen["legal"][-1]
                self.moved.set()
                await asyncio.sleep(0.2)  # people take their time, so the game lasts

    async def more(self, moves: int) -> None:
        """Wait until this number of further moves is acknowledged."""
        wanted = len(self.acknowledged) + moves
        while len(self.acknowledged) < wanted:
            assert not self.task.done()
            self.moved.clear()
            await asyncio.wait_for(self.moved.wait(), 60)

    async def end(self) -> None:
        """Wait until they see that the server has died."""
        await asyncio.wait_for(self.task, 60)


@pytest.fixture
async def people() -> AsyncIterator[list[Person]]:
    async with Person(timeout=30) as ann, Person(timeout=30) as bob:
        yield [ann, bob]


def come(people: list[Person], server: Server) -> None:
    for person in people:
        person.base_url = httpx.URL(server.url)


async def under_play(people: list[Person], server: Server) -> list[Under]:
    """Start four tables at which they play, in a house that they have just opened."""
    come(people, server)
    for person, name in zip(people, ("Ann", "Bob"), strict=True):
        await person.do("me", name=name)
    tables = [await two_at_table(*people) for _ in range(4)]
    return [Under(*people, table) for table in tables]


async def gone_on(people: list[Person], table: str, moves: dict[int, str]) -> None:
    """Check that all these moves are in the table's record, play on there, and verify the end."""
    for person, name in zip(people, ("Ann", "Bob"), strict=True):
        assert (await person.get("/api/me")).json()["name"] == name  # by the old cookie
    steps = (await people[0].record(table)).steps
    for version, move in moves.items():
        assert steps[version][1] == move
    await people[0].do(f"tables/{table}/chat", text="still here")
    assert await play_on(table, 4, *people, first=True) > len(steps)


@pytest.mark.slow
async def test_a_drill_under_play_backup_crash_restore(
    nursery: Nursery, tmp_path: Path, people: list[Person], capsys: pytest.CaptureFixture[str]
) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/first/parlour.db")
    playing = await under_play(people, server)
    await asyncio.gather(*(one.more(5) for one in playing))
    before = [dict(one.acknowledged) for one in playing]
    backup = tmp_path / "kept" / "backup.db"
    assert "4 tables" in await house("backup", backup, "--database", f"sqlite:///{tmp_path}/first/parlour.db")
    await asyncio.gather(*(one.more(3) for one in playing))  # the house stayed open
    server.kill()
    for one in playing:
        await one.end()
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert sorted(path.name for path in backup.parent.iterdir()) == ["backup.db"]
    kept = backup.read_bytes()
    address = f"sqlite:///{tmp_path}/second/parlour.db"
    done = await asyncio.to_thread(said, capsys, "restore", backup, "--database", address, status=0)
    assert done.startswith("Restored: 4 tables")
    assert backup.read_bytes() == kept
    assert {path.name for path in (tmp_path / "second").iterdir()} <= {"parlour.db", "parlour.db.lock"}
    come(people, nursery.start(database=address))
    for one, moves in zip(playing, before, strict=True):
        assert len(moves) >= 5
        await gone_on(people, one.table, moves)
    full = f"sqlite:///{tmp_path}/first/parlour.db"
    refused = await asyncio.to_thread(said, capsys, "restore", backup, "--database", full, status=1)
    assert "isn't empty" in refused


@pytest.mark.service
@pytest.mark.slow
async def test_a_drill_from_sqlite_to_postgresql_and_back(
    nursery: Nursery, tmp_path: Path, database: str, redis_url: str, people: list[Person],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Games are under way; the house in PostgreSQL is backed up during games too."""

    async def house(*arguments: object, status: int = 0) -> str:
        """Do the same in this process, which has already imported everything."""
        return await asyncio.to_thread(said, capsys, *arguments, status=status)

    first, last = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db"
    server = nursery.start(database=first)
    playing = await under_play(people, server)
    for person in people:
        await person.do(f"tables/{playing[0].table}/chat", text="hello")
    await asyncio.gather(*(one.more(4) for one in playing))
    assert "Another Parlour" in await house("move", first, database, status=6)
    server.kill()
    for one in playing:
        await one.end()
    with sqlite3.connect(tmp_path / "a.db") as connection:  # SQLite accepts what PostgreSQL does not
        connection.execute("UPDATE steps SET move_id = 'a' || char(0) || 'b' WHERE idx = 1")
    connection.close()
    assert (await house("move", first, database)).startswith("Moved: 4 tables")
    assert "isn't empty" in await house("move", first, database, status=1)
    servers = [nursery.start(database=database, redis=redis_url) for _ in range(2)]
    for person, server in zip(people, servers, strict=True):
        person.base_url = httpx.URL(server.url)
    for one in playing:
        await gone_on(people, one.table, one.acknowledged)
    assert "A Parlour server is using this database" in await house("move", database, last, status=6)
    again = [Under(*people, one.table) for one in playing]
    await asyncio.gather(*(one.more(2) for one in again))
    before = [dict(one.acknowledged) for one in again]
    await house("backup", tmp_path / "backup.db", "--database", database)
    await asyncio.gather(*(one.more(2) for one in again))
    for server in servers:
        server.kill()
    for one in again:
        await one.end()
    for command in (("move", database, last), ("restore", tmp_path / "backup.db", "--database", f"{first}2")):
        await house(*command)
    come(people, nursery.start(database=last))
    for one in again:
        await gone_on(people, one.table, one.acknowledged)
    come(people, nursery.start(database=f"{first}2"))
    for one, moves in zip(again, before, strict=True):
        await gone_on(people, one.table, moves)


async def a_house(file: Path) -> None:
    """Create a house with a game and names of guests."""
    async with Shelf(f"sqlite:///{file}") as shelf:
        match = Match(find("fortune"), names=("Ann", "Bob"), seed=fair.new_seed())
        match.draw()
        await shelf.put("one", match)
        await shelf.store.name_guest("one-0", "Ann")


def said(capsys: pytest.CaptureFixture[str], *arguments: object, status: int) -> str:
    """Run `parlour house ...`; return what it prints."""
    assert run(["house", *map(str, arguments)]) == status
    out, err = capsys.readouterr()
    return " ".join((out + err).split())


@pytest.fixture
def first(tmp_path: Path) -> Path:
    asyncio.run(a_house(tmp_path / "first.db"))
    return tmp_path / "first.db"


def test_nothing_is_overwritten(tmp_path: Path, first: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup, letter = tmp_path / "backup.db", tmp_path / "letter.txt"
    letter.write_text("Dear Ann, this is not a database. " * 100)
    said(capsys, "backup", backup, "--database", f"sqlite:///{first}", status=0)
    kept = {path: path.read_bytes() for path in (backup, letter, first)}
    assert "already exists" in said(capsys, "backup", backup, "--database", f"sqlite:///{first}", status=1)
    assert "already exists" in said(capsys, "backup", letter, "--database", f"sqlite:///{first}", status=1)
    assert "isn't empty" in said(capsys, "restore", backup, "--database", f"sqlite:///{first}", status=1)
    shutil.copy(backup, tmp_path / "other.db")
    assert "isn't empty" in said(capsys, "move", f"sqlite:///{tmp_path}/other.db", f"sqlite:///{first}", status=1)
    assert "are the same database" in said(capsys, "move", f"sqlite:///{first}", f"sqlite:///{first}", status=1)
    assert {path: path.read_bytes() for path in kept} == kept


@pytest.mark.slow
def test_a_backup_that_is_killed_leaves_nothing_of_its_name(
    tmp_path: Path, first: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file under the backup's name is a complete backup; the next run makes another."""
    backup = tmp_path / "backup.db"
    killed = (
        "import os, signal; from parlour.house.database import copying; from parlour.cli.app import run;"
        "copying._copy_file = lambda *_: os.kill(os.getpid(), signal.SIGKILL);"
        f"run(['house', 'backup', {str(backup)!r}, '--database', 'sqlite:///{first}'])"
    )
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == -signal.SIGKILL
    assert not backup.exists()
    said(capsys, "backup", backup, "--database", f"sqlite:///{first}", status=0)
    assert backup.stat().st_mode & 0o777 == 0o600
    assert backup.stat().st_nlink == 1


def test_what_is_no_backup_is_said(tmp_path: Path, first: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann, this is not a database. " * 100)
    other, new = tmp_path / "other.db", f"sqlite:///{tmp_path}/new.db"
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE cats (name)")
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(first.read_bytes()[:-8192])
    before = set(tmp_path.iterdir())
    assert "There is no backup" in said(capsys, "restore", tmp_path / "none.db", "--database", new, status=1)
    assert "not a database" in said(capsys, "restore", tmp_path / "letter.txt", "--database", new, status=6)
    assert "isn't a backup of a house" in said(capsys, "restore", other, "--database", new, status=1)
    assert "malformed" in said(capsys, "restore", damaged, "--database", new, status=6)
    assert "There is no database" in said(capsys, "move", new, f"sqlite:///{other}", status=6)
    for command in ("backup", "rotate-key"):
        files = [tmp_path / "x.db"] if command == "backup" else []
        assert "isn't the database of a house" in said(
            capsys, command, *files, "--database", f"sqlite:///{other}", status=6
        )
        assert "not a database" in said(
            capsys, command, *files, "--database", f"sqlite:///{tmp_path}/letter.txt", status=6
        )
    assert set(tmp_path.iterdir()) == before


def test_a_backup_of_an_older_parlour_is_brought_up_to_date(
    tmp_path: Path, first: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.db"
    shutil.copy(first, old)
    with opened(old) as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(database_module.__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            alembic.downgrade(config, "0003")
        connection.commit()
    kept = old.read_bytes()
    said(capsys, "backup", tmp_path / "again.db", "--database", f"sqlite:///{old}", status=0)  # before the upgrade
    assert "Restored: 1 tables" in said(capsys, "restore", old, "--database", f"sqlite:///{tmp_path}/new.db", status=0)
    assert old.read_bytes() == kept
    asked = "SELECT id, game, names, touched FROM tables", "SELECT * FROM steps", "SELECT * FROM settings ORDER BY key"

    def rows(file: Path) -> list[Any]:
        with contextlib.closing(sqlite3.connect(file)) as connection:
            return [connection.execute(query).fetchall() for query in asked]

    assert rows(tmp_path / "new.db") == rows(first)
    assert "Another version of Parlour" in said(capsys, "rotate-key", "--database", f"sqlite:///{old}", status=6)


def test_a_copy_that_is_not_the_same_is_noticed(
    tmp_path: Path, first: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row is missing, a digit differs, or rows are in another order."""
    fit = copying._count

    async def wrong(*arguments: Any) -> Any:
        found = await fit(*arguments)
        return {**found, "steps": found["steps"]._replace(checksum="0" * 64)}

    monkeypatch.setattr(copying, "_count", wrong)
    text = said(capsys, "move", f"sqlite:///{first}", f"sqlite:///{tmp_path}/new.db", status=6)
    assert "doesn't match the original (steps). Don't use it." in text
    one, other, changed = copying._Sum(), copying._Sum(), copying._Sum()
    one.add([("a", 1, 0.1), ("b", 2, None)])
    other.add([("b", 2, None), ("a", 1, 0.1)])
    changed.add([("b", 2, None), ("a", 1, 0.1 + 2**-54)])
    assert one.count() == other.count() != changed.count()


@pytest.mark.service
async def test_in_postgresql_a_server_is_noticed_also_after_its_connection_was_lost(
    nursery: Nursery, first: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def house(*arguments: object, status: int = 0) -> str:
        return await asyncio.to_thread(said, capsys, *arguments, status=status)

    server = nursery.start(database=database)
    connection = await asyncpg.connect(database)
    locks = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7275467 AND database = " \
            "(SELECT oid FROM pg_database WHERE datname = current_database())"  # fmt: skip
    (before,) = [row["pid"] for row in await connection.fetch(locks)]
    assert "A Parlour server is using" in await house("restore", first, "--database", database, status=6)
    await connection.execute("SELECT pg_terminate_backend($1)", before)
    async with asyncio.timeout(60):
        while before in (found := [row["pid"] for row in await connection.fetch(locks)]) or not found:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    assert "A Parlour server is using" in await house("restore", first, "--database", database, status=6)
    keys = await connection.fetchval("SELECT value FROM settings WHERE key = 'secret'")
    await house("rotate-key", "--database", database)  # which works while servers run
    assert await connection.fetchval("SELECT value FROM settings WHERE key = 'secret'") != keys
    server.kill()
    await connection.execute("SELECT pg_advisory_lock(7275467)")  # as when a house is moved
    store = Store(database)
    with pytest.raises(ParlourError, match="is restoring or moving"):
        await store.open()
    await connection.close()
