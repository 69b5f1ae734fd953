"""The engine compiled: copies of the rules' functions given to Numba, states as NumPy records."""

from __future__ import annotations

import functools
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config

from parlour.core.game import Game
from parlour.core.struct import layout
from parlour.engine import cache, interpreted, link, record

FORMAT = 6  # raise when the way of compiling below changes

_made: dict[str, CompiledEngine] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class CompiledEngine(interpreted.Engine):
    """See `Engine`; `folder` is where the machine code is kept, None when it could not be kept."""

    compiled: bool = True
    folder: Path | None = None

    def states(self, template: Any, n: int) -> Any:
        made = np.zeros(n, record.dtype(self.game.rules.State))
        if n:
            record.pack(template, made[0])
            made[1:] = made[0]
        return made

    def integers(self, *shape: int) -> Any:
        return np.zeros(shape, np.int64)

    def reals(self, *shape: int, fill: float = 0.0) -> Any:
        return np.full(shape, fill, np.float64)

    def plain(self, state: Any) -> Any:
        return record.unpack(self.game.rules.State, state)


def compile(game: Game) -> CompiledEngine:
    """The engine whose functions are machine code, made when first called or read from the cache.

    The same object as long as the rules (as they are in memory) stay the same.
    """
    with _lock:
        plain = link.Linker(lambda f: f, lambda t: t)
        interpreted.bind(game, plain, interpreted.make_assign(game))
        reached = [interpreted.original(name) for name in plain.copies]
        mark = cache.fingerprint(reached, FORMAT, layout(game.rules.State), config.BOUNDSCHECK, config.OPT, game)
        if mark not in _made:
            _made[mark] = _compile(game, cache.folder(game.name, mark))
        return _made[mark]


def _compile(game: Game, folder: Path | None) -> CompiledEngine:
    njit = functools.partial(numba.njit, nogil=True, no_cfunc_wrapper=True)

    outer = {module.__name__ for module in interpreted.LOOPS}  # only these are called from Python

    def kept(function: Any) -> Any:
        home = sys.modules[function.__module__]
        inner = function.__module__ not in outer and function.__name__ not in getattr(home, "ENTRIES", ())
        apart = function.__name__ in getattr(home, "OUTLINE", ())
        options = {"no_cpython_wrapper": inner, "forceinline": inner and not apart}
        return _one_version(njit(function, cache=folder is not None, **options))

    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")  # read by Numba when a function is decorated
    try:
        assign = njit(interpreted.make_assign(game, loops=True))  # has no file, so it is kept with its callers
        return CompiledEngine(game, *interpreted.bind(game, link.Linker(kept, _array), assign), folder=folder)
    finally:
        config.CACHE_DIR = before


def _one_version(function: Any) -> Any:
    """Numba would compile a function once more for each constant that it is called with; LLVM does that better."""
    general = function.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: numba.types.unliteral(kind) for name, kind in dict(kws).items()}
        return general(tuple(numba.types.unliteral(kind) for kind in args), plain)

    if hasattr(function, "get_call_template"):  # not so under NUMBA_DISABLE_JIT
        function.get_call_template = get_call_template
    return function


def _array(table: Any) -> Any:
    """A constant table as an array of the smallest fitting ints; ragged tables stay tuples."""
    try:
        array = np.array(table)
    except ValueError:
        return table
    low, high = int(array.min()), int(array.max())
    for kind in (np.int8, np.int16, np.int32, np.int64):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return array.astype(kind)
    raise OverflowError(f"a table holds {high if high > 0 else low}, which does not fit in 64 bits")
