"""Sending to an address that somebody gave: resolved once and connected to what was looked at (`outside`); no
redirects, a time, and a size. Who imports this waits a third of a second for its client: `couriers` does, aside."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from parlour.table.house.outside import Refused, Where, checked_url, is_public

WITHIN = 8.0  # seconds in all, looking up the name included
READ = 4096  # bytes of an answer that are read: nothing in it is used


class _Checked(AbstractResolver):
    """Resolves a name to those of its addresses that are public; there are no others to connect to."""

    def __init__(self, where: Where) -> None:
        self._where = where

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
        addresses = [str(one[4][0]) for one in found]
        if self._where == "public" and not all(map(is_public, addresses)):
            raise Refused(f"The address of {host} isn't public.")  # one of several is enough to be no service
        return [
            ResolveResult(
                hostname=host, host=address, port=port, proto=0, flags=socket.AI_NUMERICHOST,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
            ) for address in dict.fromkeys(addresses)
        ]  # fmt: skip

    async def close(self) -> None: ...


async def send(url: str, body: bytes, headers: Mapping[str, str], where: Where) -> int:
    """POST there, and return the status that it answers with; a redirect is an answer. Raises OSError (which Refused
    is) or TimeoutError where there is none, BadInput where nothing is sent."""
    checked_url(url, where)
    connector = aiohttp.TCPConnector(resolver=_Checked(where), use_dns_cache=False, force_close=True, limit=1)
    try:
        async with (
            aiohttp.ClientSession(
                connector=connector, timeout=aiohttp.ClientTimeout(total=WITHIN), trust_env=False,
                cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False, max_line_size=READ, max_field_size=READ,
            ) as session,
            session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
        ):  # fmt: skip
            return answer.status
    except aiohttp.ClientError as error:
        raise error if isinstance(error, OSError) else ConnectionError(str(error)) from error
