"""What the result of a block depends on beside its settings: the code that plays, and what it stands on."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
import sys
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

import parlour
from parlour.games import find

LIBRARIES = ("numpy", "numba", "llvmlite")
PLAYING = ("core", "engine", "bots", "analysis", "games")  # the folders of Parlour that results depend on
SUFFIXES = {".py", ".toml", ".json", ".npy", ".npz"}  # of a game: its code, editions and tables


@cache
def version(works: tuple[str, ...], games: tuple[str, ...] = ()) -> dict[str, str]:
    """Return everything that decides results, by name: versions, and hashes of the sources.

    `works`: functions as "module:function"; the folders of those outside Parlour are hashed too. `games`: the names of
    the games that they play. The kind of processor is among them, as floating-point functions may differ.
    Raises UnknownName (game) and ModuleNotFoundError.
    """
    found = {"parlour": parlour.__version__, "code": _own()}
    found |= {f"work {name}": _module(name) for name in works if not name.startswith("parlour.")}
    for name in games:
        game = find(name)
        files = resources.files(game.package)
        found[f"game {name}"] = f"{game.rules.VERSION} {hashed(Path(str(files)))}"
    found |= {name: importlib.metadata.version(name) for name in LIBRARIES}
    return found | {"python": ".".join(map(str, sys.version_info[:2])), "machine": platform.machine()}


def _own() -> str:
    root = Path(parlour.__file__).parent
    return _digest(
        (file.relative_to(root).as_posix(), file.read_bytes())
        for folder in PLAYING
        for file in sorted((root / folder).glob("*.py" if folder == "games" else "**/*.py"))
    )


def _module(work: str) -> str:
    spec = importlib.util.find_spec(work.partition(":")[0])
    if spec is None or not spec.origin:
        raise ModuleNotFoundError(f"There is no module {work.partition(':')[0]}.")
    folder = Path(spec.origin).parent
    return _digest((file.name, file.read_bytes()) for file in sorted(folder.glob("*.py")))


def hashed(folder: Path) -> str:
    """Return a hash of the files of a game's folder that results depend on."""
    return _digest(
        (file.relative_to(folder).as_posix(), file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.suffix in SUFFIXES
    )


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]
