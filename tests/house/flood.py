"""How long others wait while one address floods the house, directly and through the shipped proxy files.

    python -m tests.house.flood [--seconds N] [--through house caddy nginx] [--processes 1 2] [--kinds ...]

The house has its default limits. The flood comes from one address, in a process of its own. Meanwhile another address
sends `GET /api/me` fifty times a second, on one connection, and is timed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.house.caddy import Caddy
from tests.house.nginx import Nginx
from tests.house.serving import Nursery

ATTACKER, OTHER = "127.0.66.6", "127.0.77.7"
HOST = b"Host: localhost:%d\r\n"
JSON = b"Content-Type: application/json\r\n"
NICE = 25
EVERY = 0.02  # seconds between two requests of the other address


class There(NamedTuple):
    """Where a flood goes."""

    port: int
    trusted: str = ""  # the file of the certificate to trust; "" for no TLS

    def context(self) -> ssl.SSLContext | None:
        return ssl.create_default_context(cafile=self.trusted) if self.trusted else None


class Way:
    """A way to connect to one place from one address."""

    def __init__(self, there: There, whence: str) -> None:
        self._there, self._whence, self._context = there, whence, there.context()
        self.host = HOST % there.port

    @asynccontextmanager
    async def open(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        more: dict[str, Any] = {"ssl": self._context, "server_hostname": "localhost"} if self._context else {}
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self._there.port, local_addr=(self._whence, 0), limit=1 << 20, **more
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


async def answered(reader: asyncio.StreamReader) -> int:
    """Read one whole answer; return its status."""
    return int((await _heard(reader)).split()[1])


async def _heard(reader: asyncio.StreamReader) -> bytes:
    """Read one whole answer; return its head."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next((int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")), None)
    if length is not None:
        await reader.readexactly(length)
    elif any(line.startswith(b"transfer-encoding:") for line in lines):
        while size := int((await reader.readline()).split(b";")[0], 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return head


# What one address does -----------------------------------------------------------------------------
async def _sized(way: Way, size: int, method: bytes = b"POST") -> None:
    async with way.open() as (reader, writer):
        writer.write(method + b" /api/me HTTP/1.1\r\n" + way.host + JSON + b"Content-Length: %d\r\n\r\n" % size)
        writer.write(b"x" * size)
        await asyncio.wait_for(answered(reader), 5)


async def _chunked(way: Way, size: int, method: bytes = b"POST") -> None:
    async with way.open() as (reader, writer):
        writer.write(method + b" /api/me HTTP/1.1\r\n" + way.host + JSON + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(size // 10_000):
            writer.write(b"2710\r\n" + b"x" * 10_000 + b"\r\n")
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await asyncio.wait_for(answered(reader), 5)


async def _ahead(way: Way, path: bytes, number: int) -> None:
    async with way.open() as (reader, writer):
        writer.write((b"GET " + path + b" HTTP/1.1\r\n" + way.host + b"\r\n") * number)
        for _ in range(number):
            await asyncio.wait_for(answered(reader), 20)


async def _one_by_one(way: Way, path: bytes) -> None:
    async with way.open() as (reader, writer):
        while True:
            writer.write(b"GET " + path + b" HTTP/1.1\r\n" + way.host + b"\r\n")
            await asyncio.wait_for(answered(reader), 20)


async def _half(way: Way) -> None:
    async with way.open() as (_, writer):
        writer.write(b"GET / HTTP/1.1\r\n" + way.host + b"X-Slow: ")
        await asyncio.sleep(2)


async def _by_the_second(rate: float, once: Callable[[], Awaitable[None]]) -> None:
    """Begin `rate` of them a second without waiting for earlier ones; at most 300 at once."""
    running: set[asyncio.Task[None]] = set()
    begun, since = 0, time.monotonic()
    while True:
        begun += 1
        if len(running) < 300:
            running.add(task := asyncio.create_task(_quietly(once)))
            task.add_done_callback(running.discard)
        await asyncio.sleep(max(0.0, since + begun / rate - time.monotonic()))


async def _always(number: int, once: Callable[[], Awaitable[None]]) -> None:
    """Run this number of them all the time."""

    async def again() -> None:
        while True:
            await _quietly(once)
            await asyncio.sleep(0.01)

    await asyncio.gather(*(again() for _ in range(number)))


async def _quietly(work: Callable[[], Awaitable[None]]) -> None:
    with contextlib.suppress(OSError, EOFError, ValueError, TimeoutError, asyncio.LimitOverrunError):
        await work()


FLOODS: dict[str, tuple[str, Callable[[Way], Awaitable[None]]]] = {
    "none": ("nothing", lambda _: asyncio.sleep(3600)),
    "posts-13": ("13 posts a second of 200 KB", lambda way: _by_the_second(13, lambda: _sized(way, 200_000))),
    "posts-127": ("127 a second", lambda way: _by_the_second(127, lambda: _sized(way, 200_000))),
    "chunked": ("50 a second, in chunks", lambda way: _by_the_second(50, lambda: _chunked(way, 200_000))),
    "gets": ("50 a second in chunks, as GET", lambda way: _by_the_second(50, lambda: _chunked(way, 200_000, b"GET"))),
    "below": ("50 posts a second of 90 KB", lambda way: _by_the_second(50, lambda: _sized(way, 90_000))),
    "rules": (
        "300 connections, 20 rule pages sent ahead on each",
        lambda way: _always(300, lambda: _ahead(way, b"/rules/fortune", 20)),
    ),
    "lobby": ("60 connections, `GET /` without end", lambda way: _always(60, lambda: _one_by_one(way, b"/"))),
    "halves": ("200 half requests a second", lambda way: _by_the_second(200, lambda: _half(way))),
}


# Who waits -----------------------------------------------------------------------------------------
async def waits(there: There, seconds: float) -> list[float]:
    """Return how long each request of another address took meanwhile, in seconds."""
    way, found, cookie, end = Way(there, OTHER), [], b"", time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, EOFError):
            async with way.open() as (reader, writer):
                while time.monotonic() < end:
                    began = time.perf_counter()
                    writer.write(b"GET /api/me HTTP/1.1\r\n" + way.host + cookie + b"\r\n")
                    head = await _heard(reader)
                    found.append(time.perf_counter() - began)
                    status = int(head.split()[1])
                    if given := re.search(rb"(?i)\r\nset-cookie: ([^;]+)", head):
                        cookie = b"Cookie: " + given[1] + b"\r\n"  # without it each request pays for a new guest
                    assert status in (200, 429, 502, 503), status
                    if status != 200:
                        found[-1] = max(found[-1], 1.0)  # a refusal is worse than waiting
                    await asyncio.sleep(EVERY)
    return found


class Waited(NamedTuple):
    """The same in milliseconds."""

    asked: int
    median: float
    p95: float
    p99: float
    worst: float


def summed(found: list[float]) -> Waited:
    inner = [1000 * one for one in sorted(found)]
    cut = statistics.quantiles(inner, n=100, method="inclusive")
    return Waited(len(inner), statistics.median(inner), cut[94], cut[98], inner[-1])


@asynccontextmanager
async def flooded(there: There, kind: str) -> AsyncIterator[None]:
    """Run a flood of this kind meanwhile."""
    command = [sys.executable, "-m", "tests.house.flood", "--as", kind, "--port", str(there.port)]
    process = await asyncio.create_subprocess_exec(*command, "--trusted", there.trusted, stderr=subprocess.DEVNULL)
    try:
        await asyncio.sleep(1.5)  # until the flood has begun
        assert process.returncode is None
        yield
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def houses(nursery: Nursery, through: str, number: int, folder: Path, **more: Any) -> AsyncIterator[There]:
    """Start this number of processes of a house with its limits, and the proxy in front of them."""
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240 - a test
    settings = {"limits": True, "proxies": ["127.0.0.1"] if through != "house" else [], **more}
    settings.setdefault("database", f"sqlite:///{folder}/parlour.db")
    first = len(nursery.servers)
    ports = [int(nursery.start(**settings).url.rpartition(":")[2]) for _ in range(number)]
    try:
        async with AsyncExitStack() as stack:
            if through == "house":
                yield There(ports[0])
            elif through == "caddy":
                caddy = await stack.enter_async_context(Caddy(ports, folder))
                yield There(caddy.port, str(folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"))
            else:
                nginx = await stack.enter_async_context(Nginx(ports, folder))
                yield There(nginx.port, str(folder / "certificate.pem"))
    finally:
        nursery.clear(first)


async def _measure(options: argparse.Namespace, folder: Path) -> None:
    nursery = Nursery()
    several = {"database": options.postgresql, "redis": options.redis}
    print("| what one address does | through | processes | others wait: median | p95 | p99 | at worst |")
    print("|---|---|--:|--:|--:|--:|--:|", flush=True)
    for through in options.through:
        for number in options.processes if through != "house" else [1]:
            for kind in options.kinds:
                more = several if number > 1 else {}
                place = folder / f"{through}-{number}-{kind}"
                async with houses(nursery, through, number, place, **more) as there, flooded(there, kind):
                    seen = summed(await waits(there, options.seconds))
                numbers = " | ".join(f"{one:.1f} ms" for one in seen[1:])
                print(f"| {FLOODS[kind][0]} | {through} | {number} | {numbers} |", flush=True)
    nursery.close()


async def _flood(kind: str, there: There) -> None:
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(NICE)  # the flood's own load on the machine should not be measured
    await FLOODS[kind][1](Way(there, ATTACKER))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.house.flood", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--through", nargs="+", default=["house", "caddy", "nginx"])
    parser.add_argument("--processes", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--kinds", nargs="+", default=list(FLOODS))
    parser.add_argument("--postgresql", default=os.environ.get("PARLOUR_TEST_POSTGRESQL", ""))
    parser.add_argument("--redis", default=os.environ.get("PARLOUR_TEST_REDIS", ""))
    parser.add_argument("--as", dest="kind", default="")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--trusted", default="")
    options = parser.parse_args()
    if options.kind:
        asyncio.run(_flood(options.kind, There(options.port, options.trusted)))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure(options, Path(folder)))


if __name__ == "__main__":
    main()
