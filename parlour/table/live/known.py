"""What is noted of a table in memory: who asked last, what viewers have seen, what seats have decided."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

from parlour.core.scene import Line


@dataclass(slots=True)
class Asked:
    """When anybody last asked something about a table, and when a player did (seconds of the
    monotonic clock). `live.looking` reads it."""

    anybody: float = -inf
    player: float = -inf


class Known(NamedTuple):
    """What a viewer has seen of a game: the places in the journal where the steps that they saw
    end, by version; and the lines of the log by step."""

    places: array[int]
    lines: list[tuple[Line, ...]]


class Decision(NamedTuple):
    """What a seat has decided in `state`, and the version that it was told this led to."""

    state: Any
    action: int
    version: int
