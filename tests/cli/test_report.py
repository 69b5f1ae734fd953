"""`parlour report`, at a game that is small enough to list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parlour
from parlour.analysis import stepping, steps
from parlour.analysis.sampling import Setup
from parlour.games import find
from tests.cli.conftest import Cli, interrupt_after

SPRINT = Path(__file__).parents[1] / "fixtures" / "sprint"
ASK = ("report", "sprint", "--bots", "random", "--games", "60", "--threads", "1")


@pytest.fixture(autouse=True)
def _sprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(SPRINT))


def test_a_report_is_what_the_library_says(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "pages" / "sprint.html"
    done = cli(*ASK, "--seed", "3", "--out", out, "--json")
    assert done.status == 0, done.err
    setup = Setup.make(find("sprint"), 2, bots="random", seed=3)
    library = stepping.play(setup, steps.values(setup), 60)
    assert json.loads(done.out) == json.loads(json.dumps(library.numbers()))
    page = out.read_text("utf-8")
    assert "We played 60 games of each line with seed 3." in page
    assert f"<code>parlour report sprint --bots random --games 60 --seed 3 --out {out}</code>" in page


def test_a_report_is_shown_and_continues(cli: Cli, tmp_path: Path) -> None:
    done = cli(*ASK, "--keep", tmp_path / "games")
    assert done.status == 0, done.err
    assert "The first player wins" in done.out
    assert "rounds" in done.out.lower()
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 5, "the game as it is, and four steps"
    before = [file.read_bytes() for file in files]
    assert cli(*ASK, "--keep", tmp_path / "games").out == done.out
    assert [file.read_bytes() for file in files] == before


def test_prepared_words_are_on_the_page(cli: Cli, tmp_path: Path) -> None:
    words, out = tmp_path / "words.toml", tmp_path / "sprint.html"
    words.write_text(
        'players = 3\ngames = 20\nfirst = "Dear author."\n[of]\nhead = "It is yours."\n'
        '[[step]]\nof = "head"\nlabel = "far ahead"\nvalues.head = 5\n', "utf-8"
    )  # fmt: skip
    done = cli("report", "sprint", "--bots", "random", "--words", words, "--out", out)
    assert done.status == 0, done.err
    page = out.read_text("utf-8")
    for said in ("Dear author.", "It is yours.", "far ahead", "20 games of each line", "Each game has 3 players"):
        assert said in page, said


def test_write_makes_the_page_of_a_game_that_has_one(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour, "__file__", str(tmp_path / "parlour" / "__init__.py"))
    refused = cli(*ASK, "--write")
    assert refused.status == 3
    assert "sprint.toml doesn't exist" in refused.err
    folder = tmp_path / "docs" / "reports"
    folder.mkdir(parents=True)
    (folder / "sprint.toml").write_text("games = 20\n", "utf-8")
    assert cli("report", "sprint", "--bots", "random", "--write").status == 0
    names = {f"sprint-{name}.svg" for name in stepping.MEASURES} | {f"sprint.{kind}" for kind in ("toml", "json", "md")}
    assert {file.name for file in folder.iterdir()} == names
    page = (folder / "sprint.md").read_text("utf-8")
    assert page.startswith("<!-- written by `parlour report sprint --bots random --write` -->")
    before = (folder / "sprint.json").read_bytes()
    monkeypatch.setattr(stepping, "_played", None)
    assert cli("report", "sprint", "--bots", "random", "--write").status == 0, "nothing is played again"
    assert (folder / "sprint.json").read_bytes() == before


def test_ctrl_c_ends_a_report_without_a_page(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, 64)
    done = cli("report", "sprint", "--bots", "random", "--games", "3000", "--out", tmp_path / "page.html")
    assert (done.status, done.out) == (130, "")
    assert "Interrupted" in done.err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (["chess"], 2, "no game 'chess'"),
        (["sprint", "basic"], 2, "sprint has no rulesets, so 'basic' means nothing"),
        (["family-trade", "basic"], 2, "Option ruleset cannot be 'basic'"),
        (["sprint", "--words", "none.toml"], 3, "Can't read none.toml"),
        (["sprint", "--players", "9"], 2, "players"),
        (["sprint", "--audit", "1%"], 2, "--audit needs --ray"),
        (["sprint", "--option", "ties=first"], 2, "ties cannot be 'first'"),
    ],
)
def test_mistakes_are_one_sentence(cli: Cli, words: list[str], status: int, why: str) -> None:
    done = cli("report", *words)
    assert done.status == status
    assert why in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
