"""The services of compose.yaml, run by its own commands without containers: two Parlour processes with a real
PostgreSQL and a real Redis behind a reverse proxy with TLS, one of them killed during games."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
import yaml

from tests.house.caddy import NONE, Caddy
from tests.house.people import ME, OPEN, Person, turn
from tests.house.proxy import Proxy
from tests.house.serving import free_port

pytestmark = pytest.mark.service
COMPOSE: dict[str, Any] = yaml.safe_load((Path(__file__).parents[3] / "compose.yaml").read_text("utf-8"))
HOUSES = [service for name, service in COMPOSE["services"].items() if name.startswith("parlour")]
SET = {"PARLOUR_HOST": "localhost", "POSTGRES_PASSWORD": "made-for-this-test", "PARLOUR_MAIL": "",
       "PARLOUR_MAIL_FROM": ""}  # fmt: skip
WAIT = 60.0  # seconds


def said(text: str) -> str:
    """Fill in what `.env` would set."""
    return re.sub(r"\$\{(\w+):[?-][^}]*\}", lambda found: SET[found[1]], text)


class House:
    """A process of one of the services."""

    def __init__(self, service: dict[str, Any], database: str, redis: str, log: Path) -> None:
        self.port = free_port()
        here = {"--port=8000": f"--port={self.port}", "--host=0.0.0.0": "--host=127.0.0.1",
                f"--proxy={SUBNET}": "--proxy=127.0.0.1"}  # fmt: skip
        program, *arguments = [said(part) for part in service["command"]]
        assert program == "parlour"
        assert set(here) < set(arguments)
        self.command = [sys.executable, "-m", program, *(here.get(one, one) for one in arguments)]
        environment = {name: said(value) for name, value in service["environment"].items()}
        assert set(environment) == {"PARLOUR_DATABASE", "PARLOUR_REDIS", *SET} - {"POSTGRES_PASSWORD"}
        self.environment = {**os.environ, **environment, "PARLOUR_DATABASE": database, "PARLOUR_REDIS": redis}
        kind, *test = service["healthcheck"]["test"]
        assert (kind, test[0]) == ("CMD", "python")
        self.test = [sys.executable, *(part.replace(":8000", f":{self.port}") for part in test[1:])]
        self.log = log

    def start(self) -> None:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=subprocess.DEVNULL, stderr=log)

    async def healthy(self) -> None:
        """Wait until the service's own health check says so."""
        end = time.monotonic() + WAIT
        while not self._listens():  # to start its check costs more than to ask this
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        while True:
            test = await asyncio.create_subprocess_exec(*self.test, stderr=asyncio.subprocess.DEVNULL)
            if await test.wait() == 0:
                return
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end

    def _listens(self) -> bool:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), WAIT).close()
            return True
        return False

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        self.process.send_signal(how)
        return self.process.wait(WAIT)


SUBNET = COMPOSE["networks"]["inside"]["ipam"]["config"][0]["subnet"]


@pytest.fixture
async def houses(database: str, redis_url: str, tmp_path: Path) -> AsyncIterator[list[House]]:
    made = [House(service, database, redis_url, tmp_path / f"{i}.log") for i, service in enumerate(HOUSES)]
    for house in made:
        house.start()
    try:
        for house in made:
            await house.healthy()
        yield made
    finally:
        for house in made:
            if house.process.poll() is None:
                house.end()


class Page:
    """An open page that reconnects when its stream ends."""

    def __init__(self, person: Person, table: str) -> None:
        self.version, self.news = -1, asyncio.Event()
        self.task = asyncio.create_task(self._follow(person, table))

    async def _follow(self, person: Person, table: str) -> None:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                async with person.stream("GET", f"/api/tables/{table}/events?since={self.version}") as stream:
                    async for line in stream.aiter_lines():
                        if line.startswith("data: "):
                            self.version = max(self.version, json.loads(line[6:])["version"])
                            self.news.set()
            await asyncio.sleep(0.5)

    async def beyond(self, version: int) -> None:
        async with asyncio.timeout(WAIT):
            while self.version < version:
                self.news.clear()
                await self.news.wait()


def test_the_addresses_in_it_are_those_of_its_own_services() -> None:
    """The test below replaces these addresses, so they are checked here."""
    for house in HOUSES:
        environment = house["environment"]
        database, redis = (sa.make_url(said(environment[name])) for name in ("PARLOUR_DATABASE", "PARLOUR_REDIS"))
        wanted = {name: said(value) for name, value in COMPOSE["services"]["postgresql"]["environment"].items()}
        assert database.host in COMPOSE["services"]
        assert redis.host in COMPOSE["services"]
        assert (database.username, database.password, database.database) == (
            wanted["POSTGRES_USER"], wanted["POSTGRES_PASSWORD"], wanted["POSTGRES_DB"],
        )  # fmt: skip


@pytest.mark.parametrize("through", [Proxy, pytest.param(Caddy, marks=NONE)])
@pytest.mark.whole
async def test_the_set_plays_on_when_a_process_dies(
    through: type[Proxy | Caddy], houses: list[House], tmp_path: Path
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        proxy = await stack.enter_async_context(through([house.port for house in houses], tmp_path))
        people = [Person(base_url=proxy.url, verify=proxy.trusting, timeout=WAIT) for _ in range(2)]
        ann, bob = [await stack.enter_async_context(person) for person in people]
        assert (await ann.get("/metrics")).status_code == 404
        async with httpx.AsyncClient() as operator:
            for house in houses:
                assert "parlour_tables" in (await operator.get(f"http://127.0.0.1:{house.port}/metrics")).text
        table = await ann.make(ME, OPEN)
        await bob.do(f"tables/{table}/sit")
        await ann.do(f"tables/{table}/start")
        assert [cookie.secure for person in people for cookie in person.cookies.jar] == [True, True]
        pages = [Page(person, table) for person in people]

        async def play(moves: int) -> None:
            for _ in range(moves):
                person, seen = await turn(table, ann, bob)
                body = {"move": "stop", "version": seen["table"]["version"]}
                led_to = await person.do(f"tables/{table}/moves", **body, id=f"{body['version']}")
                for page in pages:  # each at the process that the proxy chose
                    await page.beyond(led_to["version"])

        await play(2)
        houses[0].end(signal.SIGKILL)
        await play(2)
        houses[0].start()
        await houses[0].healthy()
        assert houses[1].end(signal.SIGTERM) == 0  # gracefully, one after the other, as in an upgrade
        await play(2)
        record = await ann.record(table)
        assert sum(actor >= 0 for actor, _ in record.steps) == 6
        for page in pages:
            page.task.cancel()
        await asyncio.gather(*(page.task for page in pages), return_exceptions=True)
    assert houses[0].end(signal.SIGTERM) == 0  # the log is complete
    for house in houses:
        lines = [json.loads(line) for line in house.log.read_text().splitlines() if line.startswith("{")]  # --log=json
        requests = [line for line in lines if "path" in line]
        moves = [line["status"] for line in requests if line["path"] == f"/api/tables/{table}/moves"]
        assert moves.count(200) >= 2, moves  # the moves while it was the only process
        assert not [line for line in requests if (line["path"], line["status"]) == ("/health", 200)]  # not logged
        assert not [line for line in lines if line["level"] == "error"]
