"""Games outside Parlour, in the folders that the environment's PARLOUR_GAMES names.

Each entry of PARLOUR_GAMES (separated as in PATH) is one game's folder, or a folder of such
folders. A game's folder becomes the package `parlour.games.outside.NAME_xxxxxxxx` (a hash of its
path), wherever it lies and whatever else has the same name. A process with the same environment
finds it under the same name.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

VARIABLE = "PARLOUR_GAMES"
MARKS = (
    "__init__.py",
    "rules.py",
    "rules/__init__.py",
    "text.py",
    "scene.py",
    "rulebook.md",
    "editions",
)  # any of these makes a folder a game
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

__path__: list[str] = []  # makes this a package, in which `Finder` finds the games


def setting() -> str:
    """Return the current value of PARLOUR_GAMES."""
    return os.environ.get(VARIABLE, "")


def add(places: Sequence[Path]) -> None:
    """Let this process, and those that it starts, find the games in `places`, before all others."""
    if places:
        entries = [str(place.expanduser().absolute()) for place in places]
        os.environ[VARIABLE] = os.pathsep.join(filter(None, [*entries, setting()]))


def places(setting: str) -> Iterator[tuple[Path, bool]]:
    """Yield the game folders in a `setting`, in order, with True; other entries with False."""
    for entry in filter(None, setting.split(os.pathsep)):
        place = Path(entry).expanduser().absolute()
        folders = [place] if is_game(place) else [one for one in _folders(place) if is_game(one)]
        yield from ((folder, True) for folder in folders)
        if not folders:
            yield place, False


def is_game(folder: Path) -> bool:
    """Return whether a folder is meant to be a game, complete or not."""
    try:
        return any((folder / mark).exists() for mark in MARKS)
    except OSError:  # not ours to read
        return False


def called(name: str) -> str:
    """Return the game's name for a folder or entry point: "my_game" -> "my-game"."""
    return name.lower().replace("_", "-")


def package(folder: Path) -> str:
    """Return the name of the package for a game's folder."""
    return f"{__name__}.{called(folder.name).replace('-', '_')}_{zlib.crc32(os.fsencode(folder)):08x}"


def _folders(place: Path) -> list[Path]:
    try:
        return sorted(one for one in place.iterdir() if one.is_dir() and one.name[0] not in "._")
    except OSError:
        return []


class Finder(importlib.abc.MetaPathFinder):
    """Find the packages of the folders; their modules are then found in the usual way."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - importlib fixes the signature
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a game folder's package, None for anything else."""
        if fullname.rpartition(".")[0] == __name__:
            for folder, found in places(setting()):
                if found and package(folder) == fullname and (folder / "__init__.py").is_file():
                    return importlib.util.spec_from_file_location(
                        fullname, folder / "__init__.py", submodule_search_locations=[str(folder)]
                    )
        return None


sys.meta_path.append(Finder())
