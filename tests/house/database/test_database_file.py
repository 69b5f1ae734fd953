"""The file of an SQLite database: who may read it, which process serves it, and what happens when it disappears."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import logging
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.core.errors import ParlourError
from parlour.house.database.files import HeldFile
from parlour.house.database.sqlite import PATIENCE
from parlour.house.database.store import Store
from parlour.house.errors import StoreFailed
from parlour.house.house import House
from tests.house.people import Person, turn, two_at_table, written_by_another
from tests.house.serving import Nursery

LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.usefixtures("umask")
async def test_only_the_owner_reads_the_file_and_what_lies_beside_it(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/new/house/parlour.db")
    await store.open()
    await store.name_guest("a", "Ann")
    found = {path.name: mode(path) for path in (tmp_path / "new/house").iterdir()}
    await store.close()
    assert found == dict.fromkeys(["parlour.db", "parlour.db-wal", "parlour.db-shm", "parlour.db.lock"], 0o600)
    assert mode(tmp_path / "new") == mode(tmp_path / "new/house") == 0o700


async def test_a_file_that_others_could_read_is_narrowed_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    os.chmod(tmp_path, 0o755)
    address = f"sqlite:///{tmp_path}/parlour.db"
    store = Store(address)
    await store.open()
    await store.close()
    wide = [tmp_path / "parlour.db", tmp_path / "parlour.db.lock"]
    for path in wide:
        path.chmod(0o644)
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        await (again := Store(address)).open()
    await again.close()
    assert [mode(path) for path in wide] == [0o600, 0o600]
    assert "parlour.db (644). Now only its owner can (600)." in caplog.text
    assert mode(tmp_path) == 0o755  # an existing folder keeps its mode


async def test_a_hard_link_is_refused(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/parlour.db"
    store = Store(address)
    await store.open()
    await store.close()
    (tmp_path / "other").mkdir()
    os.link(tmp_path / "parlour.db", tmp_path / "other/parlour.db")
    for name in ("parlour.db", "other/parlour.db"):
        with pytest.raises(ParlourError, match="other names") as caught:
            await Store(f"sqlite:///{tmp_path}/{name}").open()
        assert caught.value.code == "database-unreachable"


@pytest.mark.whole
def test_a_second_server_is_refused_under_a_name_that_is_mounted_elsewhere(nursery: Nursery, tmp_path: Path) -> None:
    """A container sees the same file under another path, without a link, and so another lock beside it."""
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")
    (tmp_path / "there").mkdir()
    other = tmp_path / "there/parlour.db"
    other.touch()
    if subprocess.run(["mount", "--bind", tmp_path / "parlour.db", other], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        with pytest.raises(ParlourError, match="Another Parlour is already serving"):
            asyncio.run(Store(f"sqlite:///{other}").open())
        server.kill()
    finally:
        subprocess.run(["umount", other], check=True)


def test_the_file_itself_is_locked(tmp_path: Path) -> None:
    """The lock beside it is not enough, because two names do not share it."""
    held = HeldFile(tmp_path / "parlour.db")
    (tmp_path / "parlour.db.lock").unlink()  # as if another process used another name
    with pytest.raises(ParlourError, match="Another Parlour is already serving"):
        HeldFile(tmp_path / "parlour.db")
    held.release()
    HeldFile(tmp_path / "parlour.db").release()


async def test_without_locks_it_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(ParlourError, match="a file system without locks") as caught:
        await Store(f"sqlite:///{tmp_path}/parlour.db").open()
    assert caught.value.code == "database-unreachable"


@pytest.mark.parametrize("way", ["deleted", "replaced", "moved away", "cut off", "emptied"])
async def test_a_database_that_goes_under_the_server_is_noticed(
    way: str, ann: Person, bob: Person, house: House, tmp_path: Path
) -> None:
    table = await two_at_table(ann, bob)
    file, away = tmp_path / "parlour.db", tmp_path / "away.db"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert await house.store.check() == house.store.why_not_ready() == ""
    shutil.copy(file, away)
    person, seen = await turn(table, ann, bob)
    match way:
        case "deleted":
            file.unlink()
        case "replaced":
            away.replace(file)
        case "moved away":
            file.replace(away)
        case _:
            os.truncate(file, 8192 if way == "cut off" else 0)
    body = {"move": seen["legal"][-1], "version": seen["table"]["version"]}
    error = await person.refused(f"tables/{table}/moves", 503, "storage-failed", **body)
    await ann.refused(f"tables/{table}/pace", 503, "storage-failed", pace="fast")
    assert "The house's database" in error["message"]
    assert await house.store.check() == error["message"] == house.store.why_not_ready()
    if way == "moved away":
        away.replace(file)
        await person.do(f"tables/{table}/moves", **body)
        assert await house.store.check() == house.store.why_not_ready() == ""


async def test_a_database_that_another_program_shrinks_in_order_is_served_on(
    ann: Person, bob: Person, house: House, tmp_path: Path
) -> None:
    await two_at_table(ann, bob)
    with sqlite3.connect(tmp_path / "parlour.db", isolation_level=None) as connection:
        connection.execute("CREATE TABLE more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                           "WHERE i < 1000) SELECT hex(randomblob(500)) FROM n")  # fmt: skip
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        large = (tmp_path / "parlour.db").stat().st_size
        assert await house.store.check() == ""
        connection.execute("DROP TABLE more")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert (tmp_path / "parlour.db").stat().st_size < large
    await two_at_table(ann, bob)


async def test_a_lock_of_another_program_delays_all_writers_once(
    ann: Person, bob: Person, house: House, tmp_path: Path
) -> None:
    """Each is refused after its own timeout, not after those of all before it; reads continue."""
    tables = [await two_at_table(ann, bob) for _ in range(2)]
    other = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", LOCK, tmp_path / "parlour.db"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        began = time.monotonic()
        waited: list[float] = []

        async def write(number: int) -> None:
            await asyncio.sleep(number / 100)
            started = time.monotonic()
            if number % 2:  # a transaction in one piece, and one in several
                with pytest.raises(StoreFailed, match="Another program has locked"):
                    await house.store.name_guest(f"guest-{number}", "Eve")
            else:
                with pytest.raises(StoreFailed, match="Another program has locked"):
                    async with house.store.change(tables[0]) as change:
                        await change.set(pace=1.0)
            waited.append(time.monotonic() - started)

        writers = [asyncio.create_task(write(number)) for number in range(60)]
        await asyncio.sleep(0.5)
        assert (await ann.get(f"/api/tables/{tables[1]}")).status_code == 200  # reading does not wait
        await asyncio.gather(*writers)
        print([f"{seconds:.1f}" for seconds in waited])
        assert all(PATIENCE - 0.5 < seconds < PATIENCE + 4 for seconds in waited)
        assert time.monotonic() - began < 4 * PATIENCE  # not one wait after the other
    finally:
        other.communicate("")
    await house.store.name_guest("guest-0", "Eve")


async def test_a_short_lock_of_another_program_is_waited_for(ann: Person, house: House) -> None:
    with written_by_another(house):
        writing = asyncio.create_task(ann.do("me", name="Anna"))
        await asyncio.sleep(0.6)
        assert not writing.done()
    assert (await writing)["name"] == "Anna"
