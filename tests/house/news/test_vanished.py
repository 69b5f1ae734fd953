"""A player whose network fails silently is shown as away within ten seconds: between two network stacks of this machine
whose cable is pulled, and behind a proxy that keeps its own connection to the house."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Literal

import httpx
import pytest

from tests.house.people import ME, OPEN, Person, two_at_table
from tests.house.serving import Nursery, Server
from tests.house.wire_cutter import Line

HERE, THERE = "10.211.87.1", "10.211.87.2"
HONEST = 10.0  # seconds
FRIEND = """
import sys, httpx
with httpx.Client(base_url=sys.argv[1], timeout=None) as bob:
    bob.post(f"/api/tables/{sys.argv[2]}/sit", json={}).raise_for_status()
    with bob.stream("GET", f"/api/tables/{sys.argv[2]}/events?since=-1&eyes=-2") as page:
        for part in page.iter_raw():
            print("looks", flush=True)
"""


@pytest.fixture
def cable() -> Iterator[str]:
    """Create a second network stack beside this one; yield the name of the cable's end here."""
    name = f"p{os.getpid()}"
    steps = [
        ["netns", "add", name],
        ["link", "add", f"{name}a", "type", "veth", "peer", "name", f"{name}b"],
        ["link", "set", f"{name}b", "netns", name],
        ["addr", "add", f"{HERE}/30", "dev", f"{name}a"],
        ["link", "set", f"{name}a", "up"],
        ["-n", name, "addr", "add", f"{THERE}/30", "dev", f"{name}b"],
        ["-n", name, "link", "set", f"{name}b", "up"],
    ]
    try:
        for step in steps:
            try:
                subprocess.run(["ip", *step], check=True, capture_output=True)
            except (OSError, subprocess.CalledProcessError):
                pytest.skip("no second network stack can be made here (it takes Linux, root and iproute2)")
        yield name
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", f"{name}a"], check=False, capture_output=True)


async def seen_to_go(shown: Callable[[], Awaitable[bool]]) -> None:
    """Wait until a player is shown as away, within the promised time. A check takes a little over a tenth of a second;
    delays of a busy machine do not count."""
    left, before = HONEST, time.monotonic()
    while await shown():
        assert left > 0
        await asyncio.sleep(0.1)
        now = time.monotonic()
        left -= min(now - before, 0.15)
        before = now


def present(ann: httpx.Client, table: str) -> bool:
    """Return whether the page shows the friend as present."""
    return bool(ann.get(f"/api/tables/{table}").raise_for_status().json()["table"]["seats"][1]["present"])


@pytest.mark.service
def test_who_has_vanished_is_away_within_ten_seconds(nursery: Nursery, tmp_path: Path, cable: str) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", host=HERE)
    with httpx.Client(base_url=server.url, transport=httpx.HTTPTransport(local_address=HERE), timeout=30) as ann:
        table = ann.post("/api/tables", json={"game": "fortune", "seats": [ME, OPEN]}).raise_for_status().json()["id"]
        there = ["ip", "netns", "exec", cable, sys.executable, "-c", FRIEND, server.url, table]
        with subprocess.Popen(there, stdout=subprocess.PIPE, text=True) as friend:
            assert friend.stdout is not None
            assert friend.stdout.readline() == "looks\n"
            while not present(ann, table):
                assert friend.poll() is None
            subprocess.run(["ip", "-n", cable, "link", "set", f"{cable}b", "down"], check=True)
            gone = time.monotonic()
            while present(ann, table):
                assert time.monotonic() - gone < HONEST
                time.sleep(0.2)
            assert friend.poll() is None  # the friend's side has not noticed yet
            friend.kill()
    server.kill()


class Page:
    """An open page, of a table or of another `path`, that sends heartbeats when asked: through `says`, at `where` if
    not at the table; with None, it sends none."""

    def __init__(
        self, person: Person, table: str, pulse: str = "a-page", *, says: Person | Literal["self"] | None = "self",
        where: str = "", path: str = "",
    ) -> None:  # fmt: skip
        self.person, self.pulse = person, pulse
        self.says = person if says == "self" else says
        self.where = where or f"/api/tables/{table}/here"
        self.path = (path or f"/api/tables/{table}/events?since=-1&eyes=-2&") + f"pulse={pulse}"
        self.asked, self.ended, self.opened = asyncio.Event(), False, False
        self.pulses = 0

    async def __aenter__(self) -> Page:
        self._tasks = [asyncio.create_task(self._read())]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        for end in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(end, Exception):
                raise end

    async def _read(self) -> None:
        with contextlib.suppress(httpx.HTTPError):
            async with self.person.stream("GET", self.path) as stream:
                event = ""
                async for line in stream.aiter_lines():
                    self.opened |= line.startswith("data: ")
                    event = line.removeprefix("event: ") if line.startswith("event: ") else event
                    if event == "pulse" and line.startswith("data: "):
                        self._tasks.append(asyncio.create_task(self._say(float(line[6:]))))
                        self.asked.set()
        self.ended = True

    async def _say(self, every: float) -> None:
        while True:
            await asyncio.sleep(every)
            if self.says is None:
                continue
            answer = await self.says.get(f"{self.where}?pulse={self.pulse}")
            assert (answer.status_code, answer.content) == (204, b"")
            self.pulses += 1


async def here(ann: Person, table: str) -> bool:
    return bool((await ann.see(table))["table"]["seats"][1]["present"])


@contextlib.contextmanager
def caddy(house: int, folder: Path) -> Iterator[int]:
    """Start a Caddy in front of the house; return its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    file = folder / "Caddyfile"
    site = f"http://127.0.0.1:{port} {{\n reverse_proxy 127.0.0.1:{house} {{\n  flush_interval -1\n }}\n}}\n"
    file.write_text("{\n admin off\n auto_https off\n}\n" + site)
    command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as made:
        try:
            end = time.monotonic() + 60
            while True:
                assert made.poll() is None
                assert time.monotonic() < end
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.05)
            yield port
        finally:
            made.kill()


@pytest.mark.parametrize("through", ["tcp", "caddy"])
async def test_who_has_vanished_behind_a_proxy_is_away_within_ten_seconds(
    nursery: Nursery, tmp_path: Path, through: str
) -> None:
    """The proxy gets no more data from them, and leaves its connection to the house open."""
    if through == "caddy" and not shutil.which("caddy"):
        pytest.skip("no Caddy is installed")
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", proxies=("127.0.0.1",))
    port = int(server.url.rpartition(":")[2])
    way = contextlib.nullcontext(port) if through == "tcp" else caddy(port, tmp_path)
    with way as reached:
        await vanish(server, reached)


async def vanish(server: Server, reached: int) -> None:
    """Connect Bob through this port, and cut his network."""
    async with (
        Line("127.0.0.1", reached) as proxy,
        Person(base_url=server.url, timeout=60) as ann,
        Person(base_url=f"http://127.0.0.1:{proxy.port}", timeout=httpx.Timeout(60, read=None)) as bob,
    ):
        table = await two_at_table(ann, bob)
        async with Page(bob, table) as page:
            await asyncio.wait_for(page.asked.wait(), 60)
            while page.pulses < 3 and not page.ended:  # noqa: ASYNC110
                await asyncio.sleep(0.2)
            assert not page.ended, "the stream of a page with heartbeats stays open"
            assert await here(ann, table)
            proxy.freeze()
            await seen_to_go(lambda: here(ann, table))
            assert not page.ended  # the page has not noticed yet
            proxy.thaw()
            while not page.ended:  # now it has noticed, and a page opens another  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        async with Page(bob, table, "another"):
            while not await here(ann, table):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_only_pages_of_players_behind_a_proxy_are_asked(nursery: Nursery, tmp_path: Path) -> None:
    """Spectators are not asked, nor pages without a name, nor those whose loss the house itself would notice."""
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")
    via = {"x-forwarded-for": "192.0.2.1"}
    async with (
        Person(base_url=server.url, timeout=60) as ann,
        Person(base_url=server.url, timeout=60, headers=via) as bob,
        Person(base_url=server.url, timeout=60, headers=via) as eve,
    ):
        table = await two_at_table(ann, bob)

        async def first(person: Person, more: str) -> str:
            """Return what a page gets up to its first position, and right after it."""
            said = ""
            async with person.stream("GET", f"/api/tables/{table}/events?since=-1&eyes=-2{more}") as stream:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(2):
                        async for piece in stream.aiter_text():
                            said += piece
                            if "event: pulse" in said:
                                break
            assert "event: update" in said
            return said

        asked = [
            "event: pulse" in await first(person, more)
            for person, more in (
                (bob, "&pulse=x"), (bob, ""), (bob, "&pulse=x&hidden=120"), (bob, f"&pulse={'x' * 41}"),
                (ann, "&pulse=x"), (eve, "&pulse=x"),
            )
        ]  # fmt: skip
        assert asked == [True, False, False, False, False, False]
