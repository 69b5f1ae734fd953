"""`parlour solve` and `parlour advise`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parlour
from parlour.games.fortune.study import duels
from tests.cli.conftest import Cli

DICE = "skull skull gold gold gold gold diamond diamond"


def test_solve_exact_prints_fractions(cli: Cli) -> None:
    done = cli("solve", "fortune", "--exact", "--json")
    assert done.status == 0, done.err
    data = json.loads(done.out)
    assert len(data) == 13
    captain = data["captain"]
    assert captain["numerator"] / captain["denominator"] == pytest.approx(1157.5975346208634, rel=1e-12)
    truce = data["truce"]
    assert truce["numerator"] / truce["denominator"] == pytest.approx(416.753026241914, rel=1e-14)


@pytest.mark.slow
@pytest.mark.whole
def test_solve_prints_points_of_the_edition_s_cards(cli: Cli) -> None:
    data = json.loads(cli("solve", "fortune", "--edition", "classic-35", "--json").out)
    assert len(data) == 11
    assert "storm" not in data
    assert data["gold"] == pytest.approx(781.5376304376565, rel=1e-9)
    assert "781.54" in cli("solve", "fortune").out


def test_solve_is_for_games_that_have_a_solver(cli: Cli) -> None:
    for asked in (["solve", "gatsby"], ["solve", "gatsby", "--exact"], ["advise", "gatsby", "--card", "captain"]):
        done = cli(*asked)
        assert done.status == 2
        assert "Gatsby has no solver. Allowed: fortune." in done.err


def test_advise_on_a_position_and_on_a_record(cli: Cli, tmp_path: Path) -> None:
    done = cli("advise", "fortune", "--card", "captain", "--dice", DICE, "--for", "points", "--json")
    assert done.status == 0, done.err
    data = json.loads(done.out)
    assert data["move"] == "stop"
    assert data["decisions"][0] == {
        "move": "stop", "points": 1600.0, "disqualified": 0.0, "win": data["decisions"][0]["win"],
    }  # fmt: skip
    assert data["scores"] == [{"points": 1600, "chance": 1.0}]
    other = json.loads(
        cli("advise", "fortune", "--card", "captain", "--dice", DICE, "--move", "re-roll 7 8", "--json").out
    )  # fmt: skip
    assert other["move"] == "re-roll 7 8"
    assert sum(row["chance"] for row in other["scores"]) == pytest.approx(1.0)
    match = parlour.new("fortune", players=2, seed=5)
    file = tmp_path / "game.txt"
    file.write_text(match.record().to_text())
    data = json.loads(cli("advise", file, "--json").out)
    assert sorted(row["move"] for row in data["decisions"]) == sorted(match.legal_actions())
    assert data["for"] == "win"
    assert 0 < data["decisions"][0]["win"] < 1
    move = data["decisions"][-1]["move"]
    for said, piped in ((str(file), ""), ("-", file.read_text())):
        data = json.loads(cli("advise", "--for", "points", "--move", move, said, "--json", input=piped).out)
        assert (data["for"], data["move"]) == ("points", move)
    assert cli("advise", "-", "--for", "points", input="nothing").status == 3
    assert cli("advise", tmp_path / "none.txt", "--for", "points").status == 3


def test_advise_says_what_is_missing(cli: Cli) -> None:
    assert cli("advise", "fortune", "--card", "gold").status == 2
    done = cli("advise", "fortune", "--card", "gold", "--dice", "gold gold")
    assert "Eight dice" in done.err


@pytest.mark.parametrize("scores", ["3000,x,200", "--5,0", "²,0", "", "٣٠٠,0", "1_000,0", "+100,0", "1" * 12 + ",0"])
def test_totals_that_are_none_are_refused(cli: Cli, scores: str) -> None:
    done = cli("advise", "fortune", "--card", "captain", "--dice", DICE, f"--scores={scores}")
    assert done.status == 2
    assert "not totals separated by commas" in " ".join(done.err.replace("│", " ").split())


@pytest.mark.parametrize(("mine", "win"), [(7900, 1.0), (6700, 0.5), (6600, 0.0)])
def test_a_total_beyond_the_line_is_a_final_round(cli: Cli, mine: int, win: float) -> None:
    """FO-25, FO-27: stopping with 1,600 points wins, shares or loses, and nothing comes after it."""
    data = json.loads(
        cli("advise", "fortune", "--card", "captain", "--dice", DICE, "--scores", f"{mine},8300", "--json").out
    )  # fmt: skip
    assert [row["win"] for row in data["decisions"] if row["move"] == "stop"] == [win]


def test_of_more_than_two_it_is_said_who_started_the_final_round(cli: Cli) -> None:
    asked = ("advise", "fortune", "--card", "captain", "--dice", DICE, "--scores", "6700,0,8300", "--json")
    done = cli(*asked)
    assert done.status == 2
    assert "Say with --final who started it: seat 3." in " ".join(done.err.split())
    assert cli(*asked, "--final", "2").status == 2
    data = json.loads(cli(*asked, "--final", "3").out)
    assert 0.0 < next(row["win"] for row in data["decisions"] if row["move"] == "stop") < 0.5


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["--scores", "8300,7900"], "A player cannot begin a turn with 8,300"),
        (["--scores", "7900,7900", "--final", "2"], "not across the line (8,000)"),
        (["--helped"], "'captain' gives no help: only the Sorceress helps"),
        (["--card", "truce", "--edition", "classic-35"], "classic-35 has no card 'truce'. Allowed: gold, diamond"),
    ],
)
def test_what_no_game_comes_to_is_refused_by_name(cli: Cli, said: list[str], why: str) -> None:
    done = cli("advise", "fortune", "--card", "captain", "--dice", DICE, *said)
    assert done.status == 2
    assert why in " ".join(done.err.split())


def test_what_a_record_says_itself_is_refused_beside_it(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(parlour.new("fortune", players=2, seed=5).record().to_text())
    done = cli("advise", file, "--edition", "classic-35", "--scores", "5,5")
    assert done.status == 2
    assert "--scores and --edition" in done.err
    done = cli("advise", file, "--final", "2", "--rolls", "2")
    assert "--rolls and --final" in done.err
    done = cli("advise", "fortune", "--card", "captain", "--dice", DICE, "--step", "3")
    assert done.status == 2
    assert "it needs a record" in done.err


def test_a_solution_is_put_in_safety_before_the_work_is_thrown_away(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = cli("solve", "fortune", "--duel", "--out", tmp_path / "duel")
    assert done.status == 2
    assert "ends in .npz" in done.err
    shipped = duels.shipped("shafir-35")
    assert shipped is not None
    monkeypatch.setattr(duels, "solve", lambda *_: shipped)
    monkeypatch.chdir(tmp_path)
    part = tmp_path / "fortune-shafir-35-storm_scoring=sets.npz.part"
    part.touch()
    done = cli("solve", "fortune", "--duel", "-o", "storm_scoring=sets", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["file"] == part.stem
    assert duels.read(tmp_path / part.stem).facts == shipped.facts
    assert list(tmp_path.iterdir()) == [tmp_path / part.stem]


def test_an_interrupted_solution_says_where_its_work_is(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("parlour.games.fortune.study.duels.solve", interrupted)
    file = tmp_path / "duel.npz"
    done = cli("solve", "fortune", "--duel", "--out", file)
    assert done.status == 130
    assert "no round was done yet" in done.err
    (tmp_path / "duel.npz.part").touch()
    assert f"are in {file}.part" in cli("solve", "fortune", "--duel", "--out", file).err
    assert not file.exists()
