"""Requests to addresses that people enter: resolved once and sent only to that result (`outside`), without redirects,
with a time and size limit. Importing this takes a third of a second for its client, so `couriers` does it in a
thread."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from parlour.house.notify.public import Refused, Where, checked_url, is_public

WITHIN = 8.0  # seconds in all, looking up the name included
READ = 4096  # bytes of an answer that are read: nothing in it is used


class _Checked(AbstractResolver):
    """Resolves a name to its public addresses only, so that no other can be connected to."""

    def __init__(self, where: Where) -> None:
        self._where = where

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
        addresses = [str(one[4][0]) for one in found]
        if self._where == "public" and not all(map(is_public, addresses)):
            # One private address among several is enough to refuse.
            raise Refused(f"The address of {host} isn't public.")
        return [
            ResolveResult(
                hostname=host, host=address, port=port, proto=0, flags=socket.AI_NUMERICHOST,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
            ) for address in dict.fromkeys(addresses)
        ]  # fmt: skip

    async def close(self) -> None: ...


async def send(url: str, body: bytes, headers: Mapping[str, str], where: Where) -> int:
    """POST there, and return the response's status; a redirect is a response. Raises OSError (such as Refused) or
    TimeoutError without a response, BadInput if nothing may be sent."""
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
