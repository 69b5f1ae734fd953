"""Blocks on a real Ray cluster of this machine: the same results, even if one dies, lies or has another version."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'parlour[ray]'"
)
ROOT = Path(__file__).parents[2]


def played(name: str, *given: object, seconds: float = 300) -> dict[str, object]:
    """Return what a program of tests/analysis/cluster.py found, on a cluster that began and ended with it."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "tests.analysis.cluster", name, *map(str, given)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_cluster_has_the_same_results_as_this_machine() -> None:
    found = played("quick")
    assert found["right"]
    assert found["simulated"]
    assert found["arena"]
    assert (found["some"], found["resumed"]) == (10, 10), "a file continues in the other place"
    assert "must be bytes" in str(found["failed"]), "an error has its own sentence"


@pytest.mark.whole
def test_compiled_games_are_the_same_here_there_and_half_in_each() -> None:
    found = played("compiled")
    assert found == {"half": 6, "simulated": True, "statistics": True, "arena": True}


@pytest.mark.whole
def test_every_command_prints_on_a_cluster_what_it_prints_here() -> None:
    found = played("commands", seconds=900)
    assert found == dict.fromkeys(("arena", "simulate", "stats", "compare", "sweep", "tune", "analyse"), True)


@pytest.mark.whole
def test_a_machine_that_lies_is_found_within_the_expected_number_of_its_blocks() -> None:
    """As in test_blocks.py, its plays betray it with the chance 2p / (1 + p); blocks under way count as well."""
    found = played("liar", seconds=900)
    share, plays = float(str(found["share"])), found["plays"]
    assert isinstance(plays, list)
    assert found["wrong"] == 0
    assert found["named"] == [1]
    chance = 2 * share / (1 + share)
    mean, error = sum(plays) / len(plays), (1 - chance) ** 0.5 / chance / len(plays) ** 0.5
    late = 2  # blocks for each processor are under way, and a block's audit waits behind them
    assert mean < 1 / chance + 4 * error + 2 * late


@pytest.mark.whole
def test_a_machine_with_another_parlour_is_used_no_more() -> None:
    found = played("versions")
    assert found["right"]
    told = found["told"]
    assert isinstance(told, list)
    assert sum("It has no Parlour, or an old one" in line for line in told) == 1
    assert sum("code is" in line and "there and" in line for line in told) == 1
    assert len(told) == 2, "neither is asked again, also not by the runs that follow"


@pytest.mark.whole
def test_a_machine_that_is_lost_costs_no_result() -> None:
    assert played("node_dies") == {"right": True}


@pytest.mark.whole
def test_no_block_is_lost_or_there_twice_after_two_hundred_kills() -> None:
    found = played("kills", seconds=3000)
    assert found["killed"] == {"worker": 150, "driver": 50}
    assert (found["lost"], found["doubled"]) == (0, 0)
