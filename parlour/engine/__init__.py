"""The engine: the rules of a game as they are, or compiled, under one set of names.

`interpret(game)` needs nothing but the standard library; everything else loads NumPy and Numba when
it is first used, so that importing this package stays cheap for those (the web process, say) who
only play.
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
