"""The cache of compiled code: one folder for each compiled thing, named by a hash of its sources.

The hash covers the code in memory (every function that the rules, the policy and the drivers reach,
and every constant beside them), not files, which may change while a process runs. So a folder never
holds the code of other rules, and two games never share one.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from filelock import FileLock
from platformdirs import user_cache_path

from parlour.engine.link import own_functions

VARIABLE = "PARLOUR_CACHE"
KEEP_DAYS = 30
KEEP_FOLDERS = 40
ROOM = 64 << 20  # bytes that must be free on the disk before anything is stored
USED = "used"  # a file in each folder: its time says when the folder was last used
BUSY = "compiling.lock"  # a file in each folder: whoever compiles for it holds it


def root() -> Path:
    """Return the parent of all folders: PARLOUR_CACHE, or `parlour` in the platform's cache."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).expanduser()
    return user_cache_path("parlour", appauthor=False)


def fingerprint(modules: Iterable[ModuleType], *more: Any) -> str:
    """Return a hash of the functions and constants of `modules`, of `more`, and of versions.

    The versions are those of Python, Numba, llvmlite and NumPy.
    """
    digest = hashlib.sha256()
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite", "numpy")]
    for line in (sys.version, *versions, *(repr(item) for item in more)):
        digest.update(line.encode() + b"\n")
    for module in sorted(modules, key=lambda m: m.__name__):
        for line in _describe_module(module):
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:24]


def folder(name: str, mark: str) -> Path | None:
    """Return the folder for `name` with this fingerprint, created and marked as used.

    Returns None if nothing can be stored there. Removes folders that have not been used for a
    month, and all but the forty last used.
    """
    place = root() / f"{name}-{mark}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        (place / USED).touch()
        if shutil.disk_usage(place).free < ROOM:
            return None
        _tidy(place)
    except OSError:
        return None
    return place


@contextlib.contextmanager
def alone(place: Path | None) -> Iterator[None]:
    """Keep other processes from compiling for this folder meanwhile: they find there what they wait for.

    Where the folder cannot be locked, or is None, each process compiles for itself.
    """
    with contextlib.ExitStack() as stack:
        if place is not None:
            with contextlib.suppress(OSError):
                stack.enter_context(FileLock(place / BUSY))
        yield


def note(file: Path) -> None:
    """Make an empty file in a folder, as a flag; do nothing if the folder is not writable."""
    with contextlib.suppress(OSError):
        file.touch()


def _tidy(keep: Path) -> None:
    dated = []
    for mark in keep.parent.glob(f"*/{USED}"):
        if mark.parent != keep:
            try:
                dated.append((mark.stat().st_mtime, mark.parent))
            except OSError:  # another process was faster
                continue
    dated.sort(reverse=True)
    oldest = time.time() - KEEP_DAYS * 86400
    for place, (when, path) in enumerate(dated, 2):
        if when < oldest or place > KEEP_FOLDERS:
            shutil.rmtree(path, ignore_errors=True)


def _describe_module(module: ModuleType) -> Iterator[str]:
    yield f"module {module.__name__}"
    for name, function in sorted(own_functions(module).items()):
        yield f"function {name} {_describe(function.__defaults__)}"
        yield from _describe_code(function.__code__)
    for name, value in sorted(vars(module).items()):
        if not name.startswith("__") and isinstance(value, int | float | str | tuple):
            yield f"constant {name} {_describe(value)}"


def _describe_code(code: CodeType) -> Iterator[str]:
    shape = (code.co_name, code.co_argcount, code.co_flags, code.co_names, code.co_varnames, code.co_freevars)
    yield f"{shape} {code.co_code.hex()}"
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _describe_code(constant)
        else:
            yield _describe(constant)


def _describe(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"frozenset {sorted(repr(item) for item in value)}"
    return repr(value)
