"""What `pip install parlour` brings is enough for the library; a command says which extra it needs besides."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from parlour.cli import extras

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CORE = {"defusedxml", "filelock", "msgspec", "numba", "numpy", "platformdirs", "tinycss2"}

# Refuses every module that is neither Python's own nor of one of these packages, as if it were not installed.
REFUSING = """
import sys
allowed = {allowed!r}
class Refusing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or top in allowed or top.startswith("_sysconfigdata"):
            return None
        raise ModuleNotFoundError(f"No module named {{top!r}}", name=name)
sys.meta_path.insert(0, Refusing)
"""
LIBRARY = """
import parlour
match = parlour.new("gatsby", seed=7)
while not match.over:
    match.play(match.legal_actions()[0])
assert parlour.load(match.record().to_text()).scores == match.scores
assert "<style>" in match._repr_html_()
state = parlour.new_initial_state("fortune", compiled=True)
state.apply_action(0)
assert state.observation_tensor(0)
batch = parlour.Batch("fortune", 4, seed=1)
batch.step(batch.random_actions())
class First(parlour.Bot):
    def choose(self, view):
        return view.legal_actions()[0]
assert parlour.simulate("gatsby", bots=[First, "random"], games=1).returns.sum() == 1
assert parlour.simulate("fortune", players=3, bots=["greedy", "random", "random"], games=3).returns.sum() == 3
"""


def named(requirement: str) -> str:
    """Return the package of a requirement."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


@cache
def modules() -> dict[str, set[str]]:
    """Return the top-level modules of each installed package."""
    found: dict[str, set[str]] = {}
    for module, packages in importlib.metadata.packages_distributions().items():
        for package in packages:
            found.setdefault(named(package), set()).add(module)
    return found


def needed(requirements: list[str]) -> set[str]:
    """Return the modules of packages and of all that these need in turn."""
    packages, todo = set(), [named(one) for one in requirements]
    while todo:
        package = todo.pop()
        if package in packages or package not in modules():
            continue
        packages.add(package)
        todo += [named(one) for one in importlib.metadata.requires(package) or () if "extra ==" not in one]
    return {"parlour", *(module for package in packages for module in modules()[package])}


def run(code: str, *wanted: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run code in a Python that has only the packages of the library, and those of some extras."""
    asked = [*PROJECT["dependencies"], *(one for extra in wanted for one in PROJECT["optional-dependencies"][extra])]
    code = REFUSING.format(allowed=needed(asked)) + code
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True)


def command(line: str, *wanted: str) -> subprocess.CompletedProcess[str]:
    return run(f"sys.argv = {['parlour', *line.split()]!r}\nfrom parlour.cli import main\nmain()", *wanted)


def test_the_library_needs_these_packages_and_no_more() -> None:
    assert {named(one) for one in PROJECT["dependencies"]} == CORE
    done = run(LIBRARY)
    assert done.returncode == 0, done.stderr


def test_what_is_refused_is_really_missing() -> None:
    """So that the other tests could fail: NumPy is there, and what only the command line needs is not."""
    done = run("import numpy\nimport typer")
    assert "No module named 'typer'" in done.stderr
    assert "numpy" not in done.stderr


@pytest.mark.parametrize(
    ("line", "wanted", "extra"),
    [
        ("games", (), "cli"),
        ("play gatsby", (), "cli"),
        ("serve", ("cli",), "table"),
        ("house times", ("cli",), "table"),
    ],
)
@pytest.mark.suite("play*", "serve*")
def test_a_command_without_its_extra_says_in_one_sentence_what_to_install(
    line: str, wanted: tuple[str, ...], extra: str
) -> None:
    done = command(line, *wanted)
    assert (done.returncode, done.stdout) == (1, "")
    sentence = rf"parlour: This needs \w+, which is not installed; pip install 'parlour\[{extra}\]' installs it\.\n"
    assert re.fullmatch(sentence, done.stderr), done.stderr


@pytest.mark.parametrize("line", ["simulate fortune --bots random --games 2 --json", "rules gatsby GA-3"])
@pytest.mark.suite("simulate*")
def test_a_command_with_its_extra_works(line: str) -> None:
    done = command(line, "cli")
    assert (done.returncode, done.stderr) == (0, "")
    if line.endswith("--json"):
        json.loads(done.stdout)


def test_an_adapter_without_its_library_says_what_to_install() -> None:
    """That of PettingZoo and Gymnasium: tests/adapters."""
    done = run("import parlour.open_spiel")
    assert "pip install 'parlour[open-spiel]'" in done.stderr.splitlines()[-1]


def test_each_module_of_an_extra_is_known_by_it() -> None:
    """`parlour/cli/extras.py` against the packages of pyproject.toml, by the modules that these have here."""
    for extra, known in extras.MODULES.items():
        packages = [named(one) for one in PROJECT["optional-dependencies"][extra]]
        for package in packages:
            if package in modules() and package != "parlour":
                assert modules()[package] & set(known), (extra, package)
        if extra == "ray" and "ray" not in modules():
            continue  # not in the dev lock (docs/decisions.md)
        if extra == "data" and "polars" not in modules():
            continue  # an environment from before it was in the lock
        brought = needed(PROJECT["optional-dependencies"][extra])
        assert set(known) - brought == set(), extra


def test_all_is_every_extra_but_that_for_development() -> None:
    every = set(PROJECT["optional-dependencies"]) - {"all", "dev"}
    assert every == set(extras.MODULES)
    (all_of_them,) = PROJECT["optional-dependencies"]["all"]
    assert all_of_them == "parlour[table,rl,open-spiel]"
    assert "parlour[cli]" in PROJECT["optional-dependencies"]["table"]
    assert "parlour[all]" in PROJECT["optional-dependencies"]["dev"]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("parlour play ga", "gatsby"), ("parlour play --play", "--players")],
)
@pytest.mark.suite("parlour play --play-*")
def test_the_shell_completes_commands_games_and_options(words: str, wanted: str) -> None:
    env = {
        **os.environ, "_PARLOUR_COMPLETE": "complete_bash", "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1), "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "parlour"], env=env, capture_output=True, text=True)
    assert done.stdout.split() == [wanted]
