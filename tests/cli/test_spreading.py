"""Options of commands that play in blocks: files that continue, records of games, and what is refused."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import parlour
from parlour.cli import spreading
from parlour.core.errors import BadSetup
from tests.cli.conftest import Cli

SHORT = ["--option", "target=5000"]
CHANGING = {"seconds", "games_per_second"}


def _data(cli: Cli, *ask: str) -> dict[str, object]:
    done = cli(*ask, "--json")
    assert done.status == 0, done.err
    return {name: value for name, value in json.loads(done.out).items() if name not in CHANGING}


def test_simulate_keeps_games_in_a_file_and_continues(cli: Cli, tmp_path: Path) -> None:
    ask = ["simulate", "fortune", "--bots", "greedy,random", "--seed", "4", *SHORT]
    out = ["--out", str(tmp_path / "games.jsonl")]
    alone = _data(cli, *ask, "--games", "300")
    assert _data(cli, *ask, "--games", "300", *out) == alone
    before = (tmp_path / "games.jsonl").read_bytes()
    assert _data(cli, *ask, "--games", "300", *out) == alone
    assert (tmp_path / "games.jsonl").read_bytes() == before, "nothing is played again"
    done = cli(*ask[:-2], "--games", "300", *out)
    assert done.status == 3
    assert "holds results of other blocks: common.options.target is" in done.err


def test_stats_keeps_a_file_for_each_shape(cli: Cli, tmp_path: Path) -> None:
    ask = ["stats", "fortune", "--edition", "classic-35", "--games", "50", *SHORT]
    alone = cli(*ask, "--json")
    spread = cli(*ask, "--json", "--out", str(tmp_path))
    assert (alone.status, spread.status) == (0, 0), spread.err
    assert spread.out == alone.out
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f"fortune-classic-35-{players}p-target=5000-random.jsonl" for players in (2, 3, 4)
    ]


@pytest.mark.parametrize("command", ["simulate", "stats", "arena"])
def test_records_of_games_are_written(cli: Cli, tmp_path: Path, command: str) -> None:
    ask = [command, "fortune", "--edition", "classic-35", "--bots", "greedy,random", "--games", "20", *SHORT]
    done = cli(*ask, "--records", str(tmp_path), "--record", "longest", "--record", "closest", "--record", "3")
    assert done.status == 0, done.err
    names = sorted(file.stem.rpartition("-")[2] for file in tmp_path.iterdir())
    assert names == ["3", "closest", "longest"]
    matches = {file.stem: parlour.load(file) for file in tmp_path.iterdir()}
    assert all(match.over for match in matches.values())
    longest = next(match for name, match in matches.items() if name.endswith("longest"))
    assert len(longest.steps) >= max(len(match.steps) for match in matches.values()) - 40


def test_a_share_is_read_as_a_person_writes_it() -> None:
    assert [spreading.share(text, "auto") for text in ("1%", "0.01", " 2.5 %", "100%", "0")] == [
        0.01, 0.01, 0.025, 1.0, 0.0,
    ]  # fmt: skip
    assert spreading.share(None, None) == 0
    for text in ("101%", "-1", "some", "2", "nan", "%"):
        with pytest.raises(BadSetup, match="a share such as 1%"):
            spreading.share(text, "auto")


def test_options_that_do_not_fit_are_refused(cli: Cli, tmp_path: Path) -> None:
    for ask, why in (
        (["simulate", "fortune", "--audit", "1%"], "--audit needs --ray"),
        (["stats", "fortune", "--audit", "1%"], "--audit needs --ray"),
        (["arena", "fortune", "--audit", "1%"], "--audit needs --ray"),
        (["compare", "fortune", ".", ".", "--audit", "1%"], "--audit needs --ray"),
        (["sweep", "fortune", "--set", "deck.gold=1,2", "--audit", "1%"], "--audit needs --ray"),
        (
            ["tune", "fortune", "--set", "deck.gold=1,2", "--toward", "minutes 5", "--audit", "1%"],
            "--audit needs --ray",
        ),
        (["simulate", "fortune", "--record", "3"], "--record needs --records"),
        (["simulate", "fortune", "--games", "5", "--records", str(tmp_path), "--record", "9"], "'9' names no game"),
        (["arena", "fortune", "--ladder", "--records", str(tmp_path)], "A ladder writes no records"),
    ):
        done = cli(*ask)
        assert (done.status, why in done.err) == (2, True), done.err


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed here")
def test_without_ray_a_sentence_says_what_to_install(cli: Cli) -> None:
    done = cli("simulate", "fortune", "--ray", "local")
    assert done.status == 1
    assert done.err == "parlour: This needs ray, which is not installed; pip install 'parlour[ray]' installs it.\n"


@pytest.mark.parametrize(
    ("command", "games"),
    [
        (["simulate", "fortune", "--bots", "greedy,random", "--games", "3"], 3),
        (["stats", "fortune", "--players", "2", "--edition", "classic-35", "--games", "3"], 3),
        (["arena", "fortune", "--bots", "greedy,random", "--games", "2"], 2),
        (["compare", "fortune", ".", "deck.gold=5", "--bots", "random", "--games", "3", "--measure", "1st"], 6),
        (["sweep", "fortune", "--set", "deck.gold=4,5", "--bots", "random", "--games", "3", "--measure", "1st"], 6),
    ],
    ids=["simulate", "stats", "arena", "compare", "sweep"],
)
@pytest.mark.suite("stats", "sweep")
def test_every_batch_can_be_written_as_parquet(cli: Cli, tmp_path: Path, command: list[str], games: int) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed: pip install 'parlour[data]'")
    done = cli(*command, *SHORT, "--parquet", tmp_path / "tables", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out.splitlines()[0])
    frame = polars.read_parquet(tmp_path / "tables" / "games.parquet")
    assert frame.height == games
    assert frame.unique(["batch", "number"]).height == games, "a batch and a number name one game"
    read = cli("stats", tmp_path / "tables", "--json")
    assert read.status == 0, read.err
    if command[0] == "stats":
        assert read.out == done.out


def test_only_what_shows_goes_with_files(cli: Cli, tmp_path: Path) -> None:
    for option in (["--games", "10000"], ["--players", "2"], ["--parquet", str(tmp_path)]):
        done = cli("stats", tmp_path / "games.parquet", *option)
        assert (done.status, "only --json and --plots go with files" in done.err) == (2, True), done.err


def test_a_ladder_writes_no_parquet(cli: Cli, tmp_path: Path) -> None:
    done = cli("arena", "fortune", "--ladder", "--parquet", tmp_path)
    assert (done.status, "A ladder writes no Parquet files" in done.err) == (2, True), done.err
