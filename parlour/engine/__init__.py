"""The engine: the rules of a game, plain or compiled, under one set of names.

`interpret(game)` needs only the standard library. Everything else loads NumPy and Numba on first
use, so importing this package stays cheap for callers that only play, such as the web process.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from parlour.engine.interpreted import interpret

if TYPE_CHECKING:
    from parlour.engine.batch import Batch
    from parlour.engine.compiled import compile
    from parlour.engine.packing import dtype, pack, unpack

__all__ = ["Batch", "compile", "dtype", "interpret", "pack", "unpack"]

_HOME = {"Batch": "batch", "compile": "compiled", "dtype": "packing", "pack": "packing", "unpack": "packing"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
