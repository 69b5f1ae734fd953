"""Replaces `events.py`, or the parts of it that a game lacks: there is nothing to count."""

from __future__ import annotations

from typing import Any


def starter(_state: Any) -> int:
    """Return the seat that had the first turn, from a finished game; -1: the first seat to decide."""
    return -1


def direction(_state: Any) -> int:
    """Return whether turns go to the next seat (1) or to the one before (-1), from any state."""
    return 1


def ending(_state: Any) -> int:
    """How a finished game ended: an index into ENDINGS."""
    return 0


def events(_state: Any, _action: int) -> int:
    """Return the events of `action`, which is about to be applied: bit i means EVENTS[i]."""
    return 0


def count(_state: Any, _which: int) -> int:
    """A number read from a finished game: that of COUNTS[which]."""
    return 0
