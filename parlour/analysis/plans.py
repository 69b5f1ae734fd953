"""Plans of blocks: the function, its settings, and the version of all that it needs."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from parlour.analysis.versions import version
from parlour.core.errors import BadSetup

Given: TypeAlias = Mapping[str, object]  # what JSON can hold

_cores: ContextVar[int] = ContextVar("cores", default=0)


@dataclass(frozen=True)
class Plan:
    """Work in blocks.

    `work`: the function, as "module:function". `common` and each of `blocks`: its arguments, as JSON has them. `games`:
    the names of the games that it plays; their rules are a part of `version`. `compared`: a function "module:function"
    from a result to those of its bytes that must be the same wherever it was played; all of them by default.
    """

    work: str
    common: Given
    blocks: Sequence[Given]
    games: tuple[str, ...] = ()
    compared: str = ""

    @cached_property
    def version(self) -> dict[str, str]:
        """What decides the results beside the settings; a worker must have the same."""
        return version(tuple(filter(None, (self.work, self.compared))), self.games)

    @property
    def head(self) -> dict[str, object]:
        """What all blocks have in common, for the first line of a file."""
        return {"work": self.work, "common": self.common, "version": self.version}

    def same(self, one: bytes, other: bytes) -> bool:
        """Return whether two results of a block agree."""
        strip = function(self.compared) if self.compared else bytes
        return bool(strip(one) == strip(other))

    def play(self, number: int) -> bytes:
        """Return the result of a block, played in this process."""
        return play(self.work, self.common, self.blocks[number])


def cut(games: int, size: int) -> list[dict[str, int]]:
    """Return the blocks of games 0 to `games` - 1, each of `size` games (the last may have fewer)."""
    return [{"first": first, "games": min(size, games - first)} for first in range(0, games, size)]


def function(named: str) -> Callable[..., object]:
    """Return the function "module:function". Raises BadSetup for anything else, ModuleNotFoundError."""
    module, _, name = named.partition(":")
    found = getattr(importlib.import_module(module), name, None) if name else None
    if not callable(found):
        raise BadSetup(f"{named!r} is not a function. Write module:function, the function at the top of its module.")
    return found  # type: ignore[no-any-return]


def play(work: str, common: Given, block: Given, cores: int = 0) -> bytes:
    """Return the result of a block, played in this process with this many threads (0: one for each core)."""
    token = _cores.set(cores)
    try:
        data = function(work)(common, block)
    finally:
        _cores.reset(token)
    if not isinstance(data, bytes):
        raise BadSetup(f"{work} returned {type(data).__name__}; a block's result must be bytes.")
    return data


def cores() -> int:
    """Return how many threads the function of a block may use."""
    return _cores.get() or os.cpu_count() or 1
