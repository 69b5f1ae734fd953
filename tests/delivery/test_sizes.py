"""Functions and files stay small enough to read: lines of a function, lines of a file, parameters of a function."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import parlour

PACKAGE = Path(parlour.__file__).parent
ROOT = Path(__file__).parents[2]
MOST_LINES = 450  # of a file of the package
FOLDERS = ("parlour", "tests", "examples", "benchmarks")
MOST_IN_FUNCTION = 70  # lines, from `def` to the last, docstring included; without exception
MOST_PARAMETERS = 8
OPTIONS = "its parameters are the options of a command, and a command-line option is a parameter"
MEASURED = "through one structure, search went to 0.89 of its rate"
MANY = {  # function -> why it has more parameters
    "parlour/bots/simulation.py simulate": "`parlour.simulate`, which people call with keywords",
    "parlour/cli/analyse.py analyse": OPTIONS,
    "parlour/cli/arena.py arena": OPTIONS,
    "parlour/cli/calibrate.py calibrate": OPTIONS,
    "parlour/cli/compare.py compare": OPTIONS,
    "parlour/cli/play.py play": OPTIONS,
    "parlour/cli/puzzles.py mine": OPTIONS,
    "parlour/cli/train.py train": OPTIONS,
    "parlour/cli/regret.py regret": OPTIONS,
    "parlour/cli/report.py report": OPTIONS,
    "parlour/cli/serve.py serve": OPTIONS,
    "parlour/cli/simulate.py simulate": OPTIONS,
    "parlour/cli/stats.py stats": OPTIONS,
    "parlour/cli/sweep.py sweep": OPTIONS,
    "parlour/cli/tune.py tune": OPTIONS,
    "parlour/core/match.py __init__": "what a table can be set up with, by name; `self` is the ninth",
    "parlour/engine/batch.py __init__": "what a batch can be set up with, by name",
    "parlour/engine/learned.py play_on": "`play_games` in the same file, with an action",
    "parlour/engine/search.py run": MEASURED,
    "parlour/engine/search.py _children": MEASURED,
}


def test_no_file_of_the_package_is_longer_than_one_can_keep_in_mind() -> None:
    kinds = {".py", ".js", ".css", ".html", ".mako"}
    files = [file for file in PACKAGE.rglob("*") if file.suffix in kinds]
    assert len(files) > 300
    lines = {str(file.relative_to(PACKAGE)): len(file.read_text("utf-8").splitlines()) for file in files}
    assert {name: number for name, number in lines.items() if number > MOST_LINES} == {}


@cache
def defined(source: str) -> list[tuple[str, int, int]]:
    """Return name, lines and parameters of each function in `source`; a lambda is named so, and has no lines."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = node.args
            number = len([*given.posonlyargs, *given.args, *given.kwonlyargs])
            number += (given.vararg is not None) + (given.kwarg is not None)
            if isinstance(node, ast.Lambda):
                found.append(("lambda", 0, number))
            else:
                assert node.end_lineno is not None
                found.append((node.name, node.end_lineno - node.lineno + 1, number))
    return found


def functions(source: str) -> dict[str, int]:
    """Return how many lines each function in `source` has; of functions with the same name, the most."""
    found: dict[str, int] = {}
    for name, lines, _ in defined(source):
        if lines:
            found[name] = max(lines, found.get(name, 0))
    return found


def test_every_line_of_a_function_is_counted() -> None:
    source = '@d\ndef f():\n  """A\n  B"""\n\n  async def g(\n    x,\n  ): ...\n  return g\n\nclass A:\n def f(): ...'
    assert functions(source) == {"f": 8, "g": 3}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{file.relative_to(ROOT).as_posix()} {name}": number
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
        for name, number in functions(file.read_text("utf-8")).items()
        if number > MOST_IN_FUNCTION
    }
    assert long == {}


def parameters(source: str) -> dict[str, int]:
    """How many parameters each function in `source` has, `self`, `*args` and `**kwargs` counted; of functions with the
    same name the most."""
    found: dict[str, int] = {}
    for name, _, number in defined(source):
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
