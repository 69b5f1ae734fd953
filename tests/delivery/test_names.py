"""Names in the package mean one thing: no function hides a module, and no other part names a game."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import parlour
from parlour.core.clauses import clauses

PACKAGE = Path(parlour.__file__).parent
FLOORS = ("core", "engine", "bots", "analysis", "conformance", "house", "cli")
SETUP = "rules.setup"  # a game's file for `setup`, which the contract names: no code needs the module itself
OTHERS = (  # run, not imported; read by Alembic; needs what only its extra brings
    "parlour.__main__", "parlour.house.database.migrations", "parlour.analysis.ray",
    "parlour.pufferlib",
)  # fmt: skip


def test_a_games_rules_can_be_imported_by_their_name() -> None:
    code = "import parlour, parlour.games.fortune.rules as r; assert r.N_CARDS == 13; print(*parlour.all_games())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "fortune" in done.stdout.split()


def names_of_games() -> re.Pattern[str]:
    """Every game as its folder, the command line, a package or its title has it, and the numbers of its clauses."""
    games = parlour.all_games()
    texts = [text for name, game in games.items() for text in (name, game.text.TITLE)]
    names = {r"[\W_]+".join(re.split(r"[\W_]+", text.lower())) for text in texts}
    names |= {rf"{number.partition('-')[0]}[-_ ]?\d+" for game in games.values() for number in clauses(game)}
    return re.compile(rf"(?<![^\W_])({'|'.join(sorted(names))})(?![^\W_])", re.IGNORECASE)


@pytest.mark.parametrize("floor", FLOORS)
def test_nothing_outside_a_games_folder_names_one(floor: str) -> None:
    """A game may come from anywhere, so no other part may know it: neither code nor words, nor its clauses."""
    pattern = names_of_games()
    files = [file for file in (PACKAGE / floor).rglob("*") if file.suffix in {".py", ".js", ".css", ".html", ".mako"}]
    assert files
    named = {
        file.relative_to(PACKAGE).as_posix(): found.group()
        for file in files
        if (found := pattern.search(file.read_text("utf-8")))
    }
    assert named == {}


def test_the_names_of_games_are_seen_however_they_are_written() -> None:
    pattern = names_of_games()
    for text in (
        "Of Fortune:",
        "parlour.games.aces_and_faces",
        'find("family-trade")',
        "Facets of Fortune",
        "_gatsby_",
        "(FT-26)",
        "test_fo_06_dice",
    ):
        assert pattern.search(text), text
    assert not pattern.search("unfortunately, places and faces")


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
        found = getattr(importlib.import_module(package), last)
        if not isinstance(found, ModuleType) and not name.endswith(f".{SETUP}"):
            hidden.append(name)
    assert hidden == []
