"""What was measured, and the numbers made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


class Log:
    """What the people at all tables saw: times while it is `running`, and whatever went wrong."""

    def __init__(self) -> None:
        self.answers: list[float] = []  # seconds from a move's request to its answer
        self.updates: list[float] = []  # and to each other page's update
        self.errors: Counter[str] = Counter()
        self.late = 0  # answers to secret questions that came when the time was over
        self.running = False

    def answered(self, began: float, at: float) -> None:
        """A move was answered."""
        if self.running:
            self.answers.append(at - began)

    def told(self, began: float, at: float) -> None:
        """Another page was told of a move."""
        if self.running:
            self.updates.append(max(0.0, at - began))

    def failed(self, what: str) -> None:
        """Something went wrong."""
        self.errors[what] += 1


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed, in milliseconds; 0 where there are none."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else 0.0
