"""`GET /metrics`: the counts of `measures.py` and the house's present state, for Prometheus and not for players."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from litestar import Response, get
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from parlour.house.errors import NotFound
from parlour.house.house import House
from parlour.house.http.hosts import host_of
from parlour.house.http.rates import READING
from parlour.house.http.requests import BANNED, Asked, TheHouse
from parlour.house.settings import Settings

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FORWARDED = {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"}
PRIVATE = [ip_network(one) for one in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")]


class Rooms(Collector):
    """The house's present state."""

    def __init__(self, house: House) -> None:
        self._house = house

    def collect(self) -> Iterator[Metric]:
        """Yield the present numbers."""
        house = self._house
        tables = list(house.tables.values())
        yield GaugeMetricFamily("parlour_tables", "Tables in memory.", len(tables))
        streams = GaugeMetricFamily("parlour_streams", "Open pages.", labels=["of"])
        streams.add_metric(["tables"], sum(len(table.audience.listeners) for table in tables))
        streams.add_metric(["lobby"], len(house.lobby.audience.listeners))
        yield streams
        bots = GaugeMetricFamily("parlour_bots", "Moves that bots still have to make.", labels=["state"])
        pools = house.workers, house.custom.workers
        bots.add_metric(["thinking"], sum(one.thinking for one in pools))
        bots.add_metric(["waiting"], sum(one.waiting for one in pools))
        yield bots
        watchdog = house.watchdog
        yield CounterMetricFamily("parlour_loop_stalls", "Number of times the event loop was blocked.", watchdog.count)
        yield CounterMetricFamily(
            "parlour_loop_stalled_seconds", "Seconds for which the event loop was blocked.", watchdog.lost
        )
        yield GaugeMetricFamily(
            "parlour_loop_worst_seconds", "Longest delay of the event loop since the start.", watchdog.worst
        )
        yield GaugeMetricFamily(
            "parlour_loop_busiest_seconds", "Longest uninterrupted computation in the event loop.", watchdog.busiest
        )
        times = CounterMetricFamily(
            "parlour_loop_held", "Number of times each function blocked the event loop.", labels=["where"]
        )
        seconds = CounterMetricFamily(
            "parlour_loop_held_seconds",
            "Seconds for which each function blocked it; where: our innermost function.",
            labels=["where"],
        )
        for where, held in watchdog.held.items():
            times.add_metric([where], held.times)
            seconds.add_metric([where], held.seconds)
        yield times
        yield seconds
        if house.peers.use_redis:
            yield GaugeMetricFamily("parlour_redis_up", "Whether Redis responds.", house.peers.connected())


@get("/metrics", include_in_schema=False, opt=READING.costs(0) | {BANNED: True})
async def metrics(request: Asked, house: TheHouse) -> Response[bytes]:
    """Return the counters. Raises NotFound for those who may not read them."""
    host = request.client.host if request.client else ""
    if FORWARDED & set(request.headers) or not may_read(host, house.settings) or not named_near(host_of(request)):
        raise NotFound(f"There is no page at {request.url.path}.")
    return Response(house.measures.text(), media_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def named_near(host: str) -> bool:
    """Return whether a program used this computer's number, or a name without a dot, as in a private network.

    A page of another site, whose own name leads here for a moment, uses that name.
    """
    name = urlsplit(f"//{host}").hostname or ""
    return "." not in name or _number(name) is not None


def may_read(host: str, settings: Settings) -> bool:
    """Return whether a program at this address may read the counters: one on this computer; or, if players come through
    a proxy, one in its private network.

    At home the players are in the private network, and the counters could reveal that a player has just answered a
    secret question.
    """
    found = _number(host.partition("%")[0])
    if found is None:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return found.is_loopback or (bool(settings.proxies) and any(found in network for network in PRIVATE))


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
