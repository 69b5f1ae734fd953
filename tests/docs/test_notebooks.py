"""Every notebook runs, from its first cell to its last."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import parlour
from tests.docs import notebooks

ALL = sorted(notebooks.FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("file", ALL, ids=lambda file: file.stem)
@pytest.mark.suite("add-a-game", "learn", "play")
def test_a_notebook_runs(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(notebooks.FOLDER.parents[1]))
    monkeypatch.setenv("PARLOUR_GAMES", "")  # as it is set for this test, what a notebook adds is taken back after it
    random.seed(1)
    shown = notebooks.run(file)
    assert len(shown) >= 2
    assert capfd.readouterr().out or file.stem == "solve"
    if file.stem == "learn":
        assert shown[-1][0] > 0.5  # type: ignore[index] - the shares of the wins, the learner's first
    for one in shown:
        assert not isinstance(one, parlour.Match) or "<iframe" in one._repr_html_()


def test_there_are_five_without_stored_outputs() -> None:
    assert [file.stem for file in ALL] == ["add-a-game", "balance", "learn", "play", "solve"]
    for file in ALL:
        book = json.loads(file.read_text("utf-8"))
        assert book["nbformat"] == 4
        assert all(not cell.get("outputs") for cell in book["cells"])
