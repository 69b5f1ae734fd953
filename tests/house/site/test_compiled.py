"""Compiled templates are cached from one start to the next; what can't be cached is compiled again."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from parlour.engine.cache import VARIABLE
from parlour.house.site import compiled


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def shown(source: str = "Hello {{ name }}") -> str:
    """Return what a newly started house shows."""
    kept = Environment(loader=DictLoader({"page.html": source}), autoescape=True, bytecode_cache=compiled.kept())
    return kept.get_template("page.html").render(name="<Ann>")


def test_a_second_start_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown() == "Hello &lt;Ann&gt;"
    with monkeypatch.context() as patched:
        patched.setattr(Environment, "compile", None)
        assert shown() == "Hello &lt;Ann&gt;"
        with pytest.raises(TypeError):
            shown("Bye {{ name }}")
    assert shown("Bye {{ name }}") == "Bye &lt;Ann&gt;"


def test_what_was_spoilt_is_compiled_again(folder: Path) -> None:
    shown()
    (made,) = folder.rglob("*.cache")
    for spoilt in (b"", b"j2", made.read_bytes()[:-40]):
        made.write_bytes(spoilt)
        assert shown() == "Hello &lt;Ann&gt;"


def test_a_full_disk_only_costs_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fits = Path.write_bytes
    begun = []

    def full(file: Path, data: bytes) -> int:
        begun.append(file)
        fits(file, data[: len(data) // 2])  # the disk is full after the first half
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert shown() == "Hello &lt;Ann&gt;"
    assert len(begun) == 1
    assert not [*folder.rglob("*.cache*")]  # nothing is left of it


def test_where_nothing_may_be_written_nothing_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    monkeypatch.setenv(VARIABLE, str(folder / "file"))
    assert compiled.kept() is None
    assert shown() == "Hello &lt;Ann&gt;"
