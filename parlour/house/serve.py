"""Running the server."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from ipaddress import IPv4Network, ip_network
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import uvicorn

from parlour.core.errors import ParlourError
from parlour.games import all_games, broken_games
from parlour.house.app import create_app, open_house
from parlour.house.errors import CannotServe, PortInUse
from parlour.house.http import descriptors
from parlour.house.http.door import MAX_HEAD, TAKEN_WITHIN, Door
from parlour.house.http.entrance import Entrance
from parlour.house.http.hosts import HOST
from parlour.house.http.logs import Line, kept
from parlour.house.http.network import address
from parlour.house.http.noting import Noted
from parlour.house.http.rates import Key
from parlour.house.settings import Settings
from parlour.house.site import drawing

if TYPE_CHECKING:
    from parlour.house.news.peers import Peers

new_loop: Callable[[], asyncio.AbstractEventLoop] | None
try:
    from uvloop import new_event_loop as new_loop
except ImportError:  # Windows, or another Python: slower, the same otherwise
    new_loop = None

log = logging.getLogger(__name__)
AT_ONCE = 100  # connections accepted in one go, before any is counted
WAITING = 1024  # connections that wait to be accepted
# Seconds that a connection stays open between two requests: longer than those keep one who do not ask again when it is
# closed just as they write (httpx 5, aiohttp 15; of proxies Caddy 120, nginx 60). Else a post is lost.
IDLE = 20
IDLE_BEHIND_PROXY = 150
STOP_WITHIN = 5  # seconds that a stopping server gives requests under way
CALM = 5.0  # seconds after the start in which open pages come back
YOUNG = 20_000  # new objects after which the garbage collector looks at them


class _Server(uvicorn.Server):
    """uvicorn, whose streams end on a request to stop, and which calls `ready` once it responds."""

    def __init__(self, config: uvicorn.Config, stopping: Callable[[], None], ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._stopping, self._ready = stopping, ready
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do the same as uvicorn's, but don't raise the signal again at the end: what is open still has to be
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
        for one in sockets or ():
            one.listen(WAITING)  # uvicorn knows one number for what is accepted at once and what may wait for it
        if self.started and not self.should_exit:
            self._ready()


def run(settings: Settings, ready: Callable[[str], None] | None = None) -> None:
    """Serve until told to stop (SIGINT, SIGTERM). `ready` receives the address once the server responds.

    Errors: PortInUse, CannotServe (host, proxy, base URL), DatabaseUnreachable; the message says what to do.
    """
    base_url(settings.base_url)
    settings = replace(
        settings, connections=descriptors.connections(settings.connections), proxies=networks(settings.proxies)
    )
    listening = bind(settings.host, settings.port)
    try:
        with (
            kept(settings.log, sys.stderr) if settings.log else nullcontext() as write,
            asyncio.Runner(loop_factory=new_loop) as runner,
        ):
            runner.run(serve(settings, listening, ready, write))
    finally:
        listening.close()


async def serve(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[str], None] | None = None,
    write: Callable[[Line], None] | None = None,
) -> None:
    """Serve on a bound socket. `write` receives a line for each request."""
    app = create_app(settings)
    for broken in broken_games():
        log.warning("The game %s from %s can't be played: %s", broken.name, broken.place, broken.why)
    drawing.load(all_games().values())
    gc.collect()
    gc.freeze()  # imported objects stay: the collector, which stops everything, need not check them again and again
    gc.set_threshold(YOUNG)  # nearly all objects of a move are freed without the collector
    gc.enable()
    descriptors.look_after(asyncio.get_running_loop())
    house = await open_house(app)  # before uvicorn, so that a failure is an error of ours and not a traceback in a log
    try:
        limited = house.measures.limited

        def count(kind: str) -> None:
            limited.labels(kind).inc()

        door = Door(settings.connections, limits=settings.limits, proxies=settings.proxies, count=count)
        entrance = Entrance(app, connections=settings.connections, limits=settings.limits, count=count)
        config = uvicorn.Config(
            Noted(entrance, house.measures, write), lifespan="off", log_level="warning", access_log=False,
            timeout_graceful_shutdown=STOP_WITHIN, server_header=False, ws="none", http=door.protocol(),
            backlog=AT_ONCE, h11_max_incomplete_event_size=2 * MAX_HEAD,
            proxy_headers=bool(settings.proxies), forwarded_allow_ips=list(settings.proxies),
            timeout_keep_alive=IDLE_BEHIND_PROXY if settings.proxies else IDLE,
        )  # fmt: skip
        url = settings.base_url or address(listening)
        server = _Server(config, house.close_streams, lambda: ready(url) if ready else None)
        house.soon(_load_rest())
        if app.state.rates is not None and house.peers.use_redis:
            secret = (await house.store.push_key()).encode()  # it stays when the keys of cookies change
            house.soon(app.state.rates.share(partial(_add_up, house.peers, secret)))
        often = "uvicorn.error", "asyncio", "parlour.house.http.door", "parlour.house.http.descriptors"
        with closing(door), descriptors.seldom(*often):
            door.watch()
            await server.serve([listening])
    finally:
        await house.close()


async def _add_up(peers: Peers, secret: bytes, spent: dict[Key, float]) -> list[float]:
    """Add up what all processes spent. Redis receives no names and no addresses."""

    def hidden(key: Key) -> str:
        return f"parlour:{blake2b(' '.join(key).encode(), digest_size=16, key=secret[:64]).hexdigest()}"

    return await peers.add_up({hidden(key): amount for key, amount in spent.items()})


async def _load_rest() -> None:
    """Load, in a thread, what no open page needs, once these have come back."""
    await asyncio.sleep(CALM)
    for piece in drawing.load_rest(all_games().values()):
        await asyncio.to_thread(piece)
    gc.freeze()


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0 takes any free one. Errors: PortInUse, CannotServe."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # otherwise an answer can wait 40 ms for an ACK
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # a client that has vanished, or takes nothing: Linux itself ends it
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * TAKEN_WITHIN))
    try:
        listening.bind((host, port))
        listening.listen(WAITING)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _cannot_bind(host, port, error) from None
    listening.set_inheritable(False)  # the bots' processes must not keep the port
    return listening


def base_url(given: str) -> None:
    """Raise CannotServe unless a house can have this address."""
    if not given:
        return
    wanted = "Set --base-url to the address people open, such as https://games.example or http://192.168.1.5:8000"
    try:
        parts = urlsplit(given)
        good = parts.scheme in ("http", "https") and HOST.fullmatch(parts.netloc.encode("idna").decode()) is not None
        good = good and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # such as a port that is not a number
        good = False
    if not good:
        raise CannotServe(f"{given!r} isn't a valid address for a house. {wanted}.")
    if parts.path.strip("/"):
        raise CannotServe(
            f"A house can't run below a path such as {parts.path}: it needs its own host name, such as "
            f"parlour.games.example. {wanted}."
        )
    if parts.query or parts.fragment or given.endswith(("?", "#")):
        raise CannotServe(f"{given!r} contains more than an address. {wanted}.")


def networks(proxies: tuple[str, ...]) -> tuple[str, ...]:
    """Return the proxies' addresses and networks, each as a network; IPv4 ones also in the form that a dual-stack
    socket shows. Raises CannotServe for anything else."""
    found = []
    for one in proxies:
        try:
            network = ip_network(one.strip(), strict=False)
        except ValueError:
            raise CannotServe(
                f"{one!r} isn't a valid proxy address. Use a number such as 127.0.0.1, or a network such as 10.0.0.0/8."
            ) from None
        found.append(str(network))
        if isinstance(network, IPv4Network):
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return tuple(found)


def _cannot_bind(host: str, port: int, error: Exception) -> ParlourError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return PortInUse(f"Port {port} on {host} is in use by another program. Stop it, or choose another port.")
    return CannotServe(f"Cannot listen on {host}, port {port}: {error}.")
