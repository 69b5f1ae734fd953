"""`parlour arena`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import parlour
from parlour.bots import worker
from parlour.games import find
from tests.cli.conftest import Cli

SMALL = ("arena", "fortune", "--edition", "classic-35", "-o", "target=5000", "--processes", "1")
BOTS = ("--bots", "random,greedy")


def test_two_bots_are_told_apart(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    done = cli(*SMALL, *BOTS, "--games", "10", "--out", file)
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert next(i for i, line in enumerate(lines) if "greedy" in line) < next(
        i for i, line in enumerate(lines) if "random" in line
    ), "the best first"
    assert "against greedy" in done.out
    assert "luck taken out" in done.out
    assert "10, whole blocks 5" in done.out
    assert "all played" in done.out
    assert len(file.read_text("utf-8").splitlines()) == 11
    assert "ratings" in " ".join(ET.parse(tmp_path / "games.svg").getroot().itertext())


def test_started_again_it_goes_on(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    first = json.loads(cli(*SMALL, *BOTS, "--games", "6", "--out", file, "--json").out)
    before = file.read_bytes()
    assert json.loads(cli(*SMALL, *BOTS, "--games", "6", "--out", file, "--json").out)["versus"] == first["versus"]
    assert file.read_bytes() == before, "nothing was left to play"
    file.write_bytes(before[:-30])
    more = json.loads(cli(*SMALL, *BOTS, "--games", "10", "--out", file, "--json").out)
    whole = json.loads(cli(*SMALL, *BOTS, "--games", "10", "--json").out)
    assert more["versus"] == whole["versus"]
    assert (more["games"], more["blocks"], more["ended"]) == (10, 5, "games")
    refused = cli(*SMALL, *BOTS, "--seed", "2", "--out", file)
    assert refused.status == 3
    assert refused.err == (
        f"parlour: {file} holds games of another arena: seed is 1 there and 2 here. Name another file.\n"
    )


def test_a_test_stops_when_it_is_decided(cli: Cli) -> None:
    data = json.loads(cli(*SMALL, *BOTS, "--sprt", "--elo0", "-200", "--elo1", "0", "--json").out)
    assert data["sprt"]["verdict"] == "H0"
    assert data["ended"] == "rule"
    assert data["games"] < 100
    words = cli(*SMALL, *BOTS, "--sprt", "--elo0", "-200", "--elo1", "0").out
    assert "H0 accepted: at most -200 Elo stronger" in words
    assert "random over greedy: −" in words
    assert "the stopping rule was met" in words
    undecided = cli(*SMALL, *BOTS, "--sprt", "--games", "2").out
    assert "undecided between at most 0 and at least 50 Elo" in undecided


def test_a_ladder_in_every_edition(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker.warm(find("fortune"))  # with all bots that there are
    monkeypatch.setattr("parlour.bots.choices", lambda _game: ("master", "greedy", "random"))
    monkeypatch.setattr(parlour, "__file__", str(tmp_path / "parlour" / "__init__.py"))
    few = ("arena", "fortune", "-o", "target=5000", "--ladder", "--games", "4", "--processes", "1")
    refused = cli(*few, "--write")
    assert (refused.status, "--write works only" in refused.err) == (3, True)
    (tmp_path / "docs").mkdir()
    done = cli(*few, "--write", "--out", tmp_path / "ladder", "--plot", tmp_path / "ladder.svg")
    assert done.status == 0, done.err
    assert done.out.count("greedy over random") == 2
    page = (tmp_path / "docs" / "bots.md").read_text("utf-8")
    assert page.count("| greedy over random |") == 2
    command = "parlour arena fortune --games 4 --seed 1 --option target=5000 --ladder --write"
    assert f"`{command}`." in page
    picture = (tmp_path / "docs" / "bots-fortune.svg").read_text("utf-8")
    assert picture == (tmp_path / "ladder.svg").read_text("utf-8")
    rows = [json.loads(row) for row in cli(*few, "--json", "--out", tmp_path / "ladder").out.splitlines()]
    assert [(row["variant"], row["upper"], row["games"]) for row in rows] == [
        ("shafir-35", "greedy", 4), ("classic-35", "greedy", 4)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--bots", "greedy"), "two bots or more"),
        (("--bots", "greedy,best"), "no bot 'best'"),
        (("--players", "7"), "2 to 4 players"),
        (("--elo0", "5", "--elo1", "5"), "--elo0 must be below --elo1"),
        (("--write",), "--write needs --ladder"),
        (("--bots", "greedy,random", "--out", "games.svg"), "would overwrite the games"),
        (("--bots", "greedy,random", "--sprt", "--elo1", "10000"), "less than or equal to 1000"),
        (("--ladder", "--bots", "greedy,random"), "don't name any"),
    ],
)
def test_what_makes_no_sense_is_refused(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    done = cli("arena", "fortune", *arguments)
    assert done.status == 2
    assert message in done.err
    assert done.out == ""


def test_a_picture_that_cannot_be_written_is_refused_before_anything_is_played(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    games = tmp_path / "games.jsonl"
    for plot in (tmp_path / "file" / "picture.svg", tmp_path):
        for more in (("--bots", "greedy,random", "--out", games), ("--ladder",)):
            done = cli("arena", "fortune", *more, "--plot", plot)
            assert done.status == 1
            assert str(tmp_path) in done.err
            assert done.out == ""
            assert not games.exists()
    assert (tmp_path / "file").read_text() == "precious"


def test_a_test_is_between_two_and_a_ladder_of_two(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.bots.choices", lambda _game: ("random",))
    assert "a ladder needs two" in cli("arena", "fortune", "--ladder").err
    monkeypatch.setattr("parlour.bots.choices", lambda _game: ("a", "b", "c"))
    assert "--sprt decides between two bots, not 3" in cli("arena", "fortune", "--sprt").err


@pytest.mark.whole
def test_ctrl_c_stops_with_the_table_and_what_was_played_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "parlour", *SMALL[:-1], "2", *BOTS, "--games", "100000", "--out", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        while not file.exists() or file.read_bytes().count(b"\n") < 20:
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers too
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert err == b""
    assert process.returncode == 130
    assert "interrupted" in out.decode()
    assert "greedy" in out.decode()
    assert file.read_bytes().endswith(b"\n")
