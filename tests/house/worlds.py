"""The same table in several real servers at once, with different cards in each of them."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.expanding import bare
from tests.house.forging import ROYALE_SEATS, forge, royale
from tests.house.people import ME, OPEN, Person
from tests.house.serving import Nursery, Server

NAMES = ("Ann", "Bob", "Cid", "Eve")  # Eve watches
WAIT = 30  # seconds


@dataclass
class Base:
    """A database with a game of Ann, Bob and Cid, and their cookies."""

    database: Path
    table: str
    cookies: dict[str, dict[str, str]]


async def make_base(nursery: Nursery, folder: Path) -> Base:
    """Start a game of three; return its database."""
    database = folder / "base.db"
    server = nursery.start(database=f"sqlite:///{database}")
    cookies: dict[str, dict[str, str]] = {}
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Person(base_url=server.url, timeout=WAIT)) for _ in NAMES]
        for person, name in zip(people, NAMES, strict=True):
            await person.do("me", name=name)
        ann, bob, cid, _ = people
        made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN, OPEN], hints=True, pace="slow")
        for person in (bob, cid):
            await person.do(f"tables/{made['id']}/sit")
        await ann.do(f"tables/{made['id']}/start")
        cookies = {name: dict(person.cookies) for name, person in zip(NAMES, people, strict=True)}
    server.kill()
    return Base(database, made["id"], cookies)


class Stream:
    """An open page, with every byte that it gets."""

    def __init__(self, person: Person, table: str, since: int = -1) -> None:
        self.data = b""
        self._updates: list[dict[str, Any]] = []
        self._parsed = 0  # bytes
        self.task = asyncio.create_task(self._read(person, f"/api/tables/{table}/events?since={since}"))

    async def _read(self, person: Person, path: str) -> None:
        with contextlib.suppress(httpx.HTTPError):
            async with person.stream("GET", path) as answer:
                async for chunk in answer.aiter_bytes():
                    self.data += chunk

    @property
    def updates(self) -> list[dict[str, Any]]:
        """Return the messages that have come whole so far. Each is read once: tests ask again and again."""
        end = self.data.rfind(b"\n") + 1
        lines = self.data[self._parsed : end].split(b"\n") if end > self._parsed else []
        self._updates += [json.loads(line[6:]) for line in lines if line.startswith(b"data: ")]
        self._parsed = end
        return self._updates

    async def quiet(self, seconds: float = 1.0) -> None:
        """Wait for the first message, and then until nothing has come for this long, in which news of presence
        comes."""
        seen = b""
        while not self.data or seen != self.data:
            seen = self.data
            await asyncio.sleep(seconds)


@dataclass
class World:
    """One server with the table of the base."""

    server: Server
    base: Base
    database: Path
    people: dict[str, Person]
    restart: Callable[[], Server]
    streams: dict[str, Stream] = field(default_factory=dict)

    async def see(self, name: str) -> Any:
        return await self.people[name].see(self.base.table)

    async def version(self, name: str) -> int:
        return int((await self.see(name))["table"]["version"])

    async def post(self, name: str, move: str, version: int, move_id: str = "") -> httpx.Response:
        body = {"move": move, "version": version, "id": move_id}
        return await self.people[name].post(f"/api/tables/{self.base.table}/moves", json=body)

    async def say(self, name: str, move: str, move_id: str = "") -> int:
        """Make a move or answer now; return the version in the answer."""
        answer = await self.post(name, move, await self.version(name), move_id)
        assert answer.is_success, answer.text
        return int(answer.json()["version"])

    async def beyond(self, name: str, version: int) -> Any:
        """Return what a person sees once their version is beyond this one."""
        end = time.monotonic() + WAIT
        while (seen := await self.see(name))["table"]["version"] <= version:
            assert time.monotonic() < end
            await asyncio.sleep(0.02)
        return seen

    async def page(self, name: str) -> str:
        """Return the page with plain names, which it spells in numbers, each in an element of its own."""
        return bare(html.unescape((await self.people[name].get(f"/t/{self.base.table}")).text))

    async def all_that_leaves(self, name: str) -> dict[str, bytes]:
        """Return every kind of answer that a person gets, with headers."""
        person, table, leaves = self.people[name], self.base.table, {}
        version = await self.version(name)
        gets = [f"/t/{table}", f"/t/{table}/record", f"/t/{table}/replay", f"/api/tables/{table}"]
        posts: list[tuple[str, dict[str, Any]]] = [
            ("moves", {"move": "castle", "version": version}),
            ("moves", {"move": "pass", "version": max(0, version - 1)}),
            ("undo", {"version": version}),
            ("analysis", {}),
        ]
        if not (await self.see(name))["legal"]:  # otherwise it is given, and takes its time
            posts.append(("hint", {"version": version}))
        answers = {path: await person.get(path) for path in [*gets, f"/api/tables/{table}/analysis"]}
        plain = {"accept-encoding": "identity"}  # ids of tables are random, and so is their compressed length
        answers["/"] = await person.get("/", headers=plain)
        for action, body in posts:
            answers[f"{action} {body}"] = await person.post(f"/api/tables/{table}/{action}", json=body)
        for what, answer in answers.items():
            kept = {k: v for k, v in answer.headers.items() if k not in ("date", "server-timing", "set-cookie")}
            leaves[what] = f"{answer.status_code} {sorted(kept.items())}\n".encode() + answer.content
        return leaves


@asynccontextmanager
async def world(nursery: Nursery, base: Base, folder: Path, *hands: str, **settings: Any) -> AsyncIterator[World]:
    """Start a server at which Ann has drawn gold and must discard; `hands` are those of Ann, Bob and Cid."""
    database = folder / f"{re.sub('[^a-z0-9]', '-', '-'.join(hands))}-{time.monotonic_ns()}.db"
    with closing(sqlite3.connect(base.database)) as old, closing(sqlite3.connect(database)) as new:
        old.backup(new)
    forge(database, base.table, royale(*hands))
    with closing(
        sqlite3.connect(database)
    ) as new:  # as an older Parlour wrote them: otherwise the log shows when each moved
        new.execute("UPDATE steps SET at = 0")
        new.commit()
    settings = {"patience": 0.8, "engine": "plain"} | settings

    def start() -> Server:
        return nursery.start(database=f"sqlite:///{database}", **settings)

    server = start()
    async with AsyncExitStack() as stack:
        people = {}
        for name, cookies in base.cookies.items():
            host = {"host": "house.test"}  # in links: one name for all worlds
            person = Person(base_url=server.url, timeout=WAIT, cookies=cookies, headers=host)
            people[name] = await stack.enter_async_context(person)
        made = World(server, base, database, people, start)
        yield made
        for stream in made.streams.values():
            stream.task.cancel()
        made.server.kill()
