"""The measurements, and the numbers made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


class Log:
    """What the people at all tables measured: times while it is `running`, and failures."""

    def __init__(self) -> None:
        self.answers: list[float] = []  # seconds from a move's request to its answer
        self.updates: list[float] = []  # and to each other page's update
        self.errors: Counter[str] = Counter()
        self.late = 0  # answers to secret questions that came when the time was over
        self.running = False

    def answered(self, began: float, at: float) -> None:
        """Note the response to a move."""
        if self.running:
            self.answers.append(at - began)

    def updated(self, began: float, at: float) -> None:
        """Note the update of another page."""
        if self.running:
            self.updates.append(max(0.0, at - began))

    def failed(self, what: str) -> None:
        """Note a failure."""
        self.errors[what] += 1


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of them does not exceed, in milliseconds; 0 without any."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else 0.0
