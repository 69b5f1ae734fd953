"""Names in the package mean one thing: no function hides a module."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from types import ModuleType

import parlour

OTHERS = ("parlour.__main__", "parlour.table.migrations")  # run, not imported; read by Alembic


def test_a_games_rules_can_be_imported_by_their_name() -> None:
    code = "import parlour, parlour.games.fortune.rules as r; assert r.PLAYERS == (2, 4); print(*parlour.all_games())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "fortune" in done.stdout.split()


def test_nothing_in_a_package_hides_a_module_of_the_same_name() -> None:
    modules = [
        module.name
        for module in pkgutil.walk_packages(parlour.__path__, "parlour.")
        if not module.name.startswith(OTHERS)
    ]
    assert len(modules) > 100
    hidden = []
    for name in modules:
        importlib.import_module(name)
        package, _, last = name.rpartition(".")
        if not isinstance(getattr(importlib.import_module(package), last), ModuleType):
            hidden.append(name)
    assert hidden == []
