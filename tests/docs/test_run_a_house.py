"""docs/run-a-house.md: its commands work, and what they name is there."""

from __future__ import annotations

import asyncio
import getpass
import grp
import json
import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import yaml

from parlour.cli.app import run
from tests.cli.conftest import Cli, cli
from tests.house.receiving import mail_server
from tests.house.restarts import House
from tests.house.serving import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/run-a-house.md").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
BLOCKS = [code for kind, code in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.M | re.S) if not kind]
OURS = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]
ROOTS = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("# ")]
PROGRAMS = {
    "git", "/opt/parlour/scripts/install", "useradd", "echo", "cp", "systemctl", "apt-get", "chmod", "docker",
    "journalctl", "cd", "mkdir", "mv", "parlour",
}  # fmt: skip

__all__ = ["cli"]


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


def installed(opened: Open) -> dict[str, str]:
    """Put `deploy/parlour` where the page puts it, on this machine's folders; return all that a keeper's shell has."""
    script = (ROOT / "deploy/parlour").read_text("utf-8")
    settings, places = opened.folder / "parlour.env", opened.folder / "bin"
    there = {
        "program=/opt/parlour/.venv/bin/parlour": f"program='{Path(sys.executable).with_name('parlour')}'",
        "settings=/etc/parlour.env": f"settings={settings}",
        "house=/var/lib/parlour": f"house={opened.house.database.parent}",
        "cache=/var/cache/parlour": f"cache={opened.folder / 'cache'}",
        "user=parlour": f"user={getpass.getuser()}",
    }
    for old, new in there.items():
        assert script.count(old + "\n") == 1
        script = script.replace(old, new)
    places.mkdir(exist_ok=True)
    (places / "parlour").write_text(script)
    (places / "parlour").chmod(0o755)
    settings.write_text("# the house\nPARLOUR_HOST=games.example\nQUOTED='a $(touch /tmp/never) b'\n")
    return {"PATH": f"{places}:/usr/local/bin:/usr/bin:/bin", "HOME": "/nowhere"}


def service_database(opened: Open) -> str:
    """Return the database that the unit uses, as it leaves it to PARLOUR_DATA."""
    unit = (ROOT / "deploy/parlour.service").read_text("utf-8")
    assert "PARLOUR_DATA=/var/lib/parlour " in unit
    assert "--database" not in unit
    return f"sqlite:///{opened.folder / 'parlour.db'}"


@pytest.mark.slow
def test_what_it_says_works(opened: Open, size: Callable[[int, int], int]) -> None:
    """Every command of an operator, one after the other, as they would type them, while the house is open. What the
    page does not set is not set. The suite runs those up to the drill."""
    whole = size(0, 1)
    postgresql = "postgresql://parlour:PASSWORD@localhost/parlour"
    drill = next(number for number, line in enumerate(OURS) if line.startswith("parlour serve "))
    script = "\n".join(["set -e", *OURS[: size(drill, len(OURS))]]).replace(":8000", f":{opened.house.port}")
    free = House(opened.folder).port
    script = script.replace("--port 8001", f"--port {free}").replace(":8001", f":{free}")
    assert (postgresql in script) == whole
    script = script.replace(postgresql, "sqlite:///new.db").replace("/var/lib/parlour", str(opened.folder))
    done = subprocess.run(
        ["bash", "-c", script], cwd="/", env=installed(opened), capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count('{"ready":true}') == 1 + whole  # the house, and the drill
    assert "parlour_moves_total" in done.stdout
    assert re.search(r"^monday\.db contains 1 tables? with \d+ steps?", done.stdout, re.M)
    assert re.search(r"^Restored: 1 tables? with", done.stdout, re.M)
    for name in ("monday.db", "new.db" if whole else "drill.db"):
        assert (opened.folder / name).stat().st_mode & 0o077 == 0
    if not whole:
        return
    assert re.search(r"^Moved: 1 tables? with", done.stdout, re.M)
    assert done.stdout.count("A new key signs cookies now.") == 2
    assert f"Source: {service_database(opened)}\n" in done.stdout
    assert "https://games.example/house/enter/" in done.stdout


@pytest.mark.whole
def test_containers_are_backed_up_and_restored_through_a_pipe(opened: Open, tmp_path: Path) -> None:
    """What `docker compose` would run in them is run here, with the pipes of the page: `/tmp` is never copied from."""
    lines = [line for line in ROOTS if " sh -c " in line]
    backup, restore = (re.search(r"sh -c '.*", line) for line in lines)
    assert backup
    assert restore
    surroundings = {**installed(opened), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    for command, database in ((backup[0], opened.house.database), (restore[0], tmp_path / "restored.db")):
        done = subprocess.run(
            ["bash", "-c", command.replace("/tmp/backup.db", str(tmp_path / "inside.db"))], cwd=tmp_path,
            env={**surroundings, "PARLOUR_DATABASE": f"sqlite:///{database}"}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        (tmp_path / "inside.db").unlink(missing_ok=True)  # the next container has a /tmp of its own
    assert "Restored: 1 table" in done.stdout
    assert not any(" cp " in line for line in ROOTS if line.startswith("docker"))


def test_the_commands_of_an_operator_need_the_settings_of_the_house(opened: Open) -> None:
    """Without them the wrong database would be opened, and no one would notice."""
    surroundings = installed(opened)
    (opened.folder / "parlour.env").unlink()
    done = subprocess.run(["parlour", "house", "times"], env=surroundings, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "parlour.env cannot be read" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_what_root_writes_belongs_to_the_service(tmp_path: Path) -> None:
    """A restore that left a file of root's would lock the service out."""
    house, program, settings = tmp_path / "house", tmp_path / "program", tmp_path / "settings"
    house.mkdir()
    shutil.chown(house, "daemon")
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(folder.stat().st_mode | 0o055)
    program.write_text('#!/bin/sh\nid -un; pwd; echo "$PARLOUR_HOST $PARLOUR_DATA $1"; touch written\n')
    program.chmod(0o755)
    settings.write_text('# a comment\nPARLOUR_HOST="games.example"\nPARLOUR_MAIL=smtp://a:b&c`id`@m\n')
    group = grp.getgrgid(pwd.getpwnam("daemon").pw_gid).gr_name
    script = (ROOT / "deploy/parlour").read_text("utf-8").replace("/opt/parlour/.venv/bin/parlour", str(program))
    script = script.replace("/etc/parlour.env", str(settings)).replace("/var/lib/parlour", str(house))
    script = script.replace("user=parlour", "user=daemon").replace('--regid="$user"', f"--regid={group}")
    done = subprocess.run(["sh", "-c", script, "parlour", "first"], cwd="/root", capture_output=True, text=True)
    assert done.stdout.splitlines() == ["daemon", str(house), f"games.example {house} first"], done.stderr
    assert ((house / "written").owner(), (house / "written").stat().st_mode & 0o777) == ("daemon", 0o600)


def test_the_service_and_the_operator_have_one_house() -> None:
    """The unit and the script name the same program, user, folders and settings."""
    unit, script = ((ROOT / "deploy" / name).read_text("utf-8") for name in ("parlour.service", "parlour"))
    named = dict(re.findall(r"^(\w+)=(/\S+|parlour)$", script, re.M))
    assert f"ExecStart={named['program']} serve" in unit
    assert f"EnvironmentFile={named['settings']}\n" in unit
    assert f"Environment=PARLOUR_DATA={named['house']} PARLOUR_CACHE={named['cache']} " in unit
    assert f"User={named['user']}\n" in unit
    for name in ("parlour", "parlour.service"):
        assert any(f"/opt/parlour/deploy/{name} /" in line for line in ROOTS)


async def test_a_test_email_arrives_or_says_why_not(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    async with mail_server() as letters:
        surroundings = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PARLOUR_HOST": "games.example",
                        "PARLOUR_MAIL_FROM": "parlour@games.example"}  # fmt: skip

        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "parlour", "house", "test-mail", "you@example.org",
            env={**surroundings, "PARLOUR_MAIL": letters.url}, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        out, _ = await process.communicate()
        assert (process.returncode, "accepted a test email to you@example.org" in out.decode()) == (0, True), out
        assert len(letters.got) == 1
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    for mail, why in ((f"smtp://127.0.0.1:{free_port()}", "didn't accept the email"), ("", "No mail server is set")):
        monkeypatch.setenv("PARLOUR_MAIL", mail)
        done = await asyncio.to_thread(cli, "house", "test-mail", "you@example.org")
        assert (done.status, why in done.err) == (1, True), done.err


@pytest.mark.parametrize("line", ROOTS)
def test_what_needs_root_names_what_is_there(line: str) -> None:
    words = shlex.split(line.replace("$(", "").replace(")", ""))
    assert words[0] in PROGRAMS
    for path in re.findall(r"/opt/parlour/(\S+)", line):
        assert (ROOT / path).exists(), path
    if words[:2] == ["docker", "compose"]:
        named = [word.partition(":")[0] for word in words if word.startswith("parlour-")]
        assert set(named) <= set(COMPOSE["services"])
        service = next((word for word in words if word in COMPOSE["services"]), "")
        if {"exec", "run"} & {*words}:
            assert service
        command = words[words.index(service) + 1 :] if service else []
        if command[:1] == ["parlour"]:
            assert run([*command[1:-1], "--help"]) == 0
    if words[0] == "parlour":
        assert run([*words[1:3], "--help"]) == 0
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


def test_every_variable_and_option_that_it_names_is_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    help_ = cli("serve", "--help").out
    asked = {option for option in re.findall(r"`(--[a-z-]+)", PAGE) if option not in ("--accept-days",)}
    assert asked
    assert {option for option in asked if option not in help_} == set()
    for name in re.findall(r"`(PARLOUR_\w+)`", PAGE):
        assert name in help_ or name in ("PARLOUR_HOST",), name
    assert json.dumps({"ready": True}) in PAGE
