"""This computer's addresses. It uses only the standard library, because `parlour --help` imports it too."""

from __future__ import annotations

import socket
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Protocol
from urllib.parse import urlsplit

VANISHED = 6000  # milliseconds without an answer after which the client is gone
EVERYWHERE = ("0.0.0.0", "::")  # to listen on, for everyone in the network
STREAMS = ("/events", "/positions")  # how the addresses of streams end: a page or a program is there
HERE = ("localhost", "127.0.0.1", "::1")  # on any computer these lead to itself


class Adjustable(Protocol):
    """A socket, as asyncio or uvloop shows it."""

    def setsockopt(self, level: int, option: int, value: int, /) -> None:
        """Set an option."""


@lru_cache(maxsize=4096)
def neighbourhood(host: str, prefix: int = 64) -> str:
    """Return what counts as one address: an IPv4 address; or the network of an IPv6 address, because its owner has all
    its addresses; anything else unchanged."""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:  # how an IPv4 address appears on a socket for both
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), prefix), strict=False))


def watch_closely(connection: Adjustable | None) -> None:
    """Let the system check that the other end of a socket is still there, and close it after about six seconds without
    an answer: a phone that loses its network sends nothing. Behind a proxy, that is the proxy's task."""
    if connection is None or not hasattr(socket, "TCP_KEEPIDLE"):
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in ((socket.TCP_KEEPIDLE, 3), (socket.TCP_KEEPINTVL, 1), (socket.TCP_KEEPCNT, 3)):
        connection.setsockopt(socket.IPPROTO_TCP, option, value)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED)


def address(listening: socket.socket) -> str:
    """Return the address to use in a browser on this computer."""
    host, port = listening.getsockname()[:2]
    host = HERE[0] if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}"


def lan_address() -> str:
    """Return this computer's own address in its network, "" without one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept for documentation: only the way out is asked for
            found: str = probe.getsockname()[0]
        except OSError:
            return ""
    return "" if found.startswith("127.") else found


def for_others(url: str) -> str:
    """Return `url` as others in the network must write it, if it names this computer; unchanged without a network."""
    parts = urlsplit(url)
    if parts.hostname not in HERE or not (found := lan_address()):
        return url
    port = parts.netloc.rpartition("]")[2].partition(":")[1:]  # as it was sent: it need not be a number
    return parts._replace(netloc=found + "".join(port)).geturl()
