"""The cache of compiled code: one folder for each compiled thing, named by a hash of its sources.

The hash covers the code in memory (every function that the rules, the policy and the drivers reach,
and every value beside them that compiling freezes), not files, which may change while a process
runs. So a folder never holds the code of other rules, and two games never share one.

A file may be damaged: cut, empty or full of zeros after a power loss or on a full disk. So each file
begins with a hash of the rest (`store`), and what does not agree with it counts as missing (`load`).
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import shutil
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from filelock import FileLock
from platformdirs import user_cache_path

from parlour.engine.link import is_table, own_functions, used_names

VARIABLE = "PARLOUR_CACHE"
LIBRARIES = ("numba", "llvmlite", "numpy")
KEEP_DAYS = 30
KEEP_VERSIONS = 16  # of one name: changing one game again and again costs no other its code
KEEP_FOLDERS = 200
ROOM = 64 << 20  # bytes that must be free on the disk before anything is stored
USED = "used"  # a file in each folder: its time says when the folder was last used
SEAL = hashlib.sha256().digest_size  # bytes at the beginning of each stored file
BUSY = "compiling.lock"  # a file in each folder: the process that compiles for it holds its lock


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
    versions = [importlib.metadata.version(name) for name in LIBRARIES]
    for line in (sys.version, *versions, *(repr(item) for item in more)):
        digest.update(line.encode() + b"\n")
    for line in _describe_modules(list(modules)):
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:24]


def folder(name: str, mark: str) -> Path | None:
    """Return the folder for `name` with this fingerprint, created and marked as used.

    Returns None if nothing can be stored there. Removes folders that have not been used for a
    month, and all but the last used: KEEP_VERSIONS of each name, KEEP_FOLDERS in all.
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
    """Keep other processes from compiling for this folder meanwhile; they find the result there afterwards.

    Where the folder cannot be locked, or is None, each process compiles for itself.
    """
    with contextlib.ExitStack() as stack:
        if place is not None:
            with contextlib.suppress(OSError):
                stack.enter_context(FileLock(place / BUSY))
        yield


def store(file: Path, data: bytes) -> None:
    """Write a file of a folder, whole or not at all; do nothing if it cannot be written."""
    with contextlib.suppress(OSError):
        new = file.with_name(f"{file.name}.{uuid.uuid4().hex[:16]}")
        try:
            new.write_bytes(hashlib.sha256(data).digest() + data)
            new.replace(file)
        except OSError:
            new.unlink(missing_ok=True)
            raise


def load(file: Path) -> bytes | None:
    """Return what was stored in this file; None if it is missing, cannot be read or is damaged."""
    try:
        found = file.read_bytes()
    except OSError:
        return None
    seal, data = found[:SEAL], found[SEAL:]
    return data if hashlib.sha256(data).digest() == seal else None


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
    versions = Counter([_name(keep)])
    for place, (when, path) in enumerate(dated, 2):
        versions[_name(path)] += 1
        if when < oldest or place > KEEP_FOLDERS or versions[_name(path)] > KEEP_VERSIONS:
            shutil.rmtree(path, ignore_errors=True)


def _name(place: Path) -> str:
    """Return the name that a folder was made for, which is followed by the fingerprint."""
    return place.name.rpartition("-")[0]


def _describe_modules(modules: list[ModuleType]) -> Iterator[str]:
    """Describe modules, and those that their functions reach as attributes of others (`a.b.NUMBER`)."""
    used = {name for module in modules for name in used_names(own_functions(module).values())}
    ahead = sorted(modules, key=lambda module: module.__name__)
    seen = {module.__name__ for module in ahead}
    for module in ahead:  # more are added on the way
        yield from _describe_module(module)
        for name, value in sorted(vars(module).items()):
            if isinstance(value, ModuleType) and name in used and value.__name__ not in seen and not versioned(value):
                seen.add(value.__name__)
                ahead.append(value)


def versioned(module: ModuleType) -> bool:
    """Return whether a module belongs to Python or to the libraries whose versions are in the hash."""
    return module.__name__.partition(".")[0] in {*sys.stdlib_module_names, *LIBRARIES}


def _describe_module(module: ModuleType) -> Iterator[str]:
    yield f"module {module.__name__}"
    for name, value in sorted(vars(module).items()):
        if not name.startswith("__") and not _described_at_home(value, module):
            for line in _describe(value):
                yield f"{name} {line}"


def _described_at_home(value: Any, module: ModuleType) -> bool:
    """Return whether a function was imported from another module, where it is linked and described."""
    home = isinstance(value, FunctionType) and value.__module__ != module.__name__ and sys.modules.get(value.__module__)
    return bool(home) and vars(home).get(getattr(value, "__name__", "")) is value


def _describe_code(code: CodeType) -> Iterator[str]:
    shape = (code.co_name, code.co_argcount, code.co_flags, code.co_names, code.co_varnames, code.co_freevars)
    yield f"{shape} {code.co_code.hex()}"
    for constant in code.co_consts:
        yield from _describe(constant)


SCALARS = (int, float, complex, str, bytes)


def _describe(value: Any) -> Iterator[str]:
    """Describe a value that compiling may freeze; nothing for any other, such as a class."""
    if type(value) in SCALARS:  # most are
        yield f"{type(value).__name__} {value!r}"
        return
    value = getattr(value, "py_func", value)  # a function that was compiled by hand
    numpy = sys.modules.get("numpy")  # no value is NumPy's before NumPy is loaded
    if isinstance(value, CodeType):
        yield from _describe_code(value)
    elif isinstance(value, FunctionType):
        yield f"function {value.__module__} {value.__qualname__}"
        yield from _describe_code(value.__code__)
        yield from _describe(value.__defaults__)
        yield from _describe(value.__kwdefaults__)
        for cell in value.__closure__ or ():
            if not isinstance(cell.cell_contents, FunctionType):  # it may be this function itself
                yield from _describe(cell.cell_contents)
    elif isinstance(value, frozenset):
        yield f"frozenset {sorted(repr(item) for item in value)}"
    elif is_table(value):
        yield f"table {value!r}"
    elif isinstance(value, tuple | list):
        yield f"{type(value).__name__} of {len(value)}"
        for part in value:
            yield from _describe(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield f"key {key!r}"
            yield from _describe(part)
    elif isinstance(value, type) and issubclass(value, Enum):
        yield f"enum {[(one.name, one.value) for one in value]}"
    elif numpy is not None and isinstance(value, numpy.ndarray):
        yield f"array {value.dtype} {value.shape} {value.tobytes().hex()}"
    elif value is None or isinstance(value, (*SCALARS, numpy.generic) if numpy else SCALARS):
        yield f"{type(value).__name__} {value!r}"
