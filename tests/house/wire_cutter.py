"""A connection to a service (a database, Redis) that can be frozen or cut, as if the service were suddenly away."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType

from tests.house import faults


class Line:
    """A listener on `port` of 127.0.0.1 that forwards everything to a service."""

    def __init__(self, host: str, port: int) -> None:
        self._to = host, port
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._open = True
        self.port = 0

    async def __aenter__(self) -> Line:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, t: TracebackType | None
    ) -> None:
        self._end()
        self._server.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def freeze(self) -> None:
        """Stop forwarding, without an error to either side."""
        faults.note("the database hung")
        self._flowing.clear()

    def thaw(self) -> None:
        """Forward everything again, first what has waited."""
        self._flowing.set()

    def cut(self) -> None:
        """End every connection, and accept no new ones."""
        faults.note("Redis cut off")
        self._end()

    def _end(self) -> None:
        self._open = False
        for task in list(self._tasks):
            task.cancel()

    def mend(self) -> None:
        """Accept connections again."""
        self._open = True

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if self._open:
                await self._flowing.wait()
                there, back = await asyncio.open_connection(*self._to)
                with contextlib.closing(back):
                    await asyncio.gather(self._copy(reader, back), self._copy(there, writer))
        except (asyncio.CancelledError, OSError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            await self._flowing.wait()
            writer.write(data)
            await writer.drain()
        writer.close()
