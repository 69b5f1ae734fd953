"""Pyodide, which is Python for browsers: from npm's registry, once per machine, or from a folder."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from parlour.core.errors import ParlourError
from parlour.engine import cache

VERSION = "314.0.7"
DIGEST = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"  # SHA-256 of npm's package
LIST = "pyodide-lock.json"  # of packages that can be added; none is
LIBRARY = "python_stdlib.zip"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY, LIST)
COMPILE = Path(__file__).with_name("compile.js")
PACKED = ("pyodide.asm.mjs", "pyodide.asm.wasm")  # by us, as few servers send them so
END = ".bin"  # of the names of packed files
LAYOUT = 3  # of what the cache has; raise it when `_packed` changes
LONGEST = 300  # seconds that npm may take


class NoPyodide(ParlourError):
    """Pyodide cannot be had."""

    code = "no-pyodide"


def files(given: Path | None = None) -> dict[str, bytes]:
    """Return what a site needs of Pyodide, by file: from the folder `given`, or from npm. Raises NoPyodide."""
    return _packed(_read(given)) if given is not None else _kept()


def packed_names() -> list[str]:
    """Return the names of the files as a site has them."""
    return [name + (END if name in PACKED else "") for name in FILES]


def _read(folder: Path) -> dict[str, bytes]:
    inside = folder / "package" if (folder / "package").is_dir() else folder
    if lacking := [name for name in FILES if not (inside / name).is_file()]:
        raise NoPyodide(f"{folder} is not the npm package pyodide {VERSION}: {lacking[0]} is missing.")
    return {name: (inside / name).read_bytes() for name in FILES}


def _packed(found: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files as a site has them."""
    found = found | {LIBRARY: _compiled(found), LIST: json.dumps({**json.loads(found[LIST]), "packages": {}}).encode()}
    return {
        name + (END if name in PACKED else ""): gzip.compress(data, 9, mtime=0) if name in PACKED else data
        for name, data in found.items()
    }


def _compiled(found: dict[str, bytes]) -> bytes:
    """Return Python's library, compiled: a page begins two seconds of processor time earlier. Without Node.js it stays
    as it is."""
    node = shutil.which("node")
    if node is None:
        return found[LIBRARY]
    with tempfile.TemporaryDirectory() as folder:
        for name, data in found.items():
            (Path(folder) / name).write_bytes(data)
        with contextlib.suppress(subprocess.SubprocessError):
            program = [node, "--input-type=module", "-", folder]
            subprocess.run(program, input=COMPILE.read_bytes(), capture_output=True, timeout=LONGEST, check=True)
        return (Path(folder) / LIBRARY).read_bytes()


def _kept() -> dict[str, bytes]:
    """Return the files from the cache, to which npm has brought them."""
    place = cache.folder("pyodide", f"{VERSION}-{LAYOUT}")
    with cache.alone(place):
        file = None if place is None else place / "files.tar"
        data = None if file is None else cache.load(file)
        if data is not None:
            return _members(data, "")
        found = _members(_fetched(), "package/")
        made = _packed({name: found[name] for name in FILES})
        if file is not None:
            cache.store(file, _tar(made))
    return made


def _members(data: bytes, folder: str) -> dict[str, bytes]:
    """Return the files in a tar archive, below this folder."""
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        every = ((one.name.removeprefix(folder), package.extractfile(one)) for one in package.getmembers())
        return {name: file.read() for name, file in every if file is not None}


def _tar(found: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as package:
        for name, data in found.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            package.addfile(member, io.BytesIO(data))
    return made.getvalue()


def _fetched() -> bytes:
    """Return the package as npm gets it from its registry. Raises NoPyodide."""
    npm = shutil.which("npm")
    if npm is None:
        raise NoPyodide(
            f"The site needs Pyodide, which npm brings, and npm is not installed. Install Node.js, or give the folder "
            f"of the npm package pyodide {VERSION} with --pyodide."
        )
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [npm, "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", folder],
                capture_output=True, cwd=folder, timeout=LONGEST, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NoPyodide(f"npm did not bring pyodide {VERSION} within {LONGEST} seconds.") from None
        found = list(Path(folder).glob("*.tgz"))
        if done.returncode or len(found) != 1:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise NoPyodide(f"npm could not bring pyodide {VERSION}: {said[0] if said else 'it gave no reason'}")
        data = found[0].read_bytes()
    if hashlib.sha256(data).hexdigest() != DIGEST:
        raise NoPyodide(f"What npm brought is not the package pyodide {VERSION} that Parlour knows.")
    return data
