"""`parlour notes`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour.analysis import notes
from parlour.analysis.notes import Answers
from tests.cli.conftest import Cli

ASKED = """
[[question]]
name = "start"
game = "fortune"
edition = "classic-35"
players = [2]
measures = ["1st to play", "Full Chest"]
plays = { greedy = 70 }

[[question.values]]
label = "as it is"

[[question.values]]
label = "half way"
options.target = "5000"
plays = { greedy = 20 }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "asked.toml").write_text(ASKED, "utf-8")
    return tmp_path / "asked.toml"


def test_only_what_is_new_is_played_and_the_page_is_written(cli: Cli, file: Path) -> None:
    page = file.with_suffix(".md")
    page.write_text('# Asked\n\nThe first wins [0](#start "as it is, greedy, 2: 1st to play").\n', "utf-8")
    done = cli("notes", file, "--write")
    assert done.status == 0, done.err
    written = page.read_text("utf-8")
    answers = Answers(file.with_suffix(".json"))
    (question,) = notes.read(file)
    assert notes.table(question, answers) in written
    first = answers.of(question.trials[0])
    assert first is not None
    assert f"The first wins [{notes.text(first['1st to play'])}](#start" in written
    assert cli("notes", file, "--write").status == 0
    assert page.read_text("utf-8") == written
    kept = file.with_suffix(".json").read_text("utf-8").splitlines()[1:-1]
    file.write_text(ASKED.replace("greedy = 20", "greedy = 10"), "utf-8")
    assert cli("notes", file, "--only", "start").status == 0
    after = file.with_suffix(".json").read_text("utf-8").splitlines()[1:-1]
    assert (after[:1], len(after)) == (kept[:1], 2)
    assert json.loads(after[1])["asked"]["games"] == 10


def test_what_means_nothing_is_refused(cli: Cli, file: Path) -> None:
    file.write_text(ASKED.replace("label", "title"), "utf-8")
    assert cli("notes", file).status == 2
    file.write_text(ASKED.replace("Full Chest", "Empty Chest"), "utf-8")
    done = cli("notes", file)
    assert done.status == 2
    assert "There is no measure 'Empty Chest'." in done.err
    assert cli("notes", file.with_name("none.toml")).status == 3
