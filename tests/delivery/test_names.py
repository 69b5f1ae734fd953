"""Names in the package mean one thing: no function hides a module. Functions and files stay small enough to read."""

from __future__ import annotations

import ast
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
MOST_PARAMETERS = 8
OPTIONS = "its parameters are the options of a command, and a command-line option is a parameter"
MEASURED = "through one structure, search went to 0.89 of its rate"
BOUNDARY = "one structure of arrays costs 2 % of a step of 1,024 lanes on its way from Python"
MANY = {  # function -> why it has more parameters
    "parlour/bots/simulation.py simulate": "`parlour.simulate`, which people call with keywords",
    "parlour/cli/arena.py arena": OPTIONS,
    "parlour/cli/serve.py serve": OPTIONS,
    "parlour/cli/bench.py bench": OPTIONS,
    "parlour/cli/simulate.py simulate": OPTIONS,
    "parlour/cli/stats.py stats": OPTIONS,
    "parlour/core/match.py __init__": "what a table can be set up with, by name; `self` is the ninth",
    "parlour/engine/drivers.py end_lane": "what `step_lanes` has",
    "parlour/engine/drivers.py random_step_lanes": BOUNDARY,
    "parlour/engine/drivers.py step_lanes": BOUNDARY,
    "parlour/engine/search.py run": MEASURED,
    "parlour/engine/search.py _children": MEASURED,
}
MOST_LINES = 500
OTHERS = ("parlour.__main__", "parlour.house.database.migrations")  # run, not imported; read by Alembic


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
    told = {
        file.relative_to(PACKAGE).as_posix(): found.group()
        for file in files
        if (found := pattern.search(file.read_text("utf-8")))
    }
    assert told == {}


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


def parameters(source: str) -> dict[str, int]:
    """How many parameters each function in `source` has, `self`, `*args` and `**kwargs` counted; of functions with the
    same name the most."""
    found: dict[str, int] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = node.args
            number = len([*given.posonlyargs, *given.args, *given.kwonlyargs])
            number += (given.vararg is not None) + (given.kwarg is not None)
            name = "lambda" if isinstance(node, ast.Lambda) else node.name
            found[name] = max(number, found.get(name, 0))
    return found


def test_every_parameter_is_counted() -> None:
    source = "class A:\n async def f(self, a, /, b, *c, d=0, **e): ...\n def g(x): return lambda y: y\n def g(): ..."
    assert parameters(source) == {"f": 6, "g": 1, "lambda": 1}


def test_no_function_has_more_parameters_than_one_can_keep_apart() -> None:
    """A function that needs more takes a structure, or is listed here with the reason; the list has no others."""
    found = {
        f"{file.relative_to(PACKAGE.parent).as_posix()} {name}"
        for file in PACKAGE.rglob("*.py")
        for name, number in parameters(file.read_text("utf-8")).items()
        if number > MOST_PARAMETERS
    }
    assert found == set(MANY)


def test_no_file_is_longer_than_one_can_keep_in_mind() -> None:
    kinds = {".py", ".js", ".css", ".html", ".mako"}
    files = [file for file in PACKAGE.rglob("*") if file.suffix in kinds]
    assert len(files) > 300
    lines = {file.relative_to(PACKAGE).as_posix(): len(file.read_text("utf-8").splitlines()) for file in files}
    assert {name: number for name, number in lines.items() if number > MOST_LINES} == {}
