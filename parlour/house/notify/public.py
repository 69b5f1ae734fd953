"""Checks of addresses that people enter: requests go (`sending`) only to public addresses, over https.

Such an address makes this machine send a request. Without the checks, strangers could reach what only this machine can:
the router, a database, the address at which a cloud gives its machines their secrets.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal

from yarl import URL

from parlour.house.errors import BadInput

LONGEST = 1024  # characters of an address
PORTS = (None, 443, 8443)
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*", re.IGNORECASE)  # how the last part of such a host is written
Where = Literal["public", "any"]
# Networks that are not the public Internet's, of IANA's registries of special-purpose addresses (IPv4: RFC 6890 and
# those since; IPv6: the same) and of what was set apart before there were any. Kept here, as Python's own tables differ
# from version to version. Multicast is among them, and what writes an address of IPv4 as one of IPv6: some networks
# take that out again.
SPECIAL = [
    ip_network(one)
    for one in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
]
GLOBAL = ip_network("2000::/3")  # the part of IPv6 in which there are public addresses at all; but not in these
SPECIAL_6 = [
    ip_network(one)
    for one in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20")
]


class Refused(OSError):
    """An address to which nothing is sent."""


def is_public(address: str) -> bool:
    """Return whether this numeric address, in any notation, belongs to the public Internet."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if isinstance(found, IPv6Address):
        return found in GLOBAL and not any(found in one for one in SPECIAL_6)
    return not any(found in one for one in SPECIAL)


def checked_url(url: str, where: Where) -> str:
    """Return the address if its text allows sending there. Raises BadInput."""
    wanted = "The address must start with https://, name a public host and contain no username or password."
    if len(url) > LONGEST or any(not 32 < ord(one) < 127 for one in url):
        raise BadInput(f"{wanted} It can have at most {LONGEST} characters and no spaces.")
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
        raise BadInput(f"{wanted} The port must be 443 or 8443.")
    return url


def _is_number(host: str) -> bool:
    """Return whether a host is a number in any form that programs accept: 127.1, 0x7f000001 and 2130706433 too."""
    return ":" in host or _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]) is not None
