"""The rest of Python's library comes when it is imported first, and belongs to the packages of both parts."""

from __future__ import annotations

import gzip
import importlib
import io
import sys
import zipfile
from pathlib import Path

import pytest

from parlour.solo import library


def packed(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


def test_the_rest_is_fetched_once_and_only_when_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, rest = tmp_path / "first.zip", tmp_path / "rest.zip"
    first.write_bytes(packed({"cut_in_two/__init__.py": "HERE = 1"}))
    whole = gzip.compress(packed({"cut_in_two/more.py": "THERE = 2", "cut_off.py": "ALONE = 3"}))
    asked: list[int] = []

    def fetch() -> bytes:
        asked.append(1)
        return whole

    finder = library.Rest(["cut_in_two.more", "cut_off"], fetch, str(first), str(rest))
    monkeypatch.setattr(sys, "path", [*sys.path, str(first)])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    assert importlib.import_module("cut_in_two").HERE == 1
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("cut_away")
    assert asked == []
    assert importlib.import_module("cut_in_two.more").THERE == 2
    assert importlib.import_module("cut_off").ALONE == 3
    assert asked == [1]


def test_a_library_that_is_whole_needs_no_finder() -> None:
    before = list(sys.meta_path)
    library.extend("rest.bin")
    assert sys.meta_path == before


def test_what_is_remembered_finds_new_files_and_new_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    import random

    monkeypatch.setattr(sys, "path_importer_cache", {"/parlour/core": None, "/lib": None})
    state = random.getstate()
    library.again()
    assert [*sys.path_importer_cache] == ["/lib"]
    assert random.getstate() != state
