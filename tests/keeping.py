"""Folders that tests keep from one run to the next, for as long as nothing of Parlour has changed."""

from __future__ import annotations

import shutil
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def _written() -> str:
    """Return a hash of the package and of the page that Pig is made from."""
    digest = sha256()
    for file in (*sorted((ROOT / "parlour").rglob("*.py")), ROOT / "docs/add-a-game.md"):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def kept(name: str) -> Path:
    """Return the folder of this name. It is empty at first and after each change, so what is kept there is of today."""
    folder = ROOT / "build" / "tests" / name / _written()
    for old in folder.parent.glob("*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
