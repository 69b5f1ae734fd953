"""`parlour compare`, `sweep` and `tune`, at a game that is small enough to list."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from parlour.analysis.comparing import compare
from parlour.cli import setups
from parlour.core.errors import BadSetup, UnknownName
from parlour.games import find
from tests.cli.conftest import Cli, interrupt_after

SPRINT = Path(__file__).parents[1] / "fixtures" / "sprint"


@pytest.fixture(autouse=True)
def _sprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(SPRINT))


def test_compare_says_what_the_library_says(cli: Cli) -> None:
    done = cli("compare", "sprint", ".", "head=1 ties=last", "-n", "200", "--seed", "3", "--bots", "random", "--json")
    assert done.status == 0, done.err
    data = json.loads(done.out)
    game = find("sprint")
    base = setups.made(game, None, None, None, {}, "random", 3, 10.0)
    other = setups.changed(base, "head=1 ties=last")
    assert other.shape.box.parts["head"] == 1
    assert dict(other.shape.options) == {"ties": "last"}
    library = compare(base, other, 200, labels=(".", "head=1 ties=last"))
    assert data["differences"] == json.loads(json.dumps(library.as_dict()))["differences"]
    words = cli(
        "compare", "sprint", ".", "head=1", "-n", "100", "--bots", "random", "-m", "seat-1", "--until", "margin"
    )
    assert words.status == 0, words.err
    assert "seat 1 wins" in words.out
    assert "the winner's points beyond the second: " in words.out.lower()


def test_a_setup_is_written_with_blanks(tmp_path: Path) -> None:
    base = setups.made(find("sprint"), 3, None, ["rounds=1"], {}, "random", 1, 10.0)
    assert setups.changed(base, ".") == base
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nbase = "standard"\n[risk]\nvalue = 5\n', "utf-8")
    mine = setups.changed(base, f"{file} safe=2")
    assert (mine.shape.box.parts["risk"], mine.shape.box.parts["safe"]) == (5, 2)
    assert setups._words('a.toml deck=[1, 2] name="x y"  b=1') == ["a.toml", "deck=[1, 2]", 'name="x y"', "b=1"]
    with pytest.raises(UnknownName):
        setups.changed(base, "nonsense")
    with pytest.raises(BadSetup, match="hed"):
        setups.changed(base, "hed=1")
    with pytest.raises(UnknownName, match="ties cannot be"):
        setups.changed(base, "ties=first")


def test_compare_keeps_its_games_and_continues(cli: Cli, tmp_path: Path) -> None:
    ask = ("compare", "sprint", ".", "head=1", "-n", "100", "--bots", "random", "--out", tmp_path / "games", "--json")
    first = cli(*ask)
    assert first.status == 0, first.err
    assert {file.name for file in (tmp_path / "games").iterdir()} == {"first.jsonl", "second.jsonl"}
    assert cli(*ask).out == first.out
    other = cli(*(word if word != "head=1" else "head=2" for word in ask))
    assert other.status == 3, "the file has other games"
    assert "Name another file" in other.err


def test_ctrl_c_ends_a_comparison_without_a_result(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, 64)
    done = cli("compare", "sprint", ".", "head=1", "-n", "3000", "--bots", "random")
    assert (done.status, done.out) == (130, "")
    assert "Interrupted" in done.err


def test_sweep_shows_and_draws_each_point(cli: Cli, tmp_path: Path) -> None:
    picture = tmp_path / "pictures" / "heads.svg"
    ask = ("sweep", "sprint", "--set", "head=0..2", "--option", "ties=shared,last", "-n", "100", "--bots", "random")
    done = cli(*ask, "-m", "1st", "--plot", picture)
    assert done.status == 0, done.err
    assert done.out.count("shared") == 3
    assert ET.parse(picture).getroot().tag.endswith("svg")
    data = json.loads(cli(*ask, "--json", "--points", "2").out)
    assert len(data["points"]) == 2
    assert {"1st", "minutes", "shared-wins", "branching", "lead-changes"} == set(data["points"][0]["measures"])
    fixed = json.loads(cli("sweep", "sprint", "--set", "head=0,1", "--set", "rounds=1", "-n", "50", "--bots", "random",
                           "-m", "decisions", "--json").out)  # fmt: skip
    assert [point["measures"]["decisions"]["value"] for point in fixed["points"]] == [2, 2]


def test_tune_shows_the_answer_and_the_price_of_each_step(cli: Cli, tmp_path: Path) -> None:
    ask = ("tune", "sprint", "--set", "head=0..3", "--toward", "first player 40 ± 1 %, at most 20 % shared wins",
           "--evaluations", "5", "-n", "100", "--final", "400", "--bots", "random",
           "--out", tmp_path / "looks.jsonl")  # fmt: skip
    done = cli(*ask)
    assert done.status == 0, done.err
    assert "as it was" in done.out
    assert "nearest" in done.out
    assert "head = " in done.out
    data = json.loads(cli(*ask, "--json").out)
    assert len(data["evaluations"]) == 5
    assert data["goal"] == "40 ± 1 % 1st, at most 20 ± 2 % shared-wins"


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (["sweep", "sprint"], 2, "Nothing is varied"),
        (["sweep", "sprint", "--set", "head=1"], 2, "Nothing is varied"),
        (["sweep", "sprint", "--set", "head=0..99"], 2, "head"),
        (["sweep", "sprint", "--option", "ties=shared,frist"], 2, "ties cannot be 'frist'"),
        (["sweep", "sprint", "--set", "head=0..3", "-m", "luk"], 2, "no measure 'luk'"),
        (["tune", "sprint", "--set", "head=0..3", "--toward", "50 % first plaier"], 2, "names no measure"),
        (["compare", "sprint", ".", "hed=1"], 2, "hed"),
        (["compare", "sprint", ".", ".", "-n", "10", "--until", "luk"], 2, "no measure 'luk'"),
    ],
)
def test_mistakes_are_one_sentence(cli: Cli, words: list[str], status: int, why: str) -> None:
    done = cli(*words, "--bots", "random")
    assert done.status == status
    assert why in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
