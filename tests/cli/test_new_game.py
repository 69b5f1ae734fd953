"""`parlour new-game` writes a game that works: it passes the kit and its own tests, and is played at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.cli.new_game import clause_prefix
from parlour.conformance import kit
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR
from parlour.games import inside, outside
from tests.cli.conftest import Cli

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(outside.VARIABLE, "")  # put back afterwards: `--games` adds to it


def test_the_skeleton_passes_the_kit_and_is_played_to_its_end_in_the_terminal(cli: Cli) -> None:
    place = ROOT / "build" / "tests" / "new_game"  # the same each time, so that it is compiled once
    shutil.rmtree(place, ignore_errors=True)
    made = cli("new-game", "my-sticks", "--into", place)
    assert made.status == 0, made.err
    folder = place / "my_sticks"
    assert f"parlour --games {folder} play my-sticks " in made.out
    assert "@" not in "".join(file.read_text("utf-8") for file in folder.rglob("*.*") if file.suffix != ".py")
    (game,) = inside(folder)
    report = kit.run(game, games=2, seconds=0)
    assert report.findings == []
    none = {kit.LESSONS, kit.PUZZLES, kit.CALIBRATED}  # it has no lessons, as rules still change, and nothing hidden
    assert {part for part in kit.PARTS if not report.done[part]} == none
    played = cli("--games", folder, "play", "my-sticks", "--bots", "none", input="take 3\n" * 7)
    assert played.status == 0, played.err
    assert "Player 1 takes 3: 18 left." in played.out or "Player 2 takes 3: 18 left." in played.out
    assert "took the last and wins." in played.out


def test_the_skeleton_s_own_tests_and_style_are_good(cli: Cli, tmp_path: Path) -> None:
    assert cli("new-game", "Hog_Race", "--into", tmp_path / "games").status == 0
    folder = tmp_path / "games" / "hog_race"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    clean["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # to import them takes longer than the tests
    plain = ["-p", "no:cacheprovider"]
    tests = [sys.executable, "-m", "pytest", "-q", *plain, "-k", "not conformance", folder]
    done = subprocess.run(tests, cwd=folder, env=clean, capture_output=True, text=True)
    assert "4 passed" in done.stdout, done.stdout
    ruff = [sys.executable, "-m", "ruff"]
    rules = ["--config", ROOT / "pyproject.toml", "--no-cache"]
    for command in (["check", "--ignore", "ARG001", *rules], ["format", "--check", *rules]):
        style = subprocess.run([*ruff, *command, folder], capture_output=True, text=True)
        assert style.returncode == 0, style.stdout


def test_the_last_stick_is_logged(cli: Cli, tmp_path: Path) -> None:
    assert cli("new-game", "nim", "--into", tmp_path).status == 0
    (game,) = inside(tmp_path)
    match = Match(game, 3, options={"last": "loses"}, names=["Ann", "Bob", "Eve"], seed=1, auto=False)
    match.force("first 2")
    for _ in range(7):
        match.play("take 3")
    assert match.winners == (0, 2)
    assert match.scene(SPECTATOR).prompt == "Ann and Eve won."
    assert match.log()[-1].text == "Bob took the last and loses."


def test_a_name_that_cannot_be_or_is_taken_is_refused(cli: Cli, tmp_path: Path) -> None:
    for name, why in (("2fast", "only lower-case letters"), ("fortune", "already a game fortune")):
        done = cli("new-game", name, "--into", tmp_path)
        assert done.status == 2
        assert why in done.err
    assert [*tmp_path.iterdir()] == []
    assert cli("new-game", "nim", "--into", tmp_path).status == 0
    assert "already exists" in cli("new-game", "nim", "--into", tmp_path).err


@pytest.mark.parametrize(
    ("name", "prefix"), [("my-game", "MG"), ("sticks", "ST"), ("x", "XX"), ("go-2", "GO"), ("a-b-c", "AB")]
)
def test_clauses_are_numbered_under_two_capitals(name: str, prefix: str) -> None:
    assert clause_prefix(name) == prefix
