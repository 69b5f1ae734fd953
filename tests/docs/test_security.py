"""SECURITY.md: the tests and long forms that it names are there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from parlour.house import openapi
from tests.conformance import nightly
from tests.house.fuzzing import ENDLESS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")


def test_the_tests_that_it_names_are_there() -> None:
    named = set(re.findall(r"`(tests/[\w/.]+|test_\w+\.py)`", PAGE))
    assert len(named) > 12
    house = {file.name for file in (ROOT / "tests" / "house").rglob("test_*.py")}
    assert {name for name in named - house if not (ROOT / name).exists()} == set()


def test_the_long_forms_that_it_names_are_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["nightly", "--help"])
    with pytest.raises(SystemExit):
        nightly.main()
    printed = capsys.readouterr().out
    named = set(re.findall(r"`(?:scripts/nightly )?(--\w+) \d+", PAGE))
    assert named == {"--kills", "--people", "--restarts", "--twins", "--fuzz", "--stalls", "--weeks", "--faults"}
    assert {option for option in named if option not in printed} == set()


def test_every_figure_says_when_and_by_which_command() -> None:
    rows = re.findall(r"^\| (20\d\d-\d\d-\d\d \d\d:\d\d) \| `(.+?)` \| (.+) \|$", PAGE, re.M)
    assert len(rows) >= 4
    assert all(command.startswith(("scripts/nightly ", "python -m tests.")) for _, command, _ in rows)


def test_the_newest_figure_of_fuzzing_is_of_all_the_operations_that_there_are() -> None:
    rows = re.findall(r"^\| (20\d\d-\d\d-\d\d \d\d:\d\d) \| `scripts/nightly --fuzz \d+` \| (.+) \|$", PAGE, re.M)
    there = sum(len(methods) for methods in json.loads(openapi.document())["paths"].values())
    assert f"to {there - len(ENDLESS)} of the {there} operations of GET /schema" in max(rows)[1]
