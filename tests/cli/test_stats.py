"""`parlour stats`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parlour
from parlour.analysis import report
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import gather
from tests.cli.conftest import Cli, interrupt_after

SMALL = ("stats", "fortune", "--games", "70")


def test_stats_tells_every_edition_and_number_of_players(cli: Cli) -> None:
    done = cli(*SMALL)
    assert done.status == 0, done.err
    assert done.out.count("70 games each, bots: random") == 2
    assert done.out.count("2 players") == done.out.count("4 players") - 2 == 2  # the longest games had four
    found = gather(shapes(parlour.find("fortune"), 4, "classic-35")[0], games=70)
    assert f"{found.steps.most:,}" in done.out
    assert report.longest([found]) in done.out
    assert "Full Chest" in done.out


def test_stats_for_programs(cli: Cli) -> None:
    done = cli(
        *SMALL, "--json", "--edition", "classic-35", "--bots", "greedy,random", "-o", "target=5000", "--seed", "4"
    )
    assert done.status == 0, done.err
    (line,) = done.out.splitlines()
    data = json.loads(line)
    assert (data["edition"], data["players"], data["bots"]) == ("classic-35", 2, ["greedy", "random"])
    assert data["options"] == {"target": "5000"}
    shape = shapes(parlour.find("fortune"), 2, "classic-35", {"target": "5000"})[0]
    assert data == json.loads(json.dumps(gather(shape, ["greedy", "random"], 70, seed=4).as_dict()))
    assert [json.loads(row)["players"] for row in cli(*SMALL, "--json").out.splitlines()] == [2, 3, 4, 2, 3, 4]


def test_bots_that_differ_are_shown_together(cli: Cli) -> None:
    words = cli(*SMALL, "--bots", "greedy,random", "--edition", "shafir-35").out
    assert words.count("70 games each, bots: greedy, random") == 1
    assert "to play" not in words


def test_stats_draws_pictures(cli: Cli, tmp_path: Path) -> None:
    assert cli(*SMALL, "--players", "2", "--plots", tmp_path / "pictures").status == 0
    made = {file.name for file in (tmp_path / "pictures").iterdir()}
    assert made == {f"fortune-{name}.svg" for name in report.PICTURES}


def test_pictures_that_cannot_be_written_are_refused_before_anything_is_counted(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    for folder in (tmp_path / "file" / "pictures", tmp_path / "file"):
        done = cli(*SMALL, "--players", "2", "--plots", folder)
        assert done.status == 1
        assert str(tmp_path / "file") in done.err
        assert done.out == ""
    assert (tmp_path / "file").read_text() == "precious"


def test_ctrl_c_tells_what_was_counted_and_writes_nothing(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_after(monkeypatch, 1001)  # within the second of three kinds
    ask = ["stats", "fortune", "--edition", "classic-35", "--games", "1000", "--plots", tmp_path / "pictures"]
    done = cli(*ask, "--json")
    assert done.status == 130
    assert done.err == "Interrupted: these are the counts so far.\n"
    two, three = (json.loads(line) for line in done.out.splitlines())
    assert (two["players"], two["games"], three["players"]) == (2, 1000, 3)
    assert 0 < three["games"] < 1000
    for data in (two, three):
        shape = shapes(parlour.find("fortune"), data["players"], "classic-35")[0]
        assert data == json.loads(json.dumps(gather(shape, games=data["games"]).as_dict()))
    words = cli(*ask).out
    assert "1,000 games each, bots: random" in words
    assert words.count("games each") == 2  # a kind with fewer games is listed separately
    assert not list((tmp_path / "pictures").iterdir())


def test_stats_writes_the_games_page(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "docs" / "games" / "fortune.md"
    monkeypatch.setattr(parlour, "__file__", str(tmp_path / "parlour" / "__init__.py"))
    refused = cli(*SMALL, "--write")
    assert refused.status == 3
    assert "fortune.md doesn't exist" in refused.err
    page.parent.mkdir(parents=True)
    page.write_text("# Fortune\n\n## Statistics\n\nWhy so.\n", "utf-8")
    assert cli(*SMALL, "--seed", "2", "-o", "target=5000", "--best-games", "9", "--write").status == 0
    text = page.read_text("utf-8")
    assert "70 games between random players and 9 games between greedy players" in text
    assert "`parlour stats fortune --games 70 --best-games 9 --seed 2 --option target=5000 --write`" in text
    assert text.endswith(f"{report.END}\n\nWhy so.\n")
    assert {file.name for file in page.parent.glob("*.svg")} == {f"fortune-{name}.svg" for name in report.PICTURES}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "no game 'chess'"),
        (["fortune", "--bots", "deep-blue"], "fortune has no bot 'deep-blue'. Allowed: optimal, points"),
        (["fortune", "--bots", "nowhere:Bot"], "'nowhere:Bot' cannot be loaded: No module named 'nowhere'"),
        (["fortune", "--players", "9"], "2 to 4 players"),
        (["fortune", "--players", "3", "--bots", "greedy,random"], "2 bots were named for 3 seats"),
        (["fortune", "--option", "ruleset=x"], "no option 'ruleset'"),
        (["fortune", "--edition", "x"], "no edition 'x'"),
    ],
)
def test_what_cannot_be_counted(cli: Cli, arguments: list[str], words: str) -> None:
    done = cli("stats", *arguments)
    assert done.status == 2
    assert words in done.err
    assert done.out == ""


def test_uses_are_shown_and_all_of_them_in_json(cli: Cli) -> None:
    ask = (*SMALL, "--players", "2", "--edition", "classic-35", "--uses")
    done = cli(*ask)
    assert done.status == 0, done.err
    assert "an equal share of the wins is 50 %" in done.out
    assert "they won" in done.out
    assert "more" in done.out
    data = json.loads(cli(*ask, "--json").out)
    shape = shapes(parlour.find("fortune"), 2, "classic-35")[0]
    assert data == json.loads(json.dumps(gather(shape, games=70, closely=True).as_dict()))
    assert {"name", "group", "action", "offered", "made", "rate", "seats", "won"} == set(data["uses"][0])
    assert set(data["uses"][0]["won"]) == {"share", "low", "high"}


def test_ctrl_c_tells_the_uses_so_far(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, 64)
    done = cli("stats", "fortune", "--edition", "classic-35", "--players", "2", "--games", "2000", "--uses", "--json")
    assert done.status == 130
    (data,) = map(json.loads, done.out.splitlines())
    assert 0 < data["games"] < 2000
    decisions = sum(one["made"] for one in data["uses"] if one["group"] != "event")
    assert decisions == round(data["decisions"]["mean"] * data["games"])
