"""The log of requests: one line for each, without any secret of a table."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import logging
import os
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from logging.handlers import QueueHandler
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
import sqlalchemy as sa

from parlour.house.accounts.guests import COOKIE
from parlour.house.database import schema
from parlour.house.database.store import Conflict, Store
from parlour.house.http import logs
from parlour.house.http.logs import Line, kept
from parlour.house.http.noting import Noted, shown_path
from parlour.house.measures import Measures
from tests.house.forging import ROYALE_SEATS
from tests.house.people import LINK, ME, Person, turn
from tests.house.serving import Nursery

CHAT = "meet me behind the barn"
TEXT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z (GET|POST) (\S+) (\d{3}) ([\d.]+) ms (\d+) B \(([0-9a-f]{8})\)")


@pytest.fixture
def heard(tmp_path: Path) -> Path:
    """Return the file with the servers' standard error."""
    return tmp_path / "stderr"


def said(heard: Path) -> str:
    return heard.read_text()


def secrets(database: Path, table: str) -> set[str]:
    """Return what the log may not contain: the seed, links to seats, guests' ids, messages and moves."""
    with closing(sqlite3.connect(database)) as connection:
        queries = {
            "SELECT seed FROM tables WHERE id = ?": 1, "SELECT token FROM seats WHERE table_id = ?": 1,
            "SELECT guest_id FROM seats WHERE table_id = ?": 1, "SELECT text FROM chat WHERE table_id = ?": 1,
            "SELECT text FROM steps WHERE table_id = ?": 1, "SELECT value FROM settings": 0,
        }  # fmt: skip
        rows = [row for query, n in queries.items() for row in connection.execute(query, (table,) * n)]
    return {str(row[0]) for row in rows if row[0]}


async def whose(table: str, *people: Person) -> tuple[Person, Any]:
    """Return the player whose turn it is, after any open question."""
    while True:
        with suppress(AssertionError):
            return await turn(table, *people)
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("way", ["text", "json"])
@pytest.mark.suite("text")
async def test_no_secret_is_in_the_log(nursery: Nursery, heard: Path, tmp_path: Path, way: str) -> None:
    """Play a game with hidden hands, joined by a link: moves, refused moves, chat, hints, pages and streams."""
    database = tmp_path / "parlour.db"
    server = nursery.start(database=f"sqlite:///{database}", log=way, patience=0.1, said=str(heard))
    async with Person(base_url=server.url, timeout=30) as ann, Person(base_url=server.url, timeout=30) as bob:
        await ann.do("me", name="Annabella")
        await bob.do("me", name="Robertino")
        made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, LINK], public=False, hints=True)
        table = made["id"]
        with closing(sqlite3.connect(database)) as connection:
            (token,) = connection.execute(
                "SELECT token FROM seats WHERE table_id = ? AND token <> ''", (table,)
            ).fetchone()
        for path in (f"/t/{table}/join/{token}", f"/t/{table}/join/{token}/", f"/t/{table}/j%6Fin/{token}/x?a={token}"):
            await bob.get(path, headers={"Referer": f"{server.url}/t/{table}/join/{token}"})
        assert (await bob.get(f"/t/{table}/join/{token}/qr")).is_success
        await bob.post(f"/t/{table}/join/{token}")
        await bob.do(f"tables/{table}/sit", token=token, words="my own words")
        await ann.do(f"tables/{table}/start")
        streams = [asyncio.create_task(one.get(f"/api/tables/{table}/events")) for one in (ann, bob)]
        await bob.do(f"tables/{table}/chat", text=CHAT)
        for _ in range(6):
            person, seen = await whose(table, ann, bob)
            body = {"move": seen["legal"][0], "version": seen["table"]["version"], "id": "a-name-of-the-move"}
            await person.post(f"/api/tables/{table}/hint", json={"version": body["version"]})
            await person.post(f"/api/tables/{table}/moves?move={body['move']}", json=body)
            await person.post(f"/api/tables/{table}/moves", json={**body, "move": "castle"})
            await ann.get(f"/t/{table}")
        await ann.get("/t/a%0A2026-01-01T00:00:00Z%20GET%20/made-up%20200")  # it adds no line of its own
        cookies = [str(person.cookies[COOKIE]) for person in (ann, bob)]
        for stream in streams:
            stream.cancel()
    hidden = secrets(database, table) | {*cookies, token, CHAT, "Annabella", "Robertino", "my own words", "castle"}
    assert len(hidden) > 15
    while (text := said(heard)).count("/events") < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    found = text.splitlines()
    server.kill()
    words = {word for secret in hidden for word in (secret, secret.replace(" ", "%20")) if len(word) > 2}
    assert {word for word in words if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)} == set()
    requests = [line for line in found if "/api/" in line or "/t/" in line]
    if way == "text":
        assert all(TEXT.fullmatch(line) for line in requests), requests
        texts = [TEXT.fullmatch(line)[2] for line in requests]  # type: ignore[index]
    else:
        keys = {"time", "level", "method", "path", "status", "ms", "bytes", "id"}
        assert all(set(json.loads(line)) == keys for line in requests)
        texts = [json.loads(line)["path"] for line in requests]
    assert f"/t/{table}/join/-" in texts
    assert sum(path.endswith("/events") for path in texts) == 2  # a stream is logged at its end
    assert sum(path.endswith("/moves") for path in texts) == 12
    assert not any("made-up" in line and line.startswith("2026-01-01") for line in found)


async def test_without_an_option_a_house_keeps_no_log(nursery: Nursery, heard: Path, tmp_path: Path) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", said=str(heard))
    async with httpx.AsyncClient(base_url=server.url) as client:
        assert (await client.get("/")).status_code == 200
    server.kill()
    assert not re.search(r"GET|/api/|200", said(heard))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/t/ab12/join/secret", "/t/ab12/join/-"),
        ("/t/ab12/JOIN/secret/more", "/t/ab12/JOIN/-"),
        ("/t/ab12/join%2Fsecret", "/t/ab12/join/-"),
        ("/t/ab12/join\nsecret", "/t/ab12/join/-"),
        ("/t/ab\n12", "/t/ab%0A12"),
        ("/t/ab12/joiner", "/t/ab12/joiner"),
        ("/rules/fortune", "/rules/fortune"),
        ("/" + "x" * 500, "/" + "x" * 199),
    ],
)
def test_what_is_shown_of_a_path(path: str, shown: str) -> None:
    assert shown_path(path) == shown


async def test_of_a_failing_database_the_log_tells_no_values(tmp_path: Path) -> None:
    """What is logged about an error of the database contains no seed and no message."""
    store = Store(f"sqlite:///{tmp_path}/parlour.db")
    await store.open()
    row = sa.insert(schema.settings).values(key="twice", value="a seed that must stay secret")
    async with store.write() as connection:
        await connection.execute(row)
    with pytest.raises(Conflict) as caught:
        async with store.write() as connection:
            await connection.execute(row)
    await store.close()
    assert "UNIQUE" in str(caught.value)
    assert "must stay secret" not in f"{caught.value} {caught.value.__cause__}"


def test_a_log_that_nobody_reads_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST", 100)
    reading, end = os.pipe()
    os.set_blocking(reading, False)
    line = Line("GET", "/" + "x" * 150, 200, 1.0, 10, "00000000")
    text = ""
    with os.fdopen(end, "w") as writing, kept("text", writing) as write:
        for _ in range(5_000):  # more than any pipe holds
            write(line)
        while "Dropped" not in text:  # the number so far depends on the writer's thread
            write(line)
            with suppress(BlockingIOError):
                text += os.read(reading, 1 << 16).decode()
            time.sleep(0.001)
    os.close(reading)
    whole = text.splitlines()[:-1]
    assert len(whole) > 50
    assert all("xxx 200" in one or "Dropped" in one for one in whole)


@pytest.mark.parametrize("way", ["text", "json"])
def test_the_queue_of_logging_takes_requests_and_warnings_in_order(way: Literal["text", "json"]) -> None:
    line, stream = Line("GET", "/t/ab12", 200, 1.25, 10, "0000abcd"), io.StringIO()
    with kept(way, stream) as write:
        assert [type(one).__mro__[1] for one in logging.getLogger().handlers].count(QueueHandler) == 1
        write(line)
        logs.request_id.set("0000abcd")
        try:
            raise KeyError("seven")
        except KeyError:
            logging.getLogger("parlour.test").exception("no %s", "card")
        logs.request_id.set("")
        logging.getLogger("parlour.test").warning("a line\nbreak")
        write(line)
    text = re.sub(r"[\d-]+T[\d:.]+Z", "NOW", stream.getvalue())
    if way == "text":
        request = "NOW GET /t/ab12 200 1.2 ms 10 B (0000abcd)\n"
        assert text.startswith(f"{request}NOW ERROR no card\nTraceback (most recent call last):\n")
        assert text.endswith(f"\nKeyError: 'seven' (0000abcd)\nNOW WARNING a line\nbreak\n{request}")
        return
    first, error, warning, last = map(json.loads, text.splitlines())
    assert first == last == {"time": "NOW", "level": "info", **line._asdict(), "ms": 1.2}
    assert error.pop("trace").endswith("KeyError: 'seven'")
    assert error == {"time": "NOW", "level": "error", "message": "no card", "id": "0000abcd"}
    assert warning == {"time": "NOW", "level": "warning", "message": "a line\nbreak"}


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_process_ends_although_nobody_reads_its_log(unbuffered: str) -> None:
    """With Python's buffer for standard error, as everyone has it, and without, as containers often have it."""
    code = """
import sys
from parlour.house.http.logs import Line, kept
with kept("text", sys.stderr) as write:
    for _ in range(5_000):
        write(Line("GET", "/" + "x" * 150, 200, 1.0, 10, "00000000"))
"""
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, env=env) as process:
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()


async def test_noting_a_request_costs_little() -> None:
    """Compare the processor time of all threads with and without the log; the bound is generous."""

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * 100})

    async def receive() -> Any: ...

    async def send(_: Any) -> None: ...

    async def cost(answer: Any, number: int = 5_000) -> float:
        began = time.process_time()
        for _ in itertools.repeat(None, number):
            scope = {"type": "http", "method": "GET", "path": "/t/ab12cd34", "path_template": "/t/{table_id}"}
            await answer(scope, receive, send)
        return (time.process_time() - began) / number

    with kept("json", io.StringIO()) as write:
        noted = Noted(app, Measures(), write)  # type: ignore[arg-type]
        plain, counted, logged = [
            min([await cost(one) for _ in range(5)]) for one in (app, Noted(app, Measures()), noted)
        ]
    print(f"\nmicroseconds: counted {1e6 * (counted - plain):.1f}, logged too {1e6 * (logged - plain):.1f}")
    assert logged - plain < 200e-6
