"""docs/design-a-game.md: its commands run, and say what the page says they do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.analysis import steps
from parlour.analysis.sampling import Setup
from tests.docs import designing

PAGE = designing.PAGE.read_text("utf-8")


@pytest.mark.parametrize("name", designing.QUESTIONS)
def test_each_command_of_the_page_runs_and_prints_the_same_lines(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few games the numbers are others; the words are the same."""
    command = designing.QUESTIONS[name]
    assert designing.wrapped(command) in designing.section(PAGE, name)
    monkeypatch.chdir(tmp_path)
    said = designing.output(command, designing.fewer)
    rows = {line.split("│")[1].strip() for line in said.splitlines() if line.startswith("│")}
    printed = designing.section(PAGE, name)
    titles = {row for row in rows if not re.search(r"\d", row)}
    assert rows
    for title in titles:
        assert title in printed, title


def test_the_table_of_measures_is_that_of_the_code() -> None:
    assert designing.section(PAGE, "measures") == designing.table()


def test_the_prepared_file_of_the_page_is_one(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "words.toml").write_text(text, "utf-8")
    words = steps.read(tmp_path / "words.toml")
    setup = Setup.make("gatsby", words.players, bots="random")
    (tried,) = [one for one in steps.values(setup, words) if one.path == "racetrack"]
    assert [one.label for one in tried.steps] == ["a bonus in the first row only"]
    assert list(words.of) == ["racetrack"]
