"""What starting costs: dependencies run one way, and people who only play do not load Numba."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def modules_after(statement: str) -> set[str]:
    """Top-level modules loaded by `statement` in a new interpreter."""
    code = (
        f"import sys, json\n{statement}\nprint(json.dumps(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    ("statement", "never"),
    [
        (
            "import parlour; parlour.new('fortune', seed=7)",
            {"numba", "numpy", "litestar", "sqlalchemy", "rich", "typer"},
        ),
        ("import parlour.house.app, parlour.house.serve", {"numba", "numpy", "llvmlite", "webauthn"}),
        ("from parlour.cli.app import run; assert run(['games']) == 0", {"numba", "numpy", "litestar", "sqlalchemy"}),
    ],
    ids=["library", "web", "a command"],
)
def test_what_is_not_loaded(statement: str, never: set[str]) -> None:
    assert modules_after(statement) & never == set()


def test_core_and_games_need_the_standard_library_and_msgspec_only() -> None:
    foreign = foreign_after("")
    assert foreign - {"typing_extensions"} == {"parlour", "msgspec"}  # which takes the former where it finds it


def test_drawing_a_game_needs_what_reads_its_pictures_and_look() -> None:
    foreign = foreign_after(
        "from parlour.core import html; [html.art(one) + html.style(one) for one in all_games().values()]"
    )
    assert foreign - {"typing_extensions"} == {"parlour", "msgspec", "defusedxml", "tinycss2", "webencodings"}


def foreign_after(statement: str) -> set[str]:
    """Packages that are not Python's own, once all modules of core and games are loaded, and `statement` has run."""
    loaded = modules_after(
        "import importlib, pkgutil\n"
        "for name in ('parlour.core', 'parlour.games'):\n"
        "    package = importlib.import_module(name)\n"
        "    for m in pkgutil.walk_packages(package.__path__, name + '.'): importlib.import_module(m.name)\n"
        f"from parlour.games import all_games\n{statement}"
    )
    site = {"site", "sitecustomize", "usercustomize", "apport_python_hook"}
    return {n for n in loaded - set(sys.stdlib_module_names) - site if not n.startswith("_")}


def test_dependencies_run_one_way() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.whole
def test_help_is_quick() -> None:
    """Beside a bare program of Typer that says its help, as the machine may be slow."""

    def cost(*arguments: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments, "--help"], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    bare = "import typer; typer.run(lambda: None)"
    ours, theirs = zip(*((cost("-m", "parlour"), cost("-c", bare)) for _ in range(3)), strict=True)
    assert min(ours) < 4 * min(theirs)
