"""`parlour compile`: afterwards nothing that people and programs use is compiled any more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.docs.pig import write_pig

ROOT = Path(__file__).parents[2]
# What a process uses of a game whose compiling is forbidden: all of it comes from the cache, or this fails.
USED = """
import numba.core.compiler, parlour, parlour.bots as bots
from parlour.analysis.shapes import shapes
from parlour.bots.view import View
from parlour.engine.compiled import compile
def forbidden(*_, **__):
    raise AssertionError("something is compiled")
game = parlour.find("pig")
engine = compile(game)
numba.core.compiler.compile_extra = forbidden
import numba.core.dispatcher
numba.core.dispatcher.compiler.compile_extra = forbidden
parlour.simulate("pig", bots=["optimal", "random"], games=5, threads=1)
state = parlour.new_initial_state("pig", compiled=True)
while state.is_chance_node():
    state.apply_action(0)
batch = parlour.Batch("pig", 3)
batch.step(batch.random_actions())
batch.observations()
match = parlour.new("pig", seed=3)
for name in bots.names(game):
    bots.find(game, name).choose(View.of(match, match.current_player), engine)
print("all was there")
"""


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PARLOUR_CACHE": str(folder / "cache"), "PARLOUR_GAMES": str(folder), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True, cwd=folder)


@pytest.mark.slow
@pytest.mark.whole
def test_afterwards_nothing_is_compiled(tmp_path: Path) -> None:
    write_pig(tmp_path)
    done = command(tmp_path, "-m", "parlour", "compile", "pig", "--json")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["game"] for row in rows} == {"pig"}
    assert [row["part"] for row in rows] == [
        "random games", "games of optimal", "games of random", "statistics", "positions", "batches",
        "the bot optimal", "the bot random", "the search",
    ]  # fmt: skip
    assert all(row["seconds"] > 0 for row in rows)
    used = command(tmp_path, "-c", USED)
    assert used.stdout == "all was there\n", used.stderr


def test_a_game_that_there_is_not_is_refused(cli: Cli) -> None:
    done = cli("compile", "chess")
    assert done.status == 2
    assert "There is no game 'chess'" in done.err
