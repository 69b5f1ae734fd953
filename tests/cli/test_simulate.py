"""`parlour simulate` and `parlour bench`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from parlour.analysis.intervals import interval
from tests.cli.conftest import Cli, interrupt_after
from tests.docs.pig import write_pig
from tests.keeping import kept

PARLOUR = str(Path(sys.executable).with_name("parlour"))


def test_simulate_counts(cli: Cli) -> None:
    ask = ["simulate", "fortune", "--players", "3", "--bots", "greedy,random,random", "--games", "200", "--seed", "1"]
    done = cli(*ask, "--json")
    assert done.status == 0, done.err
    data = json.loads(done.out)
    assert data["games"] == 200
    assert [seat["bot"] for seat in data["seats"]] == ["greedy", "random", "random"]
    assert sum(seat["wins"] for seat in data["seats"]) == pytest.approx(1)
    assert all(seat["wins_low"] <= seat["wins"] <= seat["wins_high"] for seat in data["seats"])
    same = parlour.simulate("fortune", bots=["greedy", "random", "random"], games=200, seed=1)
    assert [seat["score"] for seat in data["seats"]] == list(same.scores.mean(axis=0))
    assert data["decisions"] == same.lengths.mean()
    again = json.loads(cli(*ask, "--json", "--threads", "1").out)
    changing = {"seconds", "games_per_second"}
    assert {k: v for k, v in again.items() if k not in changing} == {k: v for k, v in data.items() if k not in changing}
    words = cli(*ask).out
    assert f"{data['seats'][0]['wins']:.2%}" in words
    assert "200 in " in words


def test_ctrl_c_tells_what_was_counted(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, 300)
    ask = ["simulate", "fortune", "--bots", "greedy", "--games", "1000000"]
    done = cli(*ask, "--json")
    assert done.status == 130, done.err
    data = json.loads(done.out)
    assert data["interrupted"] is True
    assert 300 <= data["games"] < 100_000
    same = parlour.simulate("fortune", bots="greedy", games=data["games"])
    assert [seat["score"] for seat in data["seats"]] == list(same.scores.mean(axis=0))
    assert data["seats"][0]["wins_low"] == interval(data["seats"][0]["wins"], data["games"])[0]
    words = cli(*ask)
    assert words.status == 130
    assert "a second, interrupted" in words.out
    interrupt_after(monkeypatch, 0)
    nothing = cli(*ask)
    assert (nothing.status, nothing.out) == (130, "")
    assert nothing.err == "Interrupted before a game was over.\n"


def test_simulate_with_options(cli: Cli) -> None:
    def ask(*more: str) -> float:
        found = json.loads(cli("simulate", "fortune", "--bots", "greedy", "-n", "100", "--json", *more).out)
        return float(found["decisions"])

    assert ask("-o", "target=5000") < ask()
    assert ask("--edition", "classic-35") != ask()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "no game 'chess'"),
        (
            ["fortune", "--bots", "greedy,deep-blue"],
            "fortune has no bot 'deep-blue'. Allowed: optimal, points, expert",
        ),
        (["fortune", "--players", "3", "--bots", "greedy,random"], "2 bots were named for 3 seats"),
        (["fortune", "--players", "1"], "for 2 to 4 players, not 1"),
        (["fortune", "--option", "target=1"], "Option target cannot be '1'"),
    ],
)
def test_what_cannot_be_simulated(cli: Cli, arguments: list[str], words: str) -> None:
    done = cli("simulate", *arguments)
    assert done.status == 2
    assert words in done.err
    assert done.out == ""


def test_interval_is_wilsons() -> None:
    # At p = 0 it is z² / (n + z²); at 1 the mirror image.
    assert interval(0.0, 100) == pytest.approx((0.0, 0.0369948), abs=1e-6)
    assert interval(0.5, 100) == pytest.approx((0.4038315, 0.5961685), abs=1e-5)
    assert interval(1.0, 100) == pytest.approx((0.9630052, 1.0), abs=1e-6)


@pytest.mark.slow
@pytest.mark.whole
def test_bench_has_one_object_a_line_and_can_be_interrupted() -> None:
    games = kept("bench")  # so that it is compiled once
    write_pig(games)
    with subprocess.Popen(
        [PARLOUR, "--games", str(games), "bench", "pig", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        row = json.loads(process.stdout.readline())  # as soon as it is measured: all of them take long
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
    assert process.returncode == 130
    assert set(row) == {"game", "players", "work", "rate", "unit", "low", "high"}
    assert (row["game"], row["players"], row["unit"]) == ("pig", 2, "s")
    assert row["rate"] > 0
