"""Addresses that somebody gave: what may be sent there (`sending`), with https and to public addresses only.

What a stranger names is a request that this machine makes. Without this they would reach what only it can: the router,
a database, the address at which a cloud tells its machines' secrets.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Literal

from yarl import URL

from parlour.table.errors import BadInput

LONGEST = 1024  # characters of an address
PORTS = (None, 443, 8443)
Where = Literal["public", "any"]
# Ways of writing an address of IPv4 into one of IPv6, which some networks take out again.
_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))


class Refused(OSError):
    """An address to which nothing is sent."""


def is_public(address: str) -> bool:
    """Whether this numeric address is one of the public Internet, whatever it is written as."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif found.sixtofour is not None or found.teredo is not None or any(found in one for one in _TRANSLATED):
            return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def checked_url(url: str, where: Where) -> str:
    """The address, if anything may be sent there as far as its text says. Raises BadInput."""
    wanted = "An address begins with https:// and names a public host, without a name and password in it."
    if len(url) > LONGEST or any(not 32 < ord(one) < 127 for one in url):
        raise BadInput(f"{wanted} It has {LONGEST} characters at most, none of them a blank.")
    try:
        parts = URL(url)  # as the client that sends it reads it
        port, host = parts.explicit_port, parts.host
    except ValueError:
        raise BadInput(wanted) from None
    if not host or parts.user is not None or parts.password is not None or "\\" in url:
        raise BadInput(wanted)
    if where == "any":
        if parts.scheme not in ("http", "https"):
            raise BadInput(wanted)
    elif parts.scheme != "https" or port not in PORTS or (_is_number(host) and not is_public(host)):
        raise BadInput(f"{wanted} Its port is 443 or 8443.")
    return url


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
