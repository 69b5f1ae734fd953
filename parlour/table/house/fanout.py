"""Several processes: Redis tells the others which table has news, and who looks at it from here."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

import msgspec
from redis import asyncio as redis
from redis.exceptions import RedisError

from parlour.table.errors import DatabaseUnreachable

log = logging.getLogger(__name__)
CHANNEL = "parlour"


class News(msgspec.Struct, frozen=True):
    """`guests` is None if the game or table changed; otherwise it is who looks at the table from
    `sender`."""

    sender: str
    table: str
    guests: list[str] | None = None


PAUSES = (0.5, 2.0, 5.0)  # seconds between tries


class Fanout:
    """Publishes and receives. `lost`, called at each connection, makes up for what was lost while
    Redis was away.

    Raises DatabaseUnreachable if `url` is not an address.
    """

    def __init__(self, url: str, heard: Callable[[News], Awaitable[None]], lost: Callable[[], Awaitable[None]]) -> None:
        self.name = secrets.token_hex(4)
        try:
            self._redis = redis.Redis.from_url(url, socket_connect_timeout=5, health_check_interval=10)
        except ValueError as error:
            raise DatabaseUnreachable(
                f"That is not the address of a Redis server: {error}.", allowed=["redis://HOST:PORT/N"]
            ) from None
        self._heard, self._lost = heard, lost
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready = asyncio.Event()

    async def open(self) -> None:
        """Connect. DatabaseUnreachable when Redis does not answer."""
        try:
            await self._redis.ping()
        except (RedisError, OSError) as error:
            await self._redis.aclose()
            raise DatabaseUnreachable(f"Redis does not answer: {str(error).rstrip('.')}.") from error
        self._keep(self._listen())
        await self._ready.wait()

    def tell(self, table_id: str, guests: list[str] | None = None) -> None:
        """Announce that a table has news. Failures are logged; the database has the truth."""
        self._keep(self._publish(msgspec.json.encode(News(self.name, table_id, guests))))

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    def _keep(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, message: bytes) -> None:
        for pause in PAUSES:
            try:
                await self._redis.publish(CHANNEL, message)
                return
            except (RedisError, OSError) as error:
                log.warning("Redis did not take a message: %s", error)
                await asyncio.sleep(pause)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    await channel.get_message(timeout=5)  # the answer to the subscription
                    self._ready.set()
                    await self._lost()
                    while True:
                        message = await channel.get_message(timeout=30)
                        if message is not None:
                            await self._take(message["data"])
            except (RedisError, OSError) as error:
                log.warning("Redis is away (%s); trying again.", error)
                await asyncio.sleep(1)

    async def _take(self, data: bytes) -> None:
        try:
            news = msgspec.json.decode(data, type=News)
        except msgspec.DecodeError:  # one bad message must not stop the others
            log.exception("A message from another process could not be read.")
            return
        if news.sender != self.name and not await self._used(news):
            self._keep(self._again(news))  # nothing else would tell the people at that table

    async def _used(self, news: News) -> bool:
        try:
            await self._heard(news)
        except Exception:  # the database may be away for a moment
            log.exception("A message from another process could not be used.")
            return False
        return True

    async def _again(self, news: News) -> None:
        for pause in PAUSES:
            await asyncio.sleep(pause)
            if await self._used(news):
                return
