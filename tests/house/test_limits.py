"""What a house keeps in memory has a limit, and something sensible happens there (docs/limits.md).

Here is what no other test reaches: each case goes beyond its limit, which is small here. `database/test_rows.py` does
the same for what a house stores.
"""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from parlour.house.accounts import export, guests, origins, streams
from parlour.house.accounts.export import Exports
from parlour.house.accounts.guests import Guests
from parlour.house.accounts.origins import Origins
from parlour.house.accounts.streams import Streams
from parlour.house.analysis import jobs as analysis_jobs
from parlour.house.analysis.jobs import Analysis, Analyst
from parlour.house.database import schema as s
from parlour.house.database import sqlite
from parlour.house.database.sqlite import Sqlite
from parlour.house.errors import Busy, StoreFailed
from parlour.house.house import House
from parlour.house.http import answering, descriptors
from parlour.house.http.descriptors import Seldom
from parlour.house.lobby import lists
from parlour.house.lobby.lists import Lobby
from parlour.house.news import fanout
from parlour.house.news.fanout import Fanout, News
from parlour.house.news.peers import Peers
from parlour.house.social import regards
from parlour.house.social.regards import Regards
from parlour.house.social.rows import NOBODY
from parlour.house.table.play.seating import MOST_SEATS
from parlour.house.table.storage.queries import CHAT_KEPT
from parlour.house.workers import watchdog
from parlour.house.workers.watchdog import Stall, Watchdog
from tests.house.people import ME, OPEN, Person, guest_of

MOST = 3


# In memory ---------------------------------------------------------------------------------------------
def test_guests_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "_REMEMBERED", MOST)
    some = Guests(MagicMock(), ["key"], Peers(None, shared=False))
    ids = [some.new() for _ in range(5)]
    assert list(some._names) == ids[-MOST:]


def test_addresses_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origins, "REMEMBERED", MOST)
    monkeypatch.setattr(origins, "MAKERS", 2)
    some = Origins(MagicMock(), limits=True)
    for number in range(5):
        some.note(f"guest {number}", f"address {number}")
        some.made(f"guest {number}", f"table {number}")
    assert list(some._addresses) == ["guest 2", "guest 3", "guest 4"]
    assert some.of("guest 0") == ""
    assert list(some._made) == ["address 3", "address 4"]


def test_of_few_sessions_it_is_known_when_they_were_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST", MOST)
    some = Streams(MagicMock(), lambda: True, lambda _: None, lambda *_: False)
    assert all(some.is_news(f"session {number}") for number in range(5))
    assert len(some._saw) == MOST
    assert not some.is_news("session 4")
    assert some.is_news("session 0")


def test_who_looks_at_the_lobby_now_and_then_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order in which they came last, at the latest after some seconds."""
    monkeypatch.setattr(lists, "LATELY", MOST)
    lobby, clock = Lobby(MagicMock(), lambda: True, {}), MagicMock(return_value=100.0)
    monkeypatch.setattr(lists.time, "monotonic", clock)
    for guest in "abcdb":
        lobby.ask(guest)
    assert list(lobby.lately) == ["c", "d", "b"]
    assert lobby.here() == {*"bcd"}
    clock.return_value += lists.HERE
    lobby.ask("e")
    assert list(lobby.lately) == ["e"]


async def test_regards_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regards, "REMEMBERED", MOST)
    store = MagicMock(ask=AsyncMock(side_effect=lambda work: dict.fromkeys(work.keywords["guests"], NOBODY)))
    some = Regards(store, lambda: True, set, lambda _: None)
    for guest in "abcde":
        await some.of(guest)
    assert list(some._known) == ["c", "d", "e"]


def test_news_that_redis_is_too_slow_for_become_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says that everything is to be checked, so nothing is lost."""
    monkeypatch.setattr(fanout, "MOST", MOST)
    one = Fanout("redis://127.0.0.1:1", AsyncMock(), lambda: None)
    one.connected = True
    for number in range(MOST):
        one.tell(f"table {number}")
        one.tell(f"table {number}")
    assert len(one._outbox) == MOST
    one.tell("another table")
    assert list(one._outbox.values()) == [News(one.name)]


async def test_few_compressed_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "KEPT", MOST)
    monkeypatch.setattr(answering, "_made", {})
    for number in range(5):
        answer = await answering.same(MagicMock(headers={}), b"%d" % number, "text/plain")
        assert answer.content == b"%d" % number
    assert [data for data, _ in answering._made] == [b"2", b"3", b"4"]


def test_few_messages_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "MESSAGES", MOST)
    seldom, log = Seldom(), descriptors.logging.getLogger("a test")
    for number in range(20):
        for passes in (True, False):
            record = log.makeRecord(log.name, descriptors.logging.WARNING, "", 0, "%d", (number,), None)
            assert seldom.filter(record) is passes
        assert len(seldom._said) <= MOST


async def test_few_exports_are_made_at_a_time(ann: Person, house: House) -> None:
    """Those that begin at the same moment wait for each other; any that come later are refused."""
    some, guest = Exports(), await guest_of(ann)
    made = [some.begin(house, guest) for _ in range(export.TOGETHER + 1)]
    for one in made[:-1]:
        assert await anext(one)
    with pytest.raises(Busy):
        some.begin(house, guest)
    waits = asyncio.ensure_future(anext(made[-1]))
    await asyncio.sleep(0.05)
    assert not waits.done()
    await made[0].aclose()
    assert await waits
    for one in made:
        await one.aclose()


async def test_a_table_shows_its_last_messages(ann: Person, house: House) -> None:
    table = await ann.make(ME, OPEN)
    for number in range(CHAT_KEPT + 2):
        await ann.do(f"tables/{table}/chat", text=f"{number}")
    chat = [line.text for line in (await house.table(table)).chat]
    assert chat == [f"{number}" for number in range(2, CHAT_KEPT + 2)]
    assert (await house.store.load(table)).chat == (await house.table(table)).chat


async def test_a_table_has_so_many_seats(ann: Person) -> None:
    await ann.refused("tables", 400, "bad-setup", game="fortune", seats=[OPEN] * MOST_SEATS)
    error = await ann.refused("tables", 400, "bad-input", game="fortune", seats=[OPEN] * (MOST_SEATS + 1))
    assert f"length <= {MOST_SEATS}" in error["message"]


def test_few_analyses_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_jobs, "KEPT", MOST)
    analyst = Analyst(MagicMock())
    for number in range(5):
        analyst._remember(f"{number}", Analysis([]))
    assert list(analyst.kept) == ["2", "3", "4"]


def test_few_stalls_are_remembered_and_all_are_counted() -> None:
    some = Watchdog()
    some._queue = MagicMock(known=True)
    for number in range(watchdog.KEPT + 5):
        some._note(Stall(0.2, 0.0, "selectors.py", "other", float(number)), 0.0)
    assert (len(some.stalls), some.count) == (watchdog.KEPT, watchdog.KEPT + 5)
    assert some.stalls[0].at == 5.0


# Queues of the database --------------------------------------------------------------------------------
@pytest.fixture
async def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sqlite, "WAITING", MOST)
    found = Sqlite(make_url(f"sqlite:///{tmp_path}/parlour.db"))
    await found.open()
    yield found
    await found.close()


async def test_few_writes_wait_for_a_commit(database: Sqlite) -> None:
    def write(number: int, connection: sa.Connection) -> int:
        connection.execute(sa.insert(s.settings).values(key=f"{number}", value=""))
        return number

    async with database.writing():
        wanted = [asyncio.create_task(database.write(partial(write, number))) for number in range(MOST)]
        await asyncio.sleep(0)
        with pytest.raises(StoreFailed, match="Too much waits"):
            await database.write(partial(write, MOST))
    assert await asyncio.gather(*wanted) == [*range(MOST)]
    assert await database.write(partial(write, MOST)) == MOST


async def test_few_reads_wait_for_a_thread(database: Sqlite) -> None:
    free = threading.Event()
    wanted = [asyncio.create_task(database.read(lambda _: free.wait(10))) for _ in range(MOST)]
    await asyncio.sleep(0)
    with pytest.raises(StoreFailed, match="Too much waits"):
        await database.read(lambda _: True)
    free.set()
    assert await asyncio.gather(*wanted) == [True] * MOST
    assert await database.read(lambda _: True)
