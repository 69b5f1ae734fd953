"""Running the server."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from parlour.core.errors import ParlourError
from parlour.games import all_games, broken_games
from parlour.table.errors import CannotServe, PortInUse
from parlour.table.pages import drawing
from parlour.table.settings import Settings
from parlour.table.web.app import create_app
from parlour.table.web.network import address

log = logging.getLogger(__name__)
STOP_WITHIN = 5  # seconds for requests under way when the server is told to stop


class _Server(uvicorn.Server):
    """uvicorn, but streams end when it is told to stop, and `ready` is called when it answers."""

    def __init__(self, config: uvicorn.Config, stopping: Callable[[], None], ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._stopping, self._ready = stopping, ready
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn's, but the signal is not raised again at the end: what is open is still to be
        closed."""
        before = {sig: signal.signal(sig, self.handle_exit) for sig in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._loop.call_soon_threadsafe(self._stopping)
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._ready()


def run(settings: Settings, ready: Callable[[str], None] | None = None) -> None:
    """Serve until told to stop (SIGINT, SIGTERM). `ready` is called with the address when the
    server answers.

    Errors: PortInUse, CannotServe (the host), DatabaseUnreachable; the message says what to do.
    """
    listening = bind(settings.host, settings.port)
    try:
        asyncio.run(serve(settings, listening, ready))
    finally:
        listening.close()


async def serve(settings: Settings, listening: socket.socket, ready: Callable[[str], None] | None = None) -> None:
    """Serve on a socket that is bound."""
    app = create_app(settings)
    house = app.state.house
    for broken in broken_games():
        log.warning("The game %s of %s cannot be played: %s", broken.name, broken.place, broken.why)
    drawing.load(all_games().values())
    gc.collect()
    gc.freeze()  # what was imported stays: the collector, which stops everybody, need not look at it again and again
    await house.open()  # before uvicorn, so that a failure is an error of ours and not a traceback in a log
    try:
        config = uvicorn.Config(
            app, lifespan="off", log_level="warning", access_log=False, timeout_graceful_shutdown=STOP_WITHIN,
            server_header=False, ws="none",
        )  # fmt: skip
        url = settings.base_url or address(listening)
        server = _Server(config, house.close_streams, lambda: ready(url) if ready else None)
        await server.serve([listening])
    finally:
        await house.close()


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes any that is free. Errors: PortInUse,
    CannotServe."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an answer can wait 40 ms for an ACK
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1024)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _cannot_bind(host, port, error) from None
    listening.set_inheritable(False)  # bots' processes must not keep the port
    return listening


def _cannot_bind(host: str, port: int, error: Exception) -> ParlourError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return PortInUse(f"Port {port} on {host} is in use by another program. Stop it, or choose another port.")
    return CannotServe(f"Cannot listen on {host}, port {port}: {error}.")
