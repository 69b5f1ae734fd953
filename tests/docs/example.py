"""The game of examples/, installed as its author would have it installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
BEZEL = ROOT / "examples" / "bezel"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def install_bezel(folder: Path) -> tuple[Path, Path]:
    """Have pip install it into a fresh environment in `folder`; the Python of that, and the place of its packages."""
    made = folder / "venv"
    subprocess.run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, BEZEL], check=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(made, symlinks=os.name != "nt")
    base = {"base": str(made), "platbase": str(made)}
    python = Path(sysconfig.get_path("scripts", "venv", base)) / ("python.exe" if os.name == "nt" else "python")
    subprocess.run([*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel], check=True)
    return python, Path(sysconfig.get_path("purelib", "venv", base))
