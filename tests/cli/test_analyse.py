"""`parlour analyse`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parlour
from parlour.core.record import Record
from tests.analysis import block_work
from tests.cli.conftest import Cli


@pytest.mark.slow
def test_every_decision_is_judged(cli: Cli, record: Path, finished: parlour.Match) -> None:
    done = cli("analyse", record, "--simulations", 30, "--json", "--threads", 2)
    assert done.status == 0, done.err
    data = json.loads(done.out)
    assert (data["game"], data["steps"], data["result"]) == ("fortune", finished.version, finished.returns)
    judged = data["decisions"]
    for one in judged:
        actor, _, text = finished.steps[one["step"] - 1]
        assert (actor + 1, text) == (one["seat"], one["move"])
        assert one["other"] != one["move"]
        assert 0 <= one["after"] <= one["before"] <= 1
        assert sum(one["chances"]) == pytest.approx(1)
    assert data["seats"][0]["luck"] == pytest.approx(-data["seats"][1]["luck"]) != 0
    assert [seat["decisions"] for seat in data["seats"]] == [
        sum(one["seat"] == seat for one in judged) for seat in (1, 2)
    ]
    again = json.loads(cli("analyse", "-", "--simulations", 30, "--json", "--seat", 2, input=record.read_text()).out)
    assert again["decisions"] == [one for one in judged if one["seat"] == 2]
    asked = json.loads(cli("analyse", record, "--simulations", 30, "--json", "--seat", 2, "--bot", "random").out)
    assert asked["decisions"] == again["decisions"]
    (place,) = asked["bot"]["seats"]
    assert (place["seat"], place["decisions"]) == (2, len(again["decisions"]))
    assert place["same"] == sum(one["same"] for one in asked["bot"]["decisions"]) < place["decisions"]
    assert (asked["bot"]["name"], asked["bot"]["faults"]) == ("random", [])
    assert [seat["seat"] for seat in again["seats"]] == [2]


@pytest.mark.slow
def test_a_table_for_people(cli: Cli, record: Path) -> None:
    done = cli("analyse", record, "--simulations", 200, "--all", "--bot", "greedy")
    assert done.status == 0, done.err
    assert "Player 1" in done.out
    assert "accuracy" in done.out
    assert "%" in done.out
    assert "blunder" in done.out  # it was played at random
    assert "by greedy" in done.out
    assert "the same" in done.out
    assert "greedy for" in done.out
    assert "Luck: Player 1 " in done.out


@pytest.mark.slow
def test_the_long_name_of_a_bot_is_whole_and_no_table_breaks_it(cli: Cli, record: Path, tmp_path: Path) -> None:
    bot = f"{block_work.__name__}:First"
    short, both = tmp_path / "short.txt", ["--simulations", 20, "--seat", 1, "--bot", bot]
    short.write_text(Record.parse(record.read_text("utf-8")).upto(20).to_text(), "utf-8")
    for ask in ([short, "--all"], [short, "--jobs", 1]):
        done = cli("analyse", *ask, *both)
        assert done.status == 0, done.err
        assert done.out.startswith(f"The bot is {bot}.\n")
        assert done.out.count(bot) == 1
        assert "│ the bot for " in done.out


def test_what_cannot_be_analysed(cli: Cli, record: Path, tmp_path: Path) -> None:
    assert cli("analyse", record, "--seat", 3).status == 2
    assert cli("analyse", record, "--level", "divine").status == 2
    assert "has no bot 'divine'" in cli("analyse", record, "--bot", "divine").err
    assert "no_such_module" in cli("analyse", record, "--bot", "no_such_module:Bot").err
    assert cli("analyse", tmp_path / "nothing.txt").status == 3
    assert cli("analyse", record, "--simulations", 0).status == 2


def test_several_records_have_a_line_for_each_player(cli: Cli, record: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "records", tmp_path / "judged.jsonl"
    folder.mkdir()
    text = record.read_text("utf-8")
    for number in (20, 40):
        (folder / f"{number}.txt").write_text(Record.parse(text).upto(number).to_text(), "utf-8")
    ask = ["analyse", folder, "--simulations", 20, "--bot", "random", "--jobs", 1]
    done = cli(*ask, "--out", out)
    assert done.status == 0, done.err
    assert [done.out.count(name) for name in ("20.txt", "random for Player 1", "Player 2")] == [1, 2, 4]
    lines = [json.loads(line) for line in cli(*ask, "--out", out, "--json").out.splitlines()]
    assert [(Path(one["record"]).name, one["steps"]) for one in lines] == [("20.txt", 20), ("40.txt", 40)]
    alone = json.loads(cli("analyse", folder / "40.txt", "--simulations", 20, "--bot", "random", "--json").out)
    assert lines[1] == {"record": lines[1]["record"]} | alone


def test_what_does_not_go_with_several_records(cli: Cli, record: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    other = tmp_path / "other.txt"
    other.write_text(record.read_text("utf-8"), "utf-8")
    broken = tmp_path / "broken.txt"
    broken.write_text("no record", "utf-8")
    for ask, why in (
        ([record, other, "--all"], "--threads and --all are for one record"),
        ([record, "--jobs", 2, "--threads", 2], "--threads and --all are for one record"),
        ([record, "--audit", "1%"], "--audit needs --ray"),
        ([record, "--seconds", 1, "--ray", "auto", "--audit", "1%"], "An audit needs judgements without a clock"),
        ([tmp_path / "empty"], "empty has no records"),
        ([record, broken], "broken.txt: This is not a Parlour record"),
        ([record, tmp_path / "empty", "--seat", 3], "empty has no records"),
    ):
        done = cli("analyse", *ask)
        assert (done.status in (2, 3), why in done.err) == (True, True), done.err
