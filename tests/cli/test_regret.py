"""`parlour regret`: a table for people, JSON for programs, and a file that continues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


@pytest.mark.slow
def test_what_the_decisions_of_bots_cost(cli: Cli, tmp_path: Path) -> None:
    ask = ["regret", "fortune", "--bots", "expert,random", "--positions", 8, "--jobs", 1]
    out = tmp_path / "asked.jsonl"
    done = cli(*ask, "--out", out)
    assert done.status == 0, done.err
    assert "8 positions." in done.out
    assert "100%" in done.out
    data = json.loads(cli(*ask, "--out", out, "--json").out)
    assert (data["game"], data["positions"]) == ("fortune", 8)
    expert, chance = data["bots"]
    assert (expert["bot"], expert["error"]["value"], expert["best"]) == ("expert", 0.0, 8)
    assert chance["error"]["value"] > 0


def test_what_it_refuses(cli: Cli) -> None:
    assert cli("regret", "fortune", "--bots", "genius").status == 2
    assert cli("regret", "none").status == 2
