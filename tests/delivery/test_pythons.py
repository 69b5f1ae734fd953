"""Wheel and sdist on every Python that Parlour is for, and that this machine has: the long form of test_wheel.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")


def python(version: str) -> str | None:
    """Return a Python of this version: from the path, or one that pyenv has."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    places = [shutil.which(f"python{version}"), *map(str, sorted(home.glob(f"versions/{version}.*/bin/python")))]
    code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    for place in filter(None, places):
        done = subprocess.run([place, "-c", code], capture_output=True, text=True)
        if done.stdout.strip() == version:
            return place
    return None


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is made from it."""
    folder = tmp_path_factory.mktemp("built")
    code = (
        "import sys; from hatchling.build import build_sdist, build_wheel; "
        "print(build_sdist(sys.argv[1]) if sys.argv[2] == 'sdist' else build_wheel(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, folder, "sdist"], cwd=ROOT, check=True)
    (sdist,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(sdist, folder)
    unpacked = folder / sdist.name.removesuffix(".tar.gz")
    subprocess.run([sys.executable, "-c", code, folder, "wheel"], cwd=unpacked, check=True)
    return folder


@pytest.mark.whole
@pytest.mark.parametrize("version", VERSIONS)
def test_it_installs_and_works(version: str, built: Path, tmp_path: Path) -> None:
    """The wheel that was made from the sdist, with the packages of the library alone, in a place with an odd name.

    At run time there is no network, no home and no cache that could be written.
    """
    if not (found := python(version)):
        pytest.skip(f"this machine has no Python {version} with venv")
    place = tmp_path / "ein Ort, été"
    place.mkdir()
    subprocess.run([found, "-m", "venv", place / "venv"], check=True)
    own = place / "venv/bin/python"
    (wheel,) = built.glob("*.whl")
    done = subprocess.run([own, *PIP, "install", wheel], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for path in (place / "venv").rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
    work = place / "hier"
    work.mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": "/dev/null/home", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [own, ROOT / "tests/delivery/smoke.py", place]
    done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"ok {version}.")


@pytest.mark.whole
def test_every_extra_can_be_installed(built: Path, tmp_path: Path) -> None:
    """`parlour[table]` as its users get it: a house opens, and its commands work."""
    venv.create(tmp_path / "venv", with_pip=True)
    own = tmp_path / "venv/bin/python"
    (wheel,) = built.glob("*.whl")
    subprocess.run([own, *PIP, "install", f"{wheel}[table]"], check=True)
    done = subprocess.run([own, "-m", "parlour", "serve", "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    code = "import parlour.house.app, parlour.house.serve, parlour.analysis.skill; print('ok')"
    done = subprocess.run([own, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "ok\n", done.stderr
