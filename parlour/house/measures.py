"""The house's metrics for Prometheus (`GET /metrics`). They contain no people, and of games only the name."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds


class Measures:
    """The counters of one house, in a registry of its own, so that several houses in one process don't mix."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.requests = Counter(
            "parlour_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        self.latency = Histogram(
            "parlour_request_seconds",
            "Time from a request to its response; for streams, to their start.",
            ["method", "route"],
            buckets=QUICK,
            registry=registry,
        )
        self.sent = Counter("parlour_sent_bytes", "Bytes of response bodies sent.", ["route"], registry=registry)
        self.moves = Counter(
            "parlour_moves",
            "Moves by people and bots; the result is `made` or the code of the refusal.",
            ["game", "by", "result"],
            registry=registry,
        )
        self.refusals = Counter("parlour_refusals", "Refusals by code.", ["code"], registry=registry)
        self.limited = Counter(
            "parlour_limited", "Requests and connections refused because of a limit, by kind.", ["kind"],
            registry=registry,
        )  # fmt: skip
        self.notices = Counter(
            "parlour_notices", "Notifications sent to people, by channel and outcome.", ["kind", "result"],
            registry=registry,
        )  # fmt: skip
        self._database = Histogram(
            "parlour_database_seconds",
            "Time of each database operation, including its wait.",
            ["operation"],
            buckets=QUICK,
            registry=registry,
        )

    def database(self, operation: str, seconds: float) -> None:
        """Note a database operation."""
        self._database.labels(operation).observe(seconds)

    def add(self, collector: Collector) -> None:
        """Register something that is counted when it is read, rather than when it happens."""
        self.registry.register(collector)

    def families(self) -> list[Metric]:
        """Yield all metrics, for a page that draws them."""
        return list(self.registry.collect())

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)
