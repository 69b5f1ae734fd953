"""`parlour edition`, and --edition and --set in the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import parlour
from tests.cli.conftest import Cli

FORTUNE = parlour.find("fortune")
MINE = 'title = "Sugar rush"\nbase = "classic-35"\ndeck.gold = 8\n'


def test_edition_shows_values_bounds_sources_and_clauses(cli: Cli) -> None:
    shown = cli("edition", "fortune")
    assert shown.status == 0
    for words in ("deck.gold", "0 to 20", "house", "FO-2", "[300, 500, 1000]", "shafir-35 (Shafir, 35 cards)"):
        assert words in shown.out
    data = json.loads(cli("edition", "fortune", "--set", "deck.gold=5", "--json").out)
    assert (data["edition"], data["base"]) == ("shafir-35, changed", "shafir-35")
    assert data["components"]["deck"]["value"]["gold"] == 5
    assert data["components"]["deck"]["mark"] == "changed"


def test_the_file_that_edition_writes_is_taken_by_other_commands(cli: Cli, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(cli("edition", "fortune", "--set", "deck.gold=5", "--toml").out, "utf-8")
    ask = ["simulate", "fortune", "--bots", "random", "--games", "20", "--json"]
    data = json.loads(cli(*ask, "--edition", str(mine)).out)
    assert data["edition"] == "Shafir, 35 cards, changed"
    assert data["changed"] == {"deck": FORTUNE.edition().parts["deck"] | {"gold": 5}}
    same = json.loads(cli(*ask, "--set", "deck.gold=5").out)
    assert same["edition"] == "shafir-35, changed"
    for key in ("seats", "decisions", "turns"):
        assert data[key] == same[key]
    usual = json.loads(cli(*ask).out)
    assert "changed" not in usual
    assert usual["seats"] != same["seats"]


def test_all_mistakes_are_on_one_line_with_status_2(cli: Cli) -> None:
    done = cli(
        "simulate", "fortune", "--set", "deck.gold=55", "--set", "dekc=1", "--set", "deck", "--set", "deck.storm=["
    )
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    for said in (
        "deck.gold is 55, but it must be 0 to 20 (FO-2).", "did you mean 'deck'", "PATH=VALUE, not 'deck'",
        "'[' is not a value",
    ):  # fmt: skip
        assert said in done.err
    together = cli("edition", "fortune", *(f"--set=deck.{card}=20" for card in FORTUNE.edition().parts["deck"]))
    assert together.status == 2
    assert "The deck has 260 cards; 1 to 64 are possible. (FO-2)" in together.err


def test_stats_takes_the_first_edition_where_only_values_are_set(cli: Cli) -> None:
    ask = ["stats", "fortune", "--players", "2", "--games", "20", "--json"]
    (row,) = map(json.loads, cli(*ask, "--set", "deck.gold=5").out.splitlines())
    assert row["edition"] == "shafir-35, changed"
    assert row["changed"]["deck"]["gold"] == 5
    assert len(cli(*ask).out.splitlines()) == len(FORTUNE.editions)
    assert "--write" in cli(*ask, "--set", "deck.gold=5", "--write").err


def test_an_arena_keeps_all_values_in_its_file_and_continues_only_with_them(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MINE, "utf-8")
    out = tmp_path / "games.jsonl"
    ask = ["arena", "fortune", "--bots", "greedy,random", "--out", str(out), "--processes", "1"]
    mine = ["--edition", str(tmp_path / "mine.toml")]
    done = cli(*ask, "--games", "2", *mine)
    assert done.status == 0, done.err
    assert "edition Sugar rush" in done.out
    settings = json.loads(out.read_text("utf-8").splitlines()[0])
    assert settings["edition"] == "Sugar rush"
    assert settings["parts"]["deck"] == FORTUNE.edition("classic-35").parts["deck"] | {"gold": 8}
    assert cli(*ask, "--games", "4", *mine).status == 0
    other = cli(*ask, "--games", "4", *mine, "--set", "deck.gold=9")
    assert other.status == 3
    assert 'edition is "Sugar rush" there and "Sugar rush, changed" here' in other.err


def test_play_writes_a_record_with_the_values(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MINE, "utf-8")
    game = tmp_path / "game.txt"
    moves = f"stop\nsave {game}\nquit\n"
    cli("play", "fortune", "--bots", "none", "--seed", "1", "--edition", str(tmp_path / "mine.toml"), input=moves)
    record = parlour.load(game).record()
    assert (record.edition, record.parts["deck"]["gold"]) == ("Sugar rush", 8)  # type: ignore[index]


def test_solvers_take_values_that_they_can_solve(cli: Cli) -> None:
    ask = ["solve", "fortune", "--json"]
    usual, more = (json.loads(cli(*ask, *extra).out) for extra in ([], ["--set", "sea_battle_bonus.0=2000"]))
    assert more["sea-battle-2"] > usual["sea-battle-2"]
    assert more["gold"] == usual["gold"]
    odd = cli("solve", "fortune", "--duel", "--set", "sea_battle_bonus.0=250")
    assert odd.status == 2
    assert "Sea Battles must be worth hundreds" in odd.err


def test_bench_takes_them_for_one_game(cli: Cli) -> None:
    refused = cli("bench", "--set", "deck.gold=5")
    assert refused.status == 2
    assert "belong to one game" in refused.err
