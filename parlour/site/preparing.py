"""What a page loads of Python, made small and quick to begin with: bundles compiled, and Python's library divided."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tempfile
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from parlour.engine import cache
from parlour.site import pyodide

PREPARE = Path(__file__).with_name("prepare.js")
FIRST, REST = "first.zip", "rest.zip"


class Kind(NamedTuple):
    """A kind of page: its bundles, the first for all such pages, and programs that import what they begin with."""

    bundles: Sequence[Mapping[str, str]]
    trials: Sequence[str]


class Prepared(NamedTuple):
    """The bundles of each kind of page, and Python's library for all: what pages begin with, and the rest (b"" if
    there is only one part)."""

    bundles: list[list[dict[str, bytes]]]
    first: bytes
    rest: bytes


def prepare(python: Mapping[str, bytes], kinds: Sequence[Kind]) -> Prepared:
    """Return what pages load, compiled for this Python. Without Node.js all stays as it is, and pages begin later."""
    made = _made(python, kinds)
    if made is None:
        sources = [[{name: text.encode() for name, text in files.items()} for files in kind.bundles] for kind in kinds]
        return Prepared(sources, python[pyodide.LIBRARY], b"")
    with zipfile.ZipFile(io.BytesIO(made)) as found:
        compiled: list[list[dict[str, bytes]]] = [[{} for _ in kind.bundles] for kind in kinds]
        for name in found.namelist():
            if name.startswith("bundles/"):
                _, kind, number, path = name.split("/", 3)
                compiled[int(kind)][int(number)][path] = found.read(name)
        return Prepared(compiled, found.read(FIRST), found.read(REST))


def _made(python: Mapping[str, bytes], kinds: Sequence[Kind]) -> bytes | None:
    """Return what prepare.js makes, from the cache if these files were there before."""
    given = json.dumps([kind._asdict() for kind in kinds]).encode()
    node = shutil.which("node")
    if node is None or not {*pyodide.packed_names()} <= python.keys():
        return None
    mark = hashlib.sha256(given + PREPARE.read_bytes() + python[pyodide.LIBRARY]).hexdigest()[:24]
    place = cache.folder("site", mark)
    with cache.alone(place):
        made = cache.load(place / "made.zip") if place is not None else None
        if made is None:
            made = _run(node, python, given)
            if place is not None and made is not None:
                cache.store(place / "made.zip", made)
    return made


def _run(node: str, python: Mapping[str, bytes], given: bytes) -> bytes | None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for one, data in python.items():
            packed = one.endswith(pyodide.END)
            (folder / one.removesuffix(pyodide.END)).write_bytes(gzip.decompress(data) if packed else data)
        (folder / "given.json").write_bytes(given)
        program = [node, "--input-type=module", "-", name]
        try:
            subprocess.run(
                program, input=PREPARE.read_bytes(), capture_output=True, timeout=pyodide.LONGEST, check=True
            )
        except subprocess.SubprocessError as error:
            said = getattr(error, "stderr", None) or b""
            lines = said.decode(errors="replace").strip().splitlines()
            why = lines[-1] if lines else error
            warnings.warn(f"Node.js could not compile the games, so pages begin later: {why}", stacklevel=4)
            return None
        return (folder / "made.zip").read_bytes()
