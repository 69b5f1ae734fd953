"""`parlour play`: a game in the terminal, with moves piped in."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path

import pytest

import parlour
from parlour.cli.play import bots_by_name, seat_names
from parlour.cli.terminal import Table
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from tests.cli.conftest import Cli
from tests.cli.screen import Screen


def kept(out: str) -> parlour.Match:
    """Return the game that a session says it has kept."""
    (name,) = re.findall(r"--resume (\S+)|Saved to (\S+)\. See", out)
    return parlour.load(Path(name[0] or name[1]))


def test_the_first_minute(cli: Cli) -> None:
    done = cli("play", "fortune", "--bots", "none", "--seed", "7", input="help\nmoves\nquit\n")
    assert done.status == 0
    assert str(parlour.new("fortune", seed=7)).splitlines()[3] in done.out  # the card
    assert "rules FO-1" in done.out
    assert "  stop | re-roll" in done.out  # `moves`
    assert "re-roll 2 3 4 5 6 7 8" in done.out  # all of them, where there are many


def test_a_clause_can_be_read(cli: Cli) -> None:
    done = cli("play", "fortune", "--bots", "none", input="rules fo18\nrules\nrules XX-1\nquit\n")
    assert "FO-18 Sorceress" in done.out
    assert "FO-27, FO-28" in done.out
    assert "no clause 'XX-1'" in done.out


def test_bad_moves_say_why_and_change_nothing(cli: Cli) -> None:
    moves = "re-roll 9\nre-roll 8\nfly\n" + "stop\n" + "quit\n"
    done = cli("play", "fortune", "--bots", "none", "--seed", "7", input=moves)
    assert "'9' is not a die" in done.out
    assert "Re-roll at least two dice. (FO-6)" in done.out
    assert "'fly' is not a move of Fortune" in done.out
    assert [text for actor, _, text in kept(done.out).steps if actor >= 0] == ["stop"]


def test_input_that_ends_leaves_the_game(cli: Cli) -> None:
    done = cli("play", "fortune", "--bots", "none", "--seed", "7", input="stop\nstop")
    assert done.status == 0
    assert [text for actor, _, text in kept(done.out).steps if actor >= 0] == ["stop", "stop"]


def test_nothing_is_kept_of_a_game_that_was_not_played(cli: Cli, tmp_path: Path) -> None:
    assert "Saved" not in cli("play", "fortune", "--bots", "none", input="quit\n").out
    assert not (tmp_path / "data").exists()


def test_save_and_resume(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "my game.txt"
    first = cli("play", "fortune", "--bots", "none", "--seed", "7", input=f"stop\nsave {file}\nsave\nstop\nquit\n")
    assert f"Saved to {file}" in first.out
    assert "Add a file name: save FILE" in first.out
    on = cli("play", "fortune", "--resume", file, input="stop\nquit\n")
    assert kept(on.out).steps == kept(first.out).steps  # the same dice and cards as without the interruption
    assert not list(tmp_path.glob("*.part"))


def test_saving_where_one_cannot(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    done = cli("play", "fortune", "--bots", "none", input=f"save {tmp_path}/file/game.txt\nstop\nquit\n")
    assert "Can't write" in done.out
    assert (tmp_path / "file").read_text() == "precious"
    assert done.status == 0


def test_resume_a_game_of_something_else(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("hello")
    assert cli("play", "fortune", "--resume", tmp_path / "words").status == 3


def test_a_whole_game_against_bots(cli: Cli) -> None:
    done = cli("play", "fortune", "--bots", "greedy,random", "--seed", "3", "-o", "target=5000", input="stop\n" * 400)
    assert done.status == 0, done.err
    match = kept(done.out)
    assert match.over
    assert match.names == ("Player", "greedy", "random")
    assert str(match.winners)
    assert "parlour verify" in done.out
    for line in match.log(0):
        assert line.text in done.out


def test_bots_resume_too(cli: Cli) -> None:
    first = cli("play", "fortune", "--seed", "3", input="stop\n")
    (file,) = re.findall(r"--resume (\S+)", first.out)
    played = len(parlour.load(Path(file)).steps)
    on = cli("play", "fortune", "--resume", file, input="stop\n")
    assert len(kept(on.out).steps) > played


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "no game 'chess'. Allowed: aces-and-faces, "),
        (["fortune", "--bots", "deep-blue"], "no bot 'deep-blue'. Allowed:"),
        (["fortune", "--players", "9"], "for 2 to 4 players, not 9"),
        (["fortune", "--players", "2", "--bots", "random,random,random"], "3 bots don't fit at a table for 2"),
        (["fortune", "--edition", "third"], "no edition 'third'. Allowed: shafir-35"),
        (["fortune", "--option", "pile=flat"], "Option pile cannot be 'flat'. Allowed: cycle, reshuffle"),
        (["fortune", "--option", "pile"], "NAME=VALUE, not 'pile'"),
        (["fortune", "--option", "speed=1"], "no option 'speed'. Allowed: target"),
    ],
)
def test_what_cannot_be_played(cli: Cli, arguments: list[str], words: str) -> None:
    done = cli("play", *arguments)
    assert done.status == 2
    assert words in done.err
    assert done.err.startswith("parlour: ")
    assert done.err.count("\n") == 1


def test_names_at_the_table() -> None:
    fortune = parlour.find("fortune")
    assert seat_names(fortune, None, None) == ["Player", "medium"]
    assert seat_names(fortune, 4, None) == ["Player", "medium", "medium 2", "medium 3"]
    assert seat_names(fortune, 3, "random") == ["Player 1", "Player 2", "random"]
    assert seat_names(fortune, 2, "random, Greedy") == ["random", "greedy"]
    assert seat_names(fortune, None, "none") == ["Player 1", "Player 2"]
    seats = bots_by_name(fortune, ["Player", "greedy", "greedy 2", "", "random"])
    assert {seat: bot.name for seat, bot in seats.items()} == {1: "greedy", 2: "greedy", 4: "random"}
    assert seat_names(fortune, 3, "random", "Ada") == ["Ada", "Player 2", "random"]
    for players, bots, people in ((1, "random,random", None), (2, "random", "Ada,Ben"), (2, "random", "greedy 7")):
        with pytest.raises(BadSetup):
            seat_names(fortune, players, bots, people)
    with pytest.raises(UnknownName):
        seat_names(fortune, 2, "hal")


def test_two_random_bots_need_nobody(cli: Cli) -> None:
    choose = random.Random(2).randrange(1000)
    done = cli(
        "play", "fortune", "--bots", "random,random", "--players", "2", "--seed", str(choose), "-o", "target=5000"
    )
    assert done.status == 0
    assert kept(done.out).over


def test_taking_back_in_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(parlour.Match(Game("satchel", "tests.fixtures.satchel"), seed=3), {})
    monkeypatch.setattr(table, "_keep", lambda: None)
    monkeypatch.setattr("sys.stdin", io.StringIO("\ncoin 1\nundo\nu\ncoin 2\nlook\nundo\nclose\nquit\n"))
    table.run()
    said = capsys.readouterr().out
    assert "undo = Take back the last decision" in said
    assert "Taken back: coin 1." in said
    assert "There is nothing to take back" in said
    assert "You cannot take this back: it has revealed something." in said
    assert [text for actor, _, text in table.match.steps if actor == 0] == ["coin 2", "look", "close"]


def test_what_is_said_is_broken_between_words_at_the_edge_of_the_screen(tmp_path: Path) -> None:
    with Screen(tmp_path, "family-trade", "--bots", "none", "--seed", "5") as screen:
        screen.read(r"press Enter ")
        screen.type("")
        screen.read(r"\nPlayer \d> ")
        for words in ("help", "take zzz", "discard golld", "rules", "rules FT-99"):
            screen.type(words)
            said = screen.read(r"\nPlayer \d> ")
            assert max(map(len, said.splitlines())) <= 80, said
