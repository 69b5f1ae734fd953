"""docs/run-a-house.md: its commands work, and what they name is there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import yaml

from tests.table.restarts import House

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/run-a-house.md").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
BLOCKS = [code for kind, code in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.M | re.S) if not kind]
OURS = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]
ROOTS = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("# ")]
PROGRAMS = {
    "git", "/opt/parlour/scripts/install", "useradd", "echo", "cp", "systemctl", "apt-get", "chmod", "docker",
    "journalctl", "cd",
}  # fmt: skip


@dataclass
class Open:
    """A house that is open, with a table in it."""

    house: House
    table: str
    folder: Path


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    folder = tmp_path_factory.mktemp("house")
    house = House(folder)
    with subprocess.Popen(house.command, stdout=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + 60
            while True:
                try:
                    if httpx.get(f"{house.url}/health").status_code == 200:
                        break
                except httpx.HTTPError:
                    assert time.monotonic() < end
                time.sleep(0.1)
            seats = [{"kind": "me"}, {"kind": "here", "name": "Bob"}]
            made = httpx.post(f"{house.url}/api/tables", json={"game": "fortune", "seats": seats}).json()
            yield Open(house, made["id"], folder)
        finally:
            process.kill()


def test_every_block_is_run_or_read() -> None:
    assert len(OURS) >= 10
    assert len(ROOTS) >= 15
    assert [line for block in BLOCKS for line in block.splitlines() if line[:2] not in ("$ ", "# ")] == []


@pytest.mark.slow
def test_what_it_says_works(opened: Open) -> None:
    """Every command of an operator, one after the other, as they would type them, while the house is open."""
    script = "\n".join(["set -e", *OURS]).replace(":8000", f":{opened.house.port}")
    free = House(opened.folder).port
    script = script.replace("--port 8001", f"--port {free}").replace(":8001", f":{free}")
    environment = {
        **os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "NO_COLOR": "1",
        "PARLOUR_DATABASE": f"sqlite:///{opened.house.database}", "NEW_DATABASE": "sqlite:///new.db",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", script], cwd=opened.folder, env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count('{"ready":true}') == 2  # the house, and the drill
    assert "parlour_moves_total" in done.stdout
    assert re.search(r"^monday\.db holds 1 tables? with \d+ steps?", done.stdout, re.M)
    assert re.search(r"^Restored: 1 tables? with", done.stdout, re.M)
    assert re.search(r"^Moved: 1 tables? with", done.stdout, re.M)
    assert done.stdout.count("A new key signs now.") == 2
    assert (opened.folder / "new.db").exists()


@pytest.mark.parametrize("line", ROOTS)
def test_what_needs_root_names_what_is_there(line: str) -> None:
    words = shlex.split(line.replace("$(", "").replace(")", ""))
    assert words[0] in PROGRAMS
    for path in re.findall(r"/opt/parlour/(\S+)", line):
        assert (ROOT / path).exists(), path
    if words[:2] == ["docker", "compose"]:
        named = [word.partition(":")[0] for word in words if word.startswith("parlour-")]
        assert set(named) <= set(COMPOSE["services"])
        if "exec" in words:
            command = words[words.index(named[0]) + 1 :]
            told = subprocess.run([sys.executable, "-m", *command[:-1], "--help"], capture_output=True, text=True)
            assert told.returncode == 0, told.stderr
    for unit in re.findall(r"(?:systemctl \w+(?: --now)?|--unit) (\w+)", line):
        assert unit == "caddy" or (ROOT / f"deploy/{unit}.service").exists()


def test_what_is_watched_is_counted(opened: Open) -> None:
    counted = httpx.get(f"{opened.house.url}/metrics").text
    names = set(re.findall(r"`((?:parlour|process)_\w+)`", PAGE)) - {"parlour_redis_up"}  # only where there is Redis
    assert len(names) > 10
    assert {name for name in names if not re.search(rf"^# TYPE {name} ", counted, re.M)} == set()
    (block,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)
    (job,) = yaml.safe_load(block)["scrape_configs"]
    assert job["static_configs"][0]["targets"] == ["127.0.0.1:8000"]


def test_every_variable_and_option_that_it_names_is_one() -> None:
    help_ = subprocess.run(
        [sys.executable, "-m", "parlour", "serve", "--help"], capture_output=True, text=True,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    ).stdout  # fmt: skip
    asked = {option for option in re.findall(r"`(--[a-z-]+)", PAGE) if option not in ("--accept-days",)}
    assert asked
    assert {option for option in asked if option not in help_} == set()
    for name in re.findall(r"`(PARLOUR_\w+)`", PAGE):
        assert name in help_ or name in ("PARLOUR_HOST",), name
    assert json.dumps({"ready": True}) in PAGE
