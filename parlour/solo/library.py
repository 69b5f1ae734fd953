"""The rest of Python's library: what no game of ours imports is fetched when one imports it first.

`parlour.site.preparing` divides the library, and lists the modules of the rest in rest.txt.
"""

from __future__ import annotations

import random
import sys
import zlib
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.resources import files
from pathlib import Path
from types import ModuleType

LIST = "rest.txt"
HOME = "/parlour"  # where the worker puts Parlour's files
FIRST = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip"  # Pyodide's name for the library
REST = "/lib/rest.zip"
GZIP = 31  # zlib's word for files of gzip


class Rest(MetaPathFinder):
    """Finds the modules of the rest, after all other finders."""

    def __init__(self, names: Sequence[str], fetch: Callable[[], bytes], first: str = FIRST, rest: str = REST) -> None:
        self._names, self._fetch, self._first, self._rest = frozenset(names), fetch, first, rest

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `MetaPathFinder`. The first name brings all."""
        if fullname not in self._names:
            return None
        if self._rest not in sys.path:
            Path(self._rest).write_bytes(zlib.decompress(self._fetch(), GZIP))
            sys.path.append(self._rest)
            for module in list(sys.modules.values()):  # a package whose modules are in both parts
                for place in list(getattr(module, "__path__", ())):
                    if place.startswith(f"{self._first}/"):
                        module.__path__.append(self._rest + place.removeprefix(self._first))
        return PathFinder.find_spec(fullname, path, target)  # `path` is the list that is longer now


def extend(address: str) -> None:
    """Let imports find the rest of the library, which is at this address; do nothing where it is not divided."""
    try:
        names = files("parlour.solo").joinpath(LIST).read_text("utf-8").splitlines()
    except OSError:
        return
    sys.meta_path.append(Rest(names, lambda: fetched(address)))


def again() -> None:
    """Go on with what a page remembers of Python: Parlour's files are new, and chance must not repeat itself."""
    for place in [place for place in sys.path_importer_cache if place.startswith(HOME)]:
        del sys.path_importer_cache[place]
    random.seed()


def fetched(address: str) -> bytes:
    """Return a file, waiting for it, as an import does. Raises ImportError."""
    browser = import_module("js")  # only now: what a page remembers of Python has nothing of the page in it
    asked = browser.XMLHttpRequest.new()
    asked.open("GET", address, False)
    asked.responseType = "arraybuffer"
    try:
        asked.send()
    except Exception as error:
        raise ImportError("The rest of Python's library can't be fetched right now.") from error
    if asked.status != 200:
        raise ImportError(f"The rest of Python's library can't be fetched: {asked.status}.")
    return bytes(asked.response.to_py())
