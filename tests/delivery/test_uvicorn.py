"""The versions of uvicorn whose private names the door may use: pyproject.toml bounds them, scripts/uvicorn tests both
ends."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = map(Requirement, PROJECT["optional-dependencies"]["table"])
(ALLOWED,) = (one.specifier for one in NEEDED if one.name == "uvicorn")
BOUNDS = {one.operator: one.version for one in ALLOWED}


def test_its_versions_are_bounded_on_both_sides() -> None:
    assert BOUNDS.keys() == {">=", "<"}
    assert metadata.version("uvicorn") in ALLOWED
    for lock in ("run", "dev"):
        (locked,) = re.findall(r"^uvicorn==(\S+)", (ROOT / f"requirements/{lock}.txt").read_text("utf-8"), re.MULTILINE)
        assert locked in ALLOWED


def test_the_script_runs_the_tests_with_the_lowest_and_with_the_newest(tmp_path: Path) -> None:
    """With a Python that only notes what it is asked to do, and fails the first tests."""
    calls, python = tmp_path / "calls", tmp_path / ".venv/bin/python"
    for folder in (python.parent, tmp_path / "scripts"):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copy(ROOT / "scripts/uvicorn", tmp_path / "scripts")
    (tmp_path / "scripts/install").write_text("#!/bin/sh\n")
    python.write_text(
        f'#!/bin/sh\necho "${{PYTHONPATH#$PWD/}} $*" >>{calls}\n'
        f'case $* in *pytest*) [ "$(grep -c pytest {calls})" = 2 ] ;; *__version__*) echo 1.2.3 ;; esac\n'
    )
    for program in (python, tmp_path / "scripts/install"):
        program.chmod(0o755)
    done = subprocess.run(["scripts/uvicorn", "-k", "it"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "== uvicorn 1.2.3\n== uvicorn 1.2.3\n", "")
    noted = calls.read_text()
    installed = re.findall(r"install --no-deps --target (\S+) uvicorn(\S+)\n", noted)
    tested = re.findall(r"^(\S+) -m pytest -q ((?:\S+\.py )+)-k it$", noted, re.MULTILINE)
    assert [version for _, version in installed] == [f"=={BOUNDS['>=']}", f">={BOUNDS['>=']},<{BOUNDS['<']}"]
    assert [place for place, _ in tested] == [place for place, _ in installed]
    assert all((ROOT / file).is_file() for _, files in tested for file in files.split())
