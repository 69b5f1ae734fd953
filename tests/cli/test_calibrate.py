"""`parlour calibrate`: a table for people, JSON for programs, a file that continues, and one of corrections."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour.bots import chances
from parlour.bots.chances import Correction
from parlour.cli.calibrate import _correct
from tests.cli.conftest import Cli


@pytest.mark.slow
def test_how_true_chances_are(cli: Cli, tmp_path: Path) -> None:
    ask = ["calibrate", "fortune", "--level", "expert", "--games", 8, "--decisions", 2, "--jobs", 1]
    out = tmp_path / "told.jsonl"
    done = cli(*ask, "--out", out)
    assert done.status == 0, done.err
    assert "calibration error" in done.out
    assert chances.EXACT in done.out
    data = json.loads(cli(*ask, "--out", out, "--json").out)
    assert (data["game"], data["level"], data["games"], data["correction"]) == ("fortune", "expert", 8, None)
    assert sum(one["decisions"] for one in data["found"]["bins"].values()) == 16


@pytest.mark.slow
def test_a_correction_is_written(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "chances.toml"
    ask = ["calibrate", "gatsby", "--games", 6, "--decisions", 2, "--simulations", 100, "--jobs", 1]
    done = cli(*ask, "--correct", file)
    assert done.status == 0, done.err
    assert "These chances hold between players of level medium." in done.out
    (one,) = chances.read(file.read_text("utf-8"))
    assert (one.level, one.players, one.games, one.simulations) == ("medium", 2, 3, 100)


def test_a_correction_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    file = tmp_path / "chances.toml"
    first = Correction("b", "one", 2, "medium", 400, 100, 0.5, 0.5, 0.0)
    for one in (first, Correction("a", "one", 2, "medium", 400, 100, 0.7, 0.7, 0.1), first):
        _correct(file, one)
    assert [one.ruleset for one in chances.read(file.read_text("utf-8"))] == ["a", "b"]


def test_what_it_refuses(cli: Cli) -> None:
    assert cli("calibrate", "fortune", "--level", "genius").status == 2
    assert cli("calibrate", "none").status == 2
    assert cli("calibrate", "fortune", "--games", 3).status == 2
