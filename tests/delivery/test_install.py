"""scripts/install: what it says where it cannot work, and that it does nothing when nothing has changed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "env", "dirname", "cat", "cmp", "grep", "rm", "awk")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the script, what it reads, and a `bin` with the few programs every system has."""
    for name in ("scripts/install", "pyproject.toml", "requirements/run.txt", "requirements/dev.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or pytest.fail(f"{tool} is missing"))
    return tmp_path


def install(checkout: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": str(checkout / "bin"), "HOME": str(checkout)} | more
    return subprocess.run(["scripts/install", *arguments], cwd=checkout, env=env, capture_output=True, text=True)


def python(checkout: Path, name: str, script: str) -> None:
    (checkout / "bin" / name).write_text(f"#!/usr/bin/env bash\n{script}\n")
    (checkout / "bin" / name).chmod(0o755)


def test_no_python(checkout: Path) -> None:
    done = install(checkout)
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed and was not found" in done.stderr
    assert not (checkout / ".venv").exists()


def test_python_too_old(checkout: Path) -> None:
    # The interpreter as it is, but for the version that it tells.
    python(
        checkout,
        "python3",
        f"exec '{sys.executable}' -c 'import sys; sys.version_info = (3, 9); exec(sys.argv[1])' \"$2\"",
    )
    done = install(checkout)
    assert done.returncode == 1
    assert "was not found" in done.stderr


def test_chosen_python_is_not_one(checkout: Path) -> None:
    done = install(checkout, PYTHON="/nowhere/python")
    assert done.returncode == 1
    assert "PYTHON=/nowhere/python is not a Python 3.11 or newer" in done.stderr


def test_python_without_ensurepip(checkout: Path) -> None:
    (checkout / "hidden").mkdir()
    (checkout / "hidden/ensurepip.py").write_text("raise ImportError\n")
    python(checkout, "python3", f'PYTHONPATH="$HOME/hidden" exec "{sys.executable}" "$@"')
    done = install(checkout)
    assert done.returncode == 1
    assert f"apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv" in done.stderr


@pytest.mark.parametrize(("optimised", "taken"), [("python3", "python3"), ("", "python3.11")])
def test_an_optimised_python_is_preferred(checkout: Path, optimised: str, taken: str) -> None:
    for name in ("python3.11", "python3"):
        built = f'[[ $2 == *CONFIG_ARGS* ]] && exit {int(name != optimised)}\n[[ $1 == -m ]] && echo "{name}" && exit 3'
        python(checkout, name, f'{built}\nexec "{sys.executable}" "$@"')
    done = install(checkout)
    assert (done.returncode, done.stdout) == (3, f"{taken}\n")


def test_unknown_argument(checkout: Path) -> None:
    done = install(checkout, "everything")
    assert done.returncode == 2
    assert "usage: scripts/install [run|dev]" in done.stderr


def test_nothing_changed_is_quick(checkout: Path) -> None:
    # A python that cannot work shows that it is not asked.
    (checkout / ".venv/bin").mkdir(parents=True)
    python(checkout, "../.venv/bin/python", "exit 1")
    stamp = (
        f"{checkout}\n" + (checkout / "pyproject.toml").read_text() + (checkout / "requirements/run.txt").read_text()
    )
    (checkout / ".venv/installed-run").write_text(stamp)
    started = time.monotonic()
    done = install(checkout, "run", PYTHON="/nowhere/python")
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - started < 1


def test_a_folder_that_was_moved_is_installed_anew(checkout: Path) -> None:
    test_nothing_changed_is_quick(checkout)
    moved = checkout.rename(checkout.with_name("moved"))
    done = install(moved, "run", PYTHON="/nowhere/python")
    assert done.returncode == 1
    assert "/nowhere/python" in done.stderr


def test_a_lock_that_changed_is_installed(checkout: Path) -> None:
    test_nothing_changed_is_quick(checkout)
    with (checkout / "requirements/run.txt").open("a") as lock:
        lock.write("# changed\n")
    assert "/nowhere/python" in install(checkout, "run", PYTHON="/nowhere/python").stderr


def test_nothing_is_installed_outside_the_folder(checkout: Path) -> None:
    # .venv/bin/python is a Python that works and is not a venv's: it must not be given to pip.
    (checkout / ".venv/bin").mkdir(parents=True)
    (checkout / ".venv/bin/python").symlink_to(sys.base_prefix + "/bin/python3")
    done = install(checkout, "run", PYTHON="/nowhere/python")
    assert done.returncode == 1
    assert "/nowhere/python" in done.stderr
    assert "installing" not in done.stderr


@pytest.mark.parametrize(
    ("version", "taken"), [("20.19.0", True), ("22.12.1", True), ("22.11.0", False), ("18.20.4", False)]
)
def test_node_js_of_the_machine_is_taken_if_it_is_new_enough(checkout: Path, version: str, taken: bool) -> None:
    """Otherwise PyPI's, which needs a Python that this checkout does not find."""
    node = shutil.which("node") or pytest.skip("this machine has no Node.js")
    shutil.copy(ROOT / "scripts/node", checkout / "scripts/node")
    script = f'Object.defineProperty(process.versions, "node", {{ value: "{version}" }});'
    python(checkout, "node", f"exec {node} -e '{script}'\"$2\"")
    python(checkout, "npm", "echo npm was called with $1")
    env = {"PATH": str(checkout / "bin"), "HOME": str(checkout)}
    done = subprocess.run(["scripts/node", "npm", "ci"], cwd=checkout, env=env, capture_output=True, text=True)
    assert (done.stdout == "npm was called with ci\n") == taken
    assert ("Python 3.11 or newer is needed" in done.stderr) != taken
