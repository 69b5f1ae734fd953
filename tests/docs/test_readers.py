"""The short programs of the site: for each reader (docs/site) and for people who know another library (docs/from)."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READERS = {"play": 1, "study": 1, "research": 2, "make": 1}  # page -> its programs in Python
PEERS = {
    "open-spiel": "pyspiel", "pettingzoo": "pettingzoo", "pgx": "pgx", "pufferlib": "pufferlib",
    "python-chess": "chess", "boardgame-io": "", "bga-studio": "",
}  # fmt: skip
MOST = 15  # lines of a program, without blank ones
ALONE = "The tests run our side alone"
ELSEWHERE = {"pufferlib": "tests/adapters/test_pufferlib.py"}  # in no lock: that test runs the program where it is


def page(name: str) -> str:
    folder = "site" if name in {*READERS, "host"} else "from"
    return (ROOT / f"docs/{folder}/{name}.md").read_text("utf-8")


def programs(name: str, language: str = "python") -> list[str]:
    """Return the programs of a page."""
    return re.findall(rf"^```{language}\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)


def test_each_page_is_listed_here() -> None:
    assert {file.stem for file in (ROOT / "docs/from").glob("*.md")} == set(PEERS)
    written = {file.stem for file in (ROOT / "docs/site").glob("*.md") if "```" in file.read_text("utf-8")}
    assert written == {*READERS, "host"}


@pytest.mark.parametrize("name", [*READERS, "host", *PEERS])
def test_a_program_has_at_most_fifteen_lines(name: str) -> None:
    found = programs(name) + programs(name, "sh")
    assert len(programs(name)) == READERS.get(name, 0 if name == "host" else 2 if name == "pettingzoo" else 1)
    assert [len([line for line in one.splitlines() if line.strip()]) for one in found if one] != []
    assert max(len([line for line in one.splitlines() if line.strip()]) for one in found) <= MOST


@pytest.mark.parametrize("name", PEERS)
def test_a_page_says_so_where_the_peer_does_not_run(name: str) -> None:
    """A peer that is imported in the program runs beside ours in this suite, or where it is installed."""
    peer = PEERS[name]
    if name in ELSEWHERE:
        assert "The tests run the program where" in " ".join(page(name).split())
        assert f"docs/from/{name}.md" in (ROOT / ELSEWHERE[name]).read_text("utf-8")
        return
    imported = bool(peer) and any(re.search(rf"^(?:import|from) {peer}\b", one, re.M) for one in programs(name))
    assert imported == (ALONE not in " ".join(page(name).split()))
    assert not imported or find_spec(peer)


@pytest.mark.filterwarnings(
    "ignore::UserWarning"
)  # PettingZoo's test warns of what its own games do: dicts with a mask
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.whole if name == "study" else ())
        for name in (*READERS, *PEERS)
        if name not in ELSEWHERE
    ],
)
def test_the_programs_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for program in programs(name):
        random.seed(1)
        exec(program, {"__name__": "program"})
    assert capsys.readouterr().out


def shell(script: str, folder: Path) -> str:
    """Return the output of a script, in which `parlour` is this checkout's."""
    bin = folder / "bin"
    bin.mkdir()
    (bin / "parlour").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m parlour "$@"\n')
    (bin / "parlour").chmod(0o755)
    env = {**os.environ, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    bash = shutil.which("bash") or pytest.skip("this machine has no bash")
    done = subprocess.run(
        [bash, "-euo", "pipefail", "-c", script], cwd=folder, env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.whole
@pytest.mark.slow
def test_a_house_is_tried_as_its_page_says(tmp_path: Path) -> None:
    (script,) = programs("host", "sh")
    assert "--port 8080" in script
    said = shell(script.replace("--port 8080", "--port 0").replace("\nwait\n", "\nwait || true\n"), tmp_path)
    assert "http://" in said
    assert (tmp_path / "monday.db").stat().st_size > 10_000


@pytest.mark.whole
def test_a_game_is_made_as_its_page_says(tmp_path: Path) -> None:
    (script,) = programs("make", "sh")
    said = shell(script, tmp_path)
    assert "Passed" in said
    assert "my_game" in said
