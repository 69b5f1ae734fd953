"""The wheel holds all that Parlour needs, and works from where it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT], check=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.slow
def test_wheel_holds_every_file(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    folder = ROOT / "parlour"
    ours = {
        path.relative_to(ROOT).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }
    assert ours - inside == set()
    for kind in ("editions/shafir-35.toml", "rulebook.md", "art.svg", ".html", ".js", ".css", "migrations/env.py"):
        assert any(name.endswith(kind) for name in inside), f"no {kind} in the wheel"
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in inside)


@pytest.mark.whole
@pytest.mark.slow
def test_wheel_works_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", symlinks=os.name != "nt")
    python = tmp_path / "venv/bin/python"
    subprocess.run([*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel], check=True)
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": sysconfig.get_path("purelib")}  # what Parlour needs, not Parlour

    def run(*command: str | Path) -> str:
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout

    said = run(python, "-c", "import parlour; print(parlour.__file__, parlour.new('fortune', seed=7).legal_actions())")
    assert str(tmp_path) in said
    assert "stop" in said
    assert "FO-18" in run(tmp_path / "venv/bin/parlour", "rules", "fortune", "FO-18")
    assert "Tests are not installed" in run(tmp_path / "venv/bin/parlour", "rules", "--coverage")
    assert run(tmp_path / "venv/bin/parlour", "--version").startswith("parlour ")
    assert "  ok     first steps\n" in run(tmp_path / "venv/bin/parlour", "check", "gatsby", "--seconds", "1")
