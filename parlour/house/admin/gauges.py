"""The numbers of `/metrics`, to be drawn: bars with their words, from what the house has counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from prometheus_client.core import Metric

MOST = 8  # bars of one chart; the rest are one
MEGA = 2**20


class Bar(NamedTuple):
    """A bar: its label, its length in hundredths of the longest, its number in words."""

    name: str
    width: float
    words: str


class Chart(NamedTuple):
    """A chart of bars, and a sentence below it."""

    title: str
    bars: tuple[Bar, ...]
    words: str = ""


def gauges(families: Iterable[Metric]) -> tuple[Chart, ...]:
    """Return the charts of a process, as it is now."""
    found = {one.name: one for one in families}
    return tuple(chart for chart in (
        _machine(found),
        _times(found, "parlour_request_seconds", "How long requests took"),
        _times(found, "parlour_database_seconds", "How long the database took"),
        _counts(found, "parlour_requests", "status", "Responses, by status"),
        _counts(found, "parlour_refusals", "code", "Refusals, by reason"),
        _counts(found, "parlour_limited", "kind", "Delayed or refused by a limit"),
        _counts(found, "parlour_moves", "by", "Moves, by kind of player"),
        _loop(found),
        _counts(found, "parlour_loop_held", "where", "What blocked the event loop: times since the start"),
    ) if chart.bars)  # fmt: skip


def _value(found: Mapping[str, Metric], name: str, **labels: str) -> float | None:
    family = found.get(name)
    samples = family.samples if family is not None else ()
    values = [
        one.value for one in samples if labels.items() <= one.labels.items() and not one.name.endswith("_created")
    ]
    return sum(values) if values else None


def _machine(found: Mapping[str, Metric]) -> Chart:
    memory, used, most = (_value(found, f"process_{name}") for name in ("resident_memory_bytes", "open_fds", "max_fds"))
    bars = []
    for name, what in (("Tables in memory", "parlour_tables"), ("Open pages", "parlour_streams")):
        bars.append((name, _value(found, what) or 0.0))
    for state in ("thinking", "waiting"):
        bars.append((f"Bots {state}", _value(found, "parlour_bots", state=state) or 0.0))
    if used is not None:
        bars.append(("Open descriptors", used))
    words = f"{memory / MEGA:,.0f} MB of memory" if memory else ""
    if most:
        words += f"; at most {most:,.0f} descriptors"
    redis = _value(found, "parlour_redis_up")
    if redis is not None:
        words += "; Redis answers" if redis else "; Redis is down"
    return Chart("This process, now", _drawn([(name, value, f"{value:,.0f}") for name, value in bars]), f"{words}.")


def _loop(found: Mapping[str, Metric]) -> Chart:
    rows = []
    for name, what in (("Longest wait for the event loop", "worst"), ("Longest task in it", "busiest")):
        if (value := _value(found, f"parlour_loop_{what}_seconds")) is not None:
            rows.append((name, value, f"{1000 * value:,.0f} ms"))
    stalls, lost = _value(found, "parlour_loop_stalls"), _value(found, "parlour_loop_stalled_seconds")
    return Chart(
        "The event loop, since the start",
        _drawn(rows),
        f"It stalled {stalls or 0:,.0f} time{'s' if stalls != 1 else ''}, for {lost or 0:.1f} s in total.",
    )


def _times(found: Mapping[str, Metric], name: str, title: str) -> Chart:
    """Return a histogram, summed over all its labels, with its median and its 99th percentile."""
    up_to: Counter[float] = Counter()
    for one in found[name].samples if name in found else ():
        if one.name.endswith("_bucket"):
            up_to[float(one.labels["le"])] += round(one.value)
    bounds = sorted(up_to)
    if not bounds or not up_to[bounds[-1]]:
        return Chart(title, ())
    total, before, rows = up_to[bounds[-1]], 0, []
    for bound in bounds:
        number = up_to[bound] - before
        words = "longer" if bound == float("inf") else f"up to {_seconds(bound)}"
        rows.append((words, float(number), f"{number:,}"))
        before = up_to[bound]
    half, most = (next(bound for bound in bounds if up_to[bound] >= share * total) for share in (0.5, 0.99))
    return Chart(title, _drawn(rows), f"Half within {_seconds(half)}, 99 % within {_seconds(most)}, of {total:,}.")


def _seconds(value: float) -> str:
    if value == float("inf"):
        return "more than that"
    return f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms"


def _counts(found: Mapping[str, Metric], name: str, label: str, title: str) -> Chart:
    counted: Counter[str] = Counter()
    for one in found[name].samples if name in found else ():
        if one.name.endswith("_total"):
            counted[one.labels[label]] += round(one.value)
    rows = counted.most_common(MOST)
    rest = counted.total() - sum(number for _, number in rows)
    if rest:
        rows.append(("all others", rest))
    return Chart(title, _drawn([(kind, float(number), f"{number:,}") for kind, number in rows]))


def _drawn(rows: Sequence[tuple[str, float, str]]) -> tuple[Bar, ...]:
    longest = max((value for _, value, _ in rows), default=0.0) or 1.0
    return tuple(Bar(name, round(100 * value / longest, 2), words) for name, value, words in rows)
