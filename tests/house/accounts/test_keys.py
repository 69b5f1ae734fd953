"""Keys of cookies: changed while the house is open; and cookies under https."""

from __future__ import annotations

import asyncio
import math
import sqlite3
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.cli.app import run
from parlour.house.accounts import guests
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.guests import COOKIE, SECURE_COOKIE
from parlour.house.accounts.rows import Who
from parlour.house.app import create_app, open_house
from parlour.house.database import keys as keyring
from parlour.house.database.store import Store
from parlour.house.database.visiting import visit
from parlour.house.house import House
from parlour.house.settings import Settings
from tests.house.people import Person
from tests.house.serving import Nursery


def rotate(database: str, *arguments: str) -> None:
    assert run(["house", "rotate-key", "--database", database, *arguments]) == 0


async def until(person: Person, good: Callable[[Any], bool]) -> None:
    """Wait until the server's answer about a person is `good`."""
    async with asyncio.timeout(30):
        while not good((await person.get("/api/me")).json()):  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def test_a_server_takes_up_a_new_key_and_replaces_cookies(nursery: Nursery, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/parlour.db"
    server = nursery.start(database=database)
    async with Person(base_url=server.url) as ann, Person(base_url=server.url) as bob:
        before = await ann.do("me", name="Ann")
        await bob.do("me", name="Bob")
        old = ann.cookies[COOKIE]
        await asyncio.to_thread(rotate, database)
        await until(ann, lambda _: ann.cookies[COOKIE] != old)
        again = await ann.get("/api/me")
        assert again.json() == before
        assert "set-cookie" not in again.headers  # once
        await asyncio.to_thread(rotate, database, "--accept-days", "0")  # and no older cookie is accepted
        await until(bob, lambda guest: not guest["named"])
        ann.cookies.set(COOKIE, old)
        assert (await ann.get("/api/me")).json()["id"] != before["id"]


async def test_old_keys_are_accepted_for_their_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(address := f"sqlite:///{tmp_path}/parlour.db")
    await store.open()

    async def rotated(accepted_for: float) -> int:
        async with visit(address) as connection:
            return await connection.run_sync(lambda found: keyring.rotate(found, accepted_for))

    (first,) = await store.keys()
    assert await rotated(100) == 1
    assert await rotated(200) == 2
    keys = await store.keys()
    assert keys[0] == first
    assert len(set(keys)) == 3
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 150)
    assert await store.keys() == keys[1:]
    assert await rotated(10) == 2
    monkeypatch.setattr(time, "time", lambda: now + 161)
    assert len(await store.keys()) == 1
    await store.close()
    with sqlite3.connect(tmp_path / "parlour.db") as connection:
        assert connection.execute("SELECT count(*) FROM settings WHERE key <> 'proof'").fetchone() == (2,)
    connection.close()


@pytest.mark.parametrize("days", ["inf", "1e300", "401"])
async def test_no_key_is_accepted_for_ever(tmp_path: Path, days: str) -> None:
    """JSON has no number for infinity: no server, and no later `rotate-key`, could read the keys."""
    store = Store(address := f"sqlite:///{tmp_path}/parlour.db")
    await store.open()
    assert await asyncio.to_thread(run, ["house", "rotate-key", "--database", address, "--accept-days", days]) == 2
    async with visit(address) as connection:
        assert await connection.run_sync(lambda found: keyring.rotate(found, math.inf)) == 1
    assert len(await store.keys()) == 2
    await asyncio.to_thread(rotate, address, "--accept-days", "400")
    assert len(await store.keys()) == 3
    await store.close()


def test_a_house_that_does_not_exist_is_not_made(tmp_path: Path) -> None:
    for command in (["rotate-key"], ["backup", f"{tmp_path}/x.db"]):
        assert run(["house", *command, "--database", f"sqlite:///{tmp_path}/none.db"]) == 6
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", base_url="https://house.test")


async def test_under_https_no_other_host_can_set_the_cookie(app: Litestar, house: House) -> None:
    async with Person(transport=httpx.ASGITransport(app=app), base_url="https://house.test") as ann:
        answer = await ann.get("/api/me")
        (cookie,) = SimpleCookie(answer.headers["set-cookie"]).values()
        assert cookie.key == SECURE_COOKIE == "__Host-parlour_guest"
        assert (cookie["path"], cookie["domain"], cookie["secure"], cookie["httponly"]) == ("/", "", True, True)
        mine = answer.json()["id"]
        assert (await ann.get("/api/me")).json()["id"] == mine
        thrown = house.guests.sign(house.guests.new())  # from another host of the domain: ours comes first
        ann.cookies.set(COOKIE, thrown, domain="house.test")
        assert (await ann.get("/api/me")).json()["id"] == mine


async def test_a_cookie_from_before_https_is_accepted_and_replaced(app: Litestar, house: House) -> None:
    guest = house.guests.new()
    sent = {"cookie": f"{COOKIE}={house.guests.sign(guest)}"}
    async with Person(transport=httpx.ASGITransport(app=app), base_url="https://house.test") as ann:
        answer = await ann.get("/api/me", headers=sent)
        assert answer.json()["id"] == guest
        new, gone = answer.headers.get_list("set-cookie")
        assert new.startswith(f"{SECURE_COOKIE}=")
        assert gone.startswith(f"{COOKIE}=")
        assert "Max-Age=0" in gone
        assert (await ann.get("/api/me")).json()["id"] == guest


async def test_guests_without_a_name_are_not_looked_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/other.db", pace=0, engine="plain"))
    house = await open_house(app)
    asked: list[str] = []
    look = account_rows.who

    def counted(connection: sa.Connection, guest: str) -> Who:
        asked.append(guest)
        return look(connection, guest)

    monkeypatch.setattr(account_rows, "who", counted)
    async with Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as ann:
        for _ in range(5):
            assert not (await ann.get("/api/me")).json()["named"]
        assert asked == []  # a new guest has no name, so the database is not asked
        house.guests.forget((await ann.get("/api/me")).json()["id"])
        for _ in range(5):
            await ann.get("/api/me")
        assert len(asked) == 1
        await ann.do("me", name="Ann")
        assert (await ann.get("/api/me")).json()["name"] == "Ann"
    assert guests._REMEMBERED == 10_000
    monkeypatch.setattr(guests, "_REMEMBERED", 100)
    for number in range(200):
        await house.guests.guest(f"guest-{number}")
    assert len(house.guests._names) == 100
    await house.close()
