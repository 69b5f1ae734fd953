"""A Redis for one test, which can be killed, hung and restarted."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import asyncio as redis

from tests.house import faults
from tests.house.following import WAIT
from tests.house.serving import free_port


class OwnRedis:
    """A Redis of our own, which can be killed."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self.start()

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program is not None
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--save", "", "--dir", str(self._folder), "--bind", "127.0.0.1"],
            stdout=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        faults.note("Redis killed")
        self.end()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()

    def send(self, number: int) -> None:
        if number == signal.SIGSTOP:
            faults.note("Redis hung")
        os.kill(self.process.pid, number)

    async def listeners(self) -> int:
        """Return the number of processes that are subscribed."""
        with contextlib.suppress(redis.RedisError, OSError):
            async with redis.Redis.from_url(self.url) as client:
                return int((await client.pubsub_numsub("parlour"))[0][1])
        return 0

    async def until_heard(self, by: int) -> None:
        async with asyncio.timeout(WAIT):
            while await self.listeners() != by:  # noqa: ASYNC110 - another process knows
                await asyncio.sleep(0.05)

    async def until_there(self) -> None:
        async with asyncio.timeout(WAIT):
            while True:
                with contextlib.suppress(redis.RedisError, OSError):
                    async with redis.Redis.from_url(self.url) as client:
                        await client.ping()
                        return
                await asyncio.sleep(0.05)


@contextlib.contextmanager
def redis_in(folder: Path) -> Iterator[OwnRedis]:
    """Run a Redis; skip the test if it is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("there is no redis-server to start")
    made = OwnRedis(folder)
    yield made
    with contextlib.suppress(ProcessLookupError):
        made.send(signal.SIGCONT)
    made.end()
