"""Several processes: through Redis each announces which tables have news, and who is looking at them there."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable

import msgspec
from redis import asyncio as redis
from redis.exceptions import RedisError

from parlour.house.errors import DatabaseUnreachable
from parlour.house.tasks import end

log = logging.getLogger(__name__)
CHANNEL = "parlour"
BEAT = 1.0  # seconds of silence after which Redis is asked whether it is there
SILENCE = 2.0  # seconds without an answer after which it counts as away
AGAIN = 1.0  # seconds between tries to connect
MOST = 10_000  # messages that wait to be sent
_EVERYTHING = ("", True, "", "")  # the subject of a message that says to look at everything again

# When a bucket of `http.rates` will be full, for all processes: later by what each of these has taken out of it. Redis
# forgets a bucket that is full.
ADD_UP = """
local time = redis.call('TIME')
local now, lasts = time[1] + time[2] / 1000000, {}
for i, key in ipairs(KEYS) do
    local full = math.max(tonumber(redis.call('GET', key) or '0'), now) + ARGV[i]
    redis.call('SET', key, string.format('%.6f', full), 'PX', math.max(1, math.ceil(1000 * (full - now))))
    lasts[i] = string.format('%.6f', full - now)
end
return lasts
"""


class News(msgspec.Struct, frozen=True):
    """A message between processes. `guests` is None if the game or table changed; otherwise it lists who looks at the
    table from `sender`. `guest` has a new name. The page `pulse`, of the table or the lobby, is still open. Without any
    of these, `sender` lost its connection and could not report its changes."""

    sender: str
    table: str = ""
    guests: list[str] | None = None
    guest: str = ""
    pulse: str = ""


class Fanout:
    """Publishes and receives news. `missed` is called at each connection, because news may have been lost before; a
    process that is not `connected` checks the database instead.

    Raises DatabaseUnreachable if `url` is not an address.
    """

    def __init__(self, url: str, heard: Callable[[News], Awaitable[None]], missed: Callable[[], None]) -> None:
        self.name = secrets.token_hex(4)
        try:
            self._redis = redis.Redis.from_url(url, socket_connect_timeout=SILENCE, socket_timeout=SILENCE)
        except ValueError as error:
            raise DatabaseUnreachable(
                f"This isn't the address of a Redis server: {error}.", allowed=["redis://HOST:PORT/N"]
            ) from None
        self.connected, self.since = False, 0.0  # and since when on the monotonic clock
        self._add_up = self._redis.register_script(ADD_UP)
        self._heard, self._missed = heard, missed
        self._tasks: list[asyncio.Task[None]] = []
        self._ready = asyncio.Event()
        # By subject: of two that say "look again" one is enough. All are sent together.
        self._outbox: dict[tuple[str, bool, str, str], News] = {}
        self._news = asyncio.Event()

    async def open(self) -> None:
        """Connect. Raises DatabaseUnreachable if Redis does not respond."""
        try:
            await self._redis.ping()
        except (RedisError, OSError) as error:
            await self._redis.aclose()
            raise DatabaseUnreachable(f"Redis doesn't respond: {str(error).rstrip('.')}.") from error
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._publish())]
        await self._ready.wait()

    def tell(self, table_id: str, guests: list[str] | None = None) -> None:
        """Announce that a table has news. Failures are logged; the database has the truth."""
        self._put(News(self.name, table_id, guests))

    def tell_name(self, guest: str) -> None:
        """Announce a guest's new name."""
        self._put(News(self.name, guest=guest))

    def tell_pulse(self, pulse: str, table: str) -> None:
        """Announce a heartbeat of a page that may be open at another process; `table` is "" in the lobby."""
        self._put(News(self.name, table, pulse=pulse))

    def tell_all(self) -> None:
        """Announce news of the whole house, for which all processes check again."""
        self._put(News(self.name))

    async def add_up(self, spent: dict[str, float]) -> list[float]:
        """Return how long buckets take to fill, over all processes, with this additional time from here (`http.rates`).
        Return nothing while Redis is unavailable."""
        if not self.connected:
            return []
        try:
            return [float(lasts) for lasts in await self._add_up(keys=[*spent], args=[*spent.values()])]
        except (RedisError, OSError) as error:
            log.info("Redis did not record the rate limits: %s", error)
            return []

    async def close(self) -> None:
        """Stop listening."""
        self.connected = False
        await end(self._tasks)
        await self._redis.aclose()

    def _put(self, news: News) -> None:
        subject = news.table, news.guests is None, news.guest, news.pulse
        if self.connected:  # otherwise `_connected` asks the others to check as soon as it is back
            if len(self._outbox) >= MOST and subject not in self._outbox:  # Redis is slow: one message replaces all
                subject, self._outbox, news = _EVERYTHING, {}, News(self.name)
            self._outbox[subject] = news
            self._news.set()

    async def _publish(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            sent, self._outbox = self._outbox, {}
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for news in sent.values():
                        pipeline.publish(CHANNEL, msgspec.json.encode(news))
                    await pipeline.execute()
            except Exception as error:  # any failure: this is the only task that publishes
                log.warning("Redis did not accept a message: %s", error)
                await asyncio.sleep(AGAIN)
                self._put(News(self.name))

    async def _listen(self) -> None:
        said = False
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    heard = time.monotonic()
                    while True:
                        message = await channel.get_message(timeout=BEAT)
                        if message is not None:
                            heard = time.monotonic()
                            if message["type"] == "subscribe":
                                said = False
                                self._connected()
                            elif message["type"] == "message":
                                await self._take(message["data"])
                        elif time.monotonic() - heard > SILENCE:
                            raise TimeoutError("it doesn't respond")
                        else:
                            await channel.ping()
            except Exception as error:  # any failure: a process that no longer listens must not seem to hear everything
                self.connected = False
                if not said:
                    log.warning(
                        "Lost the connection to Redis (%s). Until it is back, each process polls the database.", error
                    )
                said = True
                await asyncio.sleep(AGAIN)

    def _connected(self) -> None:
        self.connected, self.since = True, time.monotonic()
        self._ready.set()
        self._put(News(self.name))
        self._missed()

    async def _take(self, data: bytes) -> None:
        try:
            news = msgspec.json.decode(data, type=News)
        except msgspec.DecodeError:  # one bad message must not stop the others
            log.exception("Could not read a message from another process.")
            return
        if news.sender == self.name:
            return
        try:
            await self._heard(news)
        except Exception:  # the database may be away for a moment
            log.exception("Could not process a message from another process.")
            self._missed()
