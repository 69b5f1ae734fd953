"""Parlour's own files for Python in the browser: one bundle for what all games need, and one for each game."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable

import parlour
from parlour.core.game import Game

PACKAGES = ("bots", "core", "engine", "solo")
NEEDED = ("defusedxml", "tinycss2", "webencodings")  # what the library needs besides Python: only what is Python itself
KINDS = (".py", ".toml", ".txt")  # of files that a running game reads; its pictures and looks are in the page
LOOKS = (".md", ".svg", ".css")  # of a game's other files, which the library reads before it plays a game
BESIDE = frozenset({"tests", "tables", "__pycache__"})  # folders of a game that are not for the page
SIZE = 4  # bytes at the beginning of a bundle that say how long its list of files is


def common() -> dict[str, str]:
    """Return the files that all games need."""
    files = {"parlour/__init__.py": f'__version__ = "{parlour.__version__}"\n'}
    for name in PACKAGES:
        files |= dict(_texts(resources.files(f"parlour.{name}"), f"parlour/{name}", (".py",)))
    return files


def library(games: Sequence[Game]) -> dict[str, str]:
    """Return the files of `import parlour`, with these games."""
    files = common() | dict(_texts(resources.files("parlour.core"), "parlour/core", LOOKS))
    for module in ("parlour", "parlour.games"):
        place = module.replace(".", "/")
        for file in resources.files(module).iterdir():
            if file.name.endswith(".py"):
                files[f"{place}/{file.name}"] = file.read_text("utf-8")
    for name in NEEDED:
        files |= dict(_texts(resources.files(name), name, (".py",)))
    for game in games:
        files |= {name: text for name, text in of_game(game, KINDS + LOOKS).items() if name not in files}
    return files


def of_game(game: Game, kinds: tuple[str, ...] = KINDS) -> dict[str, str]:
    """Return a game's own files: its folder, as a package of the same name."""
    place = game.package.replace(".", "/")
    above = place.split("/")[:-1]
    empty = {"/".join([*above[:deep], "__init__.py"]): "" for deep in range(1, len(above) + 1)}
    empty.pop("parlour/__init__.py", None)
    return empty | dict(_texts(resources.files(game.package), place, kinds))


def _texts(folder: Traversable, place: str, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.is_dir():
            if file.name not in BESIDE and not file.name.startswith("."):
                yield from _texts(file, f"{place}/{file.name}", kinds)
        elif file.name.endswith(kinds):
            yield f"{place}/{file.name}", file.read_text("utf-8")


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a bundle: the list of files with their sizes as JSON, its length before it, and the files."""
    names = json.dumps({name: len(data) for name, data in files.items()}).encode()
    return gzip.compress(b"".join((len(names).to_bytes(SIZE, "big"), names, *files.values())), 9, mtime=0)


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the files of a bundle, as the page's worker reads them."""
    data = gzip.decompress(data)
    at = SIZE + int.from_bytes(data[:SIZE], "big")
    found = {}
    for name, size in json.loads(data[SIZE:at]).items():
        found[name] = data[at : at + size]
        at += size
    return found
