"""What a power loss or a full disk does to the files of a cache of compiled code."""

from __future__ import annotations

import pickle
from hashlib import sha256
from pathlib import Path

DAMAGES = {
    "cut": lambda data: data[: len(data) // 2],
    "emptied": lambda _data: b"",
    "zeroed": lambda data: bytes(len(data)),
    "zeroed at the end": lambda data: data[: len(data) // 2] + bytes(len(data) - len(data) // 2),
    "another's": lambda _data: pickle.dumps("0.1.0") + b"something else",
}
SEALED = (".nbi", ".nbc", ".cache")  # indices and machine code of functions, and templates


def damage(folder: Path, how: str, pattern: str = "*") -> int:
    """Damage every such file below the folder; return how many."""
    files = [file for file in folder.rglob(pattern) if file.is_file()]
    for file in files:
        file.write_bytes(DAMAGES[how](file.read_bytes()))
    return len(files)


def readable(folder: Path) -> dict[str, bool]:
    """Return for each compiled file below the folder whether it is whole: a hash, and that of which it is the hash."""
    files = [file for file in folder.rglob("*") if file.suffix in SEALED]
    return {str(file.relative_to(folder)): _whole(file.read_bytes()) for file in files}


def _whole(data: bytes) -> bool:
    return sha256(data[32:]).digest() == data[:32]
