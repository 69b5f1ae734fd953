"""The command line as a whole: help, version, games, rules, errors, and real processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import typer

import parlour
from parlour import bots
from parlour.cli.app import STATUS, app
from parlour.core.errors import ParlourError
from tests.cli.conftest import Cli

PARLOUR = str(Path(sys.executable).with_name("parlour"))
GROUPS = {str(group.name or group.typer_instance.info.name): group.typer_instance for group in app.registered_groups}


def names(of: typer.Typer) -> list[str]:
    """Return the commands of an app or a group."""
    return sorted(command.callback.__name__.replace("_", "-") for command in of.registered_commands if command.callback)


COMMANDS = names(app)
GROUPED = [f"{group} {name}" for group, commands in GROUPS.items() for name in names(commands)]


def test_version(cli: Cli) -> None:
    assert cli("--version").out == f"parlour {parlour.__version__}\n"


def test_help_names_every_command_and_status(cli: Cli) -> None:
    words = " ".join(cli("--help").out.split())
    for command in (*COMMANDS, *GROUPS):
        assert f" {command} " in words
    for status in set(STATUS.values()):
        assert f"; {status} " in words


@pytest.mark.parametrize("command", [*COMMANDS, *GROUPED])
def test_each_help_has_an_example(cli: Cli, command: str) -> None:
    done = cli(*command.split(), "--help")
    assert done.status == 0
    assert "Example" in done.out
    assert f"parlour {command}" in done.out


def test_statuses_name_real_errors() -> None:
    def codes(kind: type[ParlourError]) -> set[str]:
        return {kind.code}.union(*(codes(below) for below in kind.__subclasses__()))

    import parlour.analysis.results
    import parlour.house.errors  # noqa: F401

    assert set(STATUS) <= codes(ParlourError)


def test_wrong_usage(cli: Cli) -> None:
    for arguments in (["fly"], ["replay"], ["serve", "--port", "many"], ["rules"], ["rules", "x", "y", "--coverage"]):
        done = cli(*arguments)
        assert done.status == 2, arguments
        assert done.err, arguments
        assert "Traceback" not in done.err


def test_games(cli: Cli) -> None:
    assert "Fortune (fortune)" in cli("games").out
    (fortune,) = (game for game in json.loads(cli("games", "--json").out) if game["name"] == "fortune")
    assert fortune["players"] == [2, 4]
    assert list(fortune["editions"]) == ["shafir-35", "classic-35"]
    assert {option["name"]: option["default"] for option in fortune["options"]}["target"] == "8000"


def test_bots(cli: Cli) -> None:
    rows = json.loads(cli("bots", "fortune", "--json").out)
    assert [row["bot"] for row in rows] == list(bots.names(parlour.find("fortune")))
    assert rows[0]["compiled"] == ["simulate"]
    words = cli("bots", "fortune").out
    assert all(row["bot"] in words for row in rows)
    assert "the default" in words
    everywhere = json.loads(cli("bots", "--json").out)
    assert {row["game"] for row in everywhere} == set(parlour.all_games())
    assert all(game.text.TITLE in cli("bots").out for game in parlour.all_games().values())
    done = cli("bots", "chess")
    assert done.status == 2
    assert "no game 'chess'" in done.err


def test_play_says_which_bot_comes(cli: Cli) -> None:
    words = " ".join(cli("play", "--help").out.split())
    for game in parlour.all_games().values():
        assert f"Without --bots you play against {bots.default(game)} bots" in words
        assert cli("play", game.name, input="quit\n").status == 0


def test_rules(cli: Cli) -> None:
    whole = " ".join(cli("rules", "fortune").out.split())
    assert "FO-28" in whole
    assert "about 20 to 35 here (house)" in whole
    printed = "What counts as crossing the finish line. The print says “above 8,000 points”. a total above it; a total"
    assert f"{printed} exactly on it, too (FO-25) (outside)" in whole
    assert "(ruling): how this house reads the print where it is silent" in whole
    one = cli("rules", "fortune", "fo18").out
    assert "(ruling): how this house reads" in " ".join(one.split())
    assert "(house)" not in one
    assert "FO-18" in one
    assert "FO-19" not in one.split()
    assert list(json.loads(cli("rules", "fortune", "fo 18", "--json").out)["clauses"]) == ["FO-18"]
    assert len(json.loads(cli("rules", "fortune", "--json").out)["clauses"]) == 28
    done = cli("rules", "fortune", "FO-99")
    assert done.status == 2
    assert "no clause 'FO-99'" in done.err


def test_rules_coverage(cli: Cli) -> None:
    done = cli("rules", "--coverage", "--json")
    rows = [json.loads(line) for line in done.out.splitlines()]
    fortune = {row["clause"]: row for row in rows if row["game"] == "fortune"}
    assert len(fortune) == 28
    assert fortune["FO-18"]["code"]
    assert "28 clauses" in cli("rules", "fortune", "--coverage").out
    proved = all(row["code"] and row["tests"] for row in rows)
    assert done.status == (0 if proved else 1)


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen([PARLOUR, "rules", "fortune"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""


def test_interrupt_keeps_the_game(tmp_path: Path) -> None:
    with subprocess.Popen(
        [PARLOUR, "play", "fortune", "--bots", "none", "--seed", "7"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PARLOUR_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write("stop\n")
        process.stdin.flush()
        while "> stop" not in (line := process.stdout.readline()):
            assert line, process.stderr.read()
        match = parlour.new("fortune", seed=7)
        match.play("stop")
        while match.log()[-1].text not in (line := process.stdout.readline()):
            assert line, process.stderr.read()
        process.send_signal(signal.SIGINT)
        assert "Saved. Continue with" in process.stdout.read()
        assert process.stderr.read() == ""
    assert process.returncode == 130
    (file,) = (tmp_path / "records").iterdir()
    assert [text for actor, _, text in parlour.load(file).steps if actor >= 0] == ["stop"]


def test_serve(tmp_path: Path) -> None:
    command = [PARLOUR, "serve", "--port", "0", "--host", "127.0.0.1", "--database", f"sqlite:///{tmp_path}/games.db"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    ) as process:
        assert process.stdout
        assert process.stderr
        line = process.stdout.readline()
        assert line.startswith("Parlour is open at http://127.0.0.1:"), process.stderr.read()
        try:
            with urllib.request.urlopen(line.split()[-1], timeout=10) as page:
                assert b"Fortune" in page.read()
        finally:
            process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.stderr.read() == ""
    assert "Stopped. Games are saved." in rest
    assert process.returncode == 0


def test_serve_on_a_port_in_use(cli: Cli, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = cli("serve", "--host", "127.0.0.1", "--port", port, "--database", f"sqlite:///{tmp_path}/games.db")
    assert done.status == 5
    assert f"Port {port}" in done.err
    assert "in use" in done.err


@pytest.mark.parametrize("database", ["postgresql://stranger@127.0.0.1:1/none", "sqlite:////proc/none/games.db"])
def test_serve_without_its_database(cli: Cli, database: str) -> None:
    done = cli("serve", "--host", "127.0.0.1", "--port", "0", "--database", database)
    assert done.status == 6, done.err
    assert done.err.count("\n") == 1
