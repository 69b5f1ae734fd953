"""Games from folders that are no part of Parlour: those that the environment's PARLOUR_GAMES names.

Each entry of PARLOUR_GAMES (separated as in PATH) is one game's folder, or a folder of them. A game's folder becomes
the package `parlour.games.outside.NAME_xxxxxxxx` (the digits are made from its place), wherever it lies and whatever
else is called so; a process that is started with the same environment finds it under the same name.
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
    "rules",
    "text.py",
    "scene.py",
    "rulebook.md",
    "editions",
)  # any of them makes a game
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

__path__: list[str] = []  # what makes this a package, in which `Finder` finds the games


def setting() -> str:
    """What PARLOUR_GAMES says now."""
    return os.environ.get(VARIABLE, "")


def add(places: Sequence[Path]) -> None:
    """Let this process, and those that it starts, find the games there, before those that are known."""
    if places:
        entries = [str(place.expanduser().absolute()) for place in places]
        os.environ[VARIABLE] = os.pathsep.join(filter(None, [*entries, setting()]))


def places(setting: str) -> Iterator[tuple[Path, bool]]:
    """The folders of games in a `setting`, in order, each with True; what is named and is none comes with False."""
    for entry in filter(None, setting.split(os.pathsep)):
        place = Path(entry).expanduser().absolute()
        folders = [place] if is_game(place) else [one for one in _folders(place) if is_game(one)]
        yield from ((folder, True) for folder in folders)
        if not folders:
            yield place, False


def is_game(folder: Path) -> bool:
    """Whether a folder is meant to be a game, whole or not."""
    try:
        return any((folder / mark).exists() for mark in MARKS)
    except OSError:  # not ours to read
        return False


def called(name: str) -> str:
    """A folder's or entry point's name as a game's: "my_game" -> "my-game"."""
    return name.lower().replace("_", "-")


def package(folder: Path) -> str:
    """The name of the package that a game's folder is."""
    return f"{__name__}.{called(folder.name).replace('-', '_')}_{zlib.crc32(os.fsencode(folder)):08x}"


def _folders(place: Path) -> list[Path]:
    try:
        return sorted(one for one in place.iterdir() if one.is_dir() and one.name[0] not in "._")
    except OSError:
        return []


class Finder(importlib.abc.MetaPathFinder):
    """Finds the packages of the folders; what is in a package is found as everywhere."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - importlib says what it is called with
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """The package of a game's folder, None for all else."""
        if fullname.rpartition(".")[0] == __name__:
            for folder, found in places(setting()):
                if found and package(folder) == fullname and (folder / "__init__.py").is_file():
                    return importlib.util.spec_from_file_location(
                        fullname, folder / "__init__.py", submodule_search_locations=[str(folder)]
                    )
        return None


sys.meta_path.append(Finder())
