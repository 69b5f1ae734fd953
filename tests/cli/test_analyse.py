"""`parlour analyse`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parlour
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


def test_what_cannot_be_analysed(cli: Cli, record: Path, tmp_path: Path) -> None:
    assert cli("analyse", record, "--seat", 3).status == 2
    assert cli("analyse", record, "--level", "divine").status == 2
    assert "has no bot 'divine'" in cli("analyse", record, "--bot", "divine").err
    assert "no_such_module" in cli("analyse", record, "--bot", "no_such_module:Bot").err
    assert cli("analyse", tmp_path / "nothing.txt").status == 3
    assert cli("analyse", record, "--simulations", 0).status == 2
