"""`parlour check-bot`, and bots of your own in `parlour simulate` and `parlour arena`."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from pathlib import Path

import pytest

from parlour.analysis import bot_check
from parlour.analysis.shapes import shapes
from parlour.games import find
from tests.cli.conftest import Cli

BOTS = """
import time
import parlour

class First(parlour.Bot):
    games = ("gatsby",)
    def choose(self, view):
        return view.legal_actions()[0]

class Wrong(First):
    games = ("gatsby", "ludo")
    def choose(self, view):
        return -5

class Slow(First):
    def choose(self, view):
        time.sleep(60)
"""


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a module of bots, which is forgotten afterwards."""
    (tmp_path / "own_bots_checked.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "own_bots_checked", raising=False)


def program(folder: Path, hello: str, answer: str) -> str:
    """Write a program that says hello and answers each decision with these lines. Return how it is named."""
    file = folder / "bot.py"
    file.write_text(
        textwrap.dedent(f"""
        import json, sys
        for line in sys.stdin:
            asked = json.loads(line)
            if asked["type"] == "hello":
                print({hello!r}, flush=True)
            elif asked["type"] == "choose":
                legal = asked["legal_actions"]
                {answer}
        """)
    )
    return f"program:{shlex.join((sys.executable, str(file)))}"


FINE = 'print(json.dumps({"action": legal[0]}), flush=True)'


def test_a_sound_class_passes(cli: Cli) -> None:
    done = cli("check-bot", "own_bots_checked:First")
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{len(shapes(find('gatsby')))} games played, no fault.\n"


def test_a_sound_program_passes(cli: Cli, tmp_path: Path) -> None:
    done = cli("check-bot", program(tmp_path, '{"type": "hello", "games": ["gatsby"]}', FINE), "--json")
    assert done.status == 0, done.err
    data = json.loads(done.out)
    assert (data["played"], data["left"], data["faults"]) == (len(shapes(find("gatsby"))), 0, [])


def test_each_fault_is_a_sentence(cli: Cli) -> None:
    done = cli("check-bot", "own_bots_checked:Wrong")
    assert done.status == 1
    lines, played = done.out.splitlines(), len(shapes(find("gatsby")))
    assert lines[0] == "own_bots_checked:Wrong says that it plays 'ludo', which is not a game here."
    assert lines[1] == (
        f"{shapes(find('gatsby'))[0]}, seat 1: own_bots_checked:Wrong answered -5, which is not the number of a legal "
        "action."
    )
    assert lines[-1] == f"{played} games played, {played + 1} faults."


def test_a_game_that_is_given_and_a_clock(cli: Cli) -> None:
    done = cli("check-bot", "own_bots_checked:Slow", "gatsby", "--clock", "0.05")
    assert done.status == 1
    assert "own_bots_checked:Slow took longer than 0.05 s (choose)." in done.out


def test_a_program_without_a_hello_has_a_fault(cli: Cli, tmp_path: Path) -> None:
    name = program(tmp_path, "hello", FINE)
    done = cli("check-bot", name)
    assert (done.status, done.out) == (
        1, f"{name} answered hello, which is not a JSON object.\n0 games played, 1 fault.\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("random", "'random' is not a bot of your own. Write `module:Class` or `program:COMMAND`."),
        ("own_bots_checked:None", "The bot 'own_bots_checked:None' does not exist"),
        ("program:no-such-program", "There is no program 'no-such-program' that can be run."),
    ],
)
def test_what_is_not_there_is_refused(cli: Cli, named: str, said: str) -> None:
    done = cli("check-bot", named)
    assert done.status == 2
    assert done.err.startswith(f"parlour: {said}")


def test_games_that_are_not_begun_are_counted() -> None:
    report = bot_check.run("own_bots_checked:First", [find("gatsby")], seconds=1e-9)
    assert (report.played, report.left) == (0, len(shapes(find("gatsby"))))


def test_a_bot_of_your_own_plays_in_the_terminal(cli: Cli) -> None:
    done = cli("play", "gatsby", "--bots", "own_bots_checked:First", "--seed", "3", input="moves\nquit\n")
    assert done.status == 0, done.err
    assert "Bot" in done.out
    both = "own_bots_checked:First,own_bots_checked:Wrong"
    done = cli("play", "gatsby", "--players", "2", "--bots", both, "--seed", "3")  # the first begins
    assert (done.status, done.err.splitlines()[-1]) == (
        1, "parlour: own_bots_checked:Wrong answered -5, which is not the number of a legal action.",
    )  # fmt: skip
    assert "--resume" in done.out, "the game is kept"
    assert cli("play", "gatsby", "--bots", "own_bots_checked:None").status == 2


def test_simulate_and_arena_name_faults(cli: Cli, tmp_path: Path) -> None:
    bots = ("--bots", "own_bots_checked:First,own_bots_checked:Slow", "--clock", "0.05")
    done = cli("simulate", "gatsby", *bots, "--games", "2")
    assert done.status == 0, done.err
    assert "2 games lost. The first: own_bots_checked:Slow took longer than 0.05 s (choose)." in done.out
    data = json.loads(cli("simulate", "gatsby", *bots, "--games", "1", "--json").out)
    assert data["faults"] == [
        {"game": 0, "seat": 2, "why": "own_bots_checked:Slow took longer than 0.05 s (choose)."}
    ]  # fmt: skip
    file = tmp_path / "games.jsonl"
    arena = ("arena", "gatsby", *bots, "--games", "2", "--processes", "1", "--out", file)
    done = cli(*arena)
    assert done.status == 0, done.err
    assert "2 games lost. The first: own_bots_checked:Slow took" in done.out
    data = json.loads(cli(*arena, "--json").out)
    assert data["faults"] == ["own_bots_checked:Slow took longer than 0.05 s (choose)."] * 2
    assert data["games"] == 2
