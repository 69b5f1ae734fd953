"""A house opens only if the database can do what it needs, reports when it no longer can, and drops bad connections."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from litestar import Litestar
from sqlalchemy.ext.asyncio import create_async_engine

from parlour.house.database import files, sqlite
from parlour.house.database import postgresql as postgres
from parlour.house.database.store import Store
from parlour.house.errors import DatabaseUnreachable, StoreFailed
from parlour.house.house import House
from parlour.house.http import health
from tests.house.http.test_health import ask, until
from tests.house.people import Person, two_at_table, written_by_another
from tests.house.serving import free_port

ODD = ("a ü王 b.db", "q?mode=ro&uri=true#x%20%3f'\".db")


async def opens(address: str) -> None:
    """Open a database, write into it, and close it."""
    store = Store(address)
    await store.open()
    assert await store.check() == ""
    await store.close()


async def refusal(address: str) -> str:
    """Return why a database cannot be used: one or two sentences, without a traceback."""
    with pytest.raises(DatabaseUnreachable) as caught:
        await opens(address)
    assert "\n" not in caught.value.message
    return caught.value.message


@pytest.mark.parametrize("name", ODD)
async def test_the_file_that_is_named_is_the_one_that_is_used(tmp_path: Path, name: str) -> None:
    await opens(f"sqlite:///{tmp_path}/{name}")
    assert sorted(os.listdir(tmp_path)) == [name, f"{name}.lock"]


async def test_a_file_that_is_damaged_is_refused_in_a_sentence(tmp_path: Path) -> None:
    await opens(f"sqlite:///{tmp_path}/whole.db")
    whole = (tmp_path / "whole.db").read_bytes()
    damaged = {
        "cut": whole[: len(whole) // 2],
        "short": whole[:100],
        "head": bytes(100) + whole[100:],
        "zero": bytes(len(whole)),
        "text": b"hello",
        "inside": whole[:4096] + b"\xa5" * (len(whole) - 4096),
    }
    for name, data in damaged.items():
        file = tmp_path / f"{name}.db"
        file.write_bytes(data)
        said = await refusal(f"sqlite:///{file}")
        assert "can't be used" in said, name
        assert "not a database" in said or "malformed" in said, name
        assert file.read_bytes() == data, name  # and left as it was


async def test_a_place_that_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file/x.db", tmp_path / ("x" * 300), "/proc/none/x.db", tmp_path / "a\0b"):
        assert await refusal(f"sqlite:///{place}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")
async def test_a_folder_that_may_only_be_read_is_refused_in_a_sentence(tmp_path: Path) -> None:
    await opens(f"sqlite:///{tmp_path}/house.db")
    for path in (tmp_path / "house.db", tmp_path, tmp_path.parent, tmp_path.parent.parent):
        path.chmod(path.stat().st_mode | 0o055 if path.is_dir() else 0o444)
    try:
        os.seteuid(65534)
        assert "Permission denied" in await refusal(f"sqlite:///{tmp_path}/house.db")
        assert "Permission denied" in await refusal(f"sqlite:///{tmp_path}/new.db")
    finally:
        os.seteuid(0)


async def test_a_disk_without_room_is_said_at_the_start_and_meanwhile(
    app: Litestar, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await ask(app)).status_code == 200
    monkeypatch.setattr(files, "ROOM", 2**62)
    assert "is full" in await house.store.check()
    answer = await until(app, lambda answer: answer.status_code == 503)
    assert answer.json()["why"] == [health.WRITING]
    assert "is full" in await refusal(f"sqlite:///{tmp_path}/other.db")
    monkeypatch.setattr(files, "ROOM", 0)
    assert await house.store.check() == ""
    await until(app, lambda answer: answer.status_code == 200)


async def test_a_write_that_failed_makes_the_next_look_write(
    app: Litestar, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many requests come, a check writes once in ten seconds, or after a failure."""
    monkeypatch.setattr(health, "KEPT", 0.0)
    made: list[str] = []
    house.store.timed = lambda operation, _: made.append(operation)
    for _ in range(20):
        assert (await ask(app)).status_code == 200
    assert made.count("accepted_keys") > 1
    assert made.count("prove") <= 1
    monkeypatch.setattr(sqlite, "PATIENCE", 0.1)
    with written_by_another(house):
        with pytest.raises(StoreFailed):
            await house.store.name_guest("a", "Ann")
        answer = await until(app, lambda answer: answer.status_code == 503)
        assert answer.json()["why"] == [health.WRITING]
    await until(app, lambda answer: answer.status_code == 200)


async def test_a_foreign_lock_makes_nobody_wait_for_long(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    with written_by_another(house):
        began = time.monotonic()
        answers = await asyncio.gather(
            *(who.post(f"/api/tables/{table}/chat", json={"text": "?"}) for who in (ann, bob))
        )
        waited = time.monotonic() - began
    assert {answer.status_code for answer in answers} == {503}
    assert sqlite.PATIENCE == 2 <= waited < 8


@pytest.mark.service
class TestPostgresql:
    """The same checks of PostgreSQL, and of PgBouncer in front of it."""

    @pytest.fixture
    async def pooler(self, postgresql: str, tmp_path: Path) -> AsyncIterator[Any]:
        """Yield a function that starts PgBouncer in a mode, and returns the address of the database behind it."""
        program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
        if program is None:
            pytest.skip("PgBouncer is not installed.")
        url, started = sa.make_url(postgresql), []

        async def start(mode: str) -> str:
            port = free_port()
            (tmp_path / "users").write_text(f'"{url.username}" ""\n')
            settings = tmp_path / "pgbouncer.ini"
            settings.write_text(
                f"[databases]\n* = host={url.host} port={url.port or 5432}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
                f"listen_port = {port}\nauth_type = any\nauth_file = {tmp_path}/users\npool_mode = {mode}\n"
                f"unix_socket_dir =\n"
            )
            settings.write_text(settings.read_text().replace("* = ", f"{url.database} = user={url.username} "))
            for path in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
                path.chmod(0o755)
            user = ("-u", "nobody") if os.geteuid() == 0 else ()
            started.append(await asyncio.create_subprocess_exec(program, "-q", *user, str(settings)))
            async with asyncio.timeout(20):
                while True:
                    try:
                        _, writer = await asyncio.open_connection("127.0.0.1", port)
                    except OSError:
                        await asyncio.sleep(0.05)
                    else:
                        writer.close()
                        return url.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)

        yield start
        for process in started:
            process.terminate()
            await process.wait()

    async def test_a_pooler_that_shares_sessions_is_refused(self, pooler: Any) -> None:
        assert "pool_mode = session" in await refusal(await pooler("transaction"))
        assert "statement pooling mode" in await refusal(await pooler("statement"))

    async def test_a_pooler_that_keeps_sessions_is_as_good_as_none(self, pooler: Any) -> None:
        await opens(await pooler("session"))

    async def test_a_database_that_cannot_hold_every_name_is_refused(self, postgresql: str) -> None:
        url = sa.make_url(postgresql)
        other = f"{url.database}_latin1"
        engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(sa.text(f'DROP DATABASE IF EXISTS "{other}"'))
            latin = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
            await connection.execute(sa.text(f'CREATE DATABASE "{other}" {latin}'))
            try:
                said = await refusal(url.set(database=other).render_as_string(hide_password=False))
                assert "LATIN1" in said
                assert "UTF8" in said
            finally:
                await connection.execute(sa.text(f'DROP DATABASE "{other}"'))
        await engine.dispose()

    async def test_a_session_that_has_gone_wrong_is_dropped(self, postgresql: str) -> None:
        store = Store(postgresql)
        await store.open()
        wrong = sa.text("SET SESSION default_transaction_read_only = on")
        async with store.write() as connection:
            await connection.execute(wrong)
        failed = 0
        for number in range(5):
            try:
                await store.name_guest(f"guest-{number}", "Ann")
            except StoreFailed:
                failed += 1
        assert failed <= 1  # the one that noticed it
        assert await store.check() == ""
        await store.close()

    async def test_a_foreign_lock_makes_nobody_wait_for_long(self, postgresql: str) -> None:
        store = Store(postgresql)
        await store.open()
        engine = create_async_engine(postgresql)
        async with engine.begin() as other:
            await other.execute(sa.text("LOCK TABLE guests IN ACCESS EXCLUSIVE MODE"))
            began = time.monotonic()
            with pytest.raises(StoreFailed, match="lock timeout"):
                await store.name_guest("guest", "Ann")
            assert postgres.PATIENCE == 2 <= time.monotonic() - began < 8
        await store.name_guest("guest", "Ann")
        await engine.dispose()
        await store.close()
