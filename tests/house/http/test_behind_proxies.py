"""The house behind the shipped files for Caddy and nginx: what one client does wrong costs no one else time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.house import caddy, nginx
from tests.house.flood import ATTACKER, FLOODS, OTHER, Way, _chunked, _heard, _sized, flooded, houses, summed, waits
from tests.house.serving import Nursery

THROUGH = [pytest.param("caddy", marks=caddy.NONE), pytest.param("nginx", marks=nginx.NONE)]
LARGE = 200_000  # bytes
SOON = 0.1  # seconds; a proxy that counts the house as down delays everyone by 0.25 at least
WRONG: dict[str, Callable[[Way], Awaitable[None]]] = {
    "a body that says how long it is": lambda way: _sized(way, LARGE),
    "one that does not": lambda way: _chunked(way, LARGE),
    "one that is not read": lambda way: _chunked(way, LARGE, b"GET"),
    "one that only the house finds too long": lambda way: _sized(way, 90_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("through", THROUGH)
async def test_a_body_that_is_too_large_makes_nobody_else_wait(through: str, nursery: Nursery, tmp_path: Path) -> None:
    async with houses(nursery, through, 1, tmp_path / through) as there:
        wrong, right = Way(there, ATTACKER), Way(there, OTHER)
        async with right.open() as (reader, writer):

            async def answered() -> float:
                began = time.monotonic()
                writer.write(b"GET /robots.txt HTTP/1.1\r\n" + right.host + b"\r\n")
                head = await asyncio.wait_for(_heard(reader), 30)
                assert head.split()[1] == b"200", head
                return time.monotonic() - began

            await answered()
            for kind, send in WRONG.items():
                found = []
                for _ in range(5):
                    began = time.monotonic()
                    with contextlib.suppress(OSError, EOFError):  # disconnected while it sends: the same as refused
                        await send(wrong)
                    assert time.monotonic() - began < 5, f"{kind}: tried again and again"
                    found.append(await answered())
                assert min(found) < SOON, (kind, found)  # the best of five, as the machine may be busy


@pytest.mark.whole
@pytest.mark.service
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("through", THROUGH)
async def test_others_wait_less_than_a_tenth_of_a_second_in_every_flood(
    through: str, number: int, nursery: Nursery, database: str, redis_url: str, tmp_path: Path
) -> None:
    more = {"database": database, "redis": redis_url} if number == 2 else {}
    for kind in FLOODS:
        async with houses(nursery, through, number, tmp_path / kind, **more) as there, flooded(there, kind):
            seen = summed(await waits(there, 5))
        assert seen.p95 < 1000 * SOON, (kind, seen)


@pytest.mark.skipif(nginx.PROGRAM is None, reason="no nginx is installed, so its file is read but not by it")
async def test_nginx_takes_its_file(tmp_path: Path) -> None:
    async with nginx.Nginx([9], tmp_path):
        pass
    said = (tmp_path / "nginx.log").read_text()
    assert "[warn]" not in said
    assert "[emerg]" not in said
