"""The game of examples/bezel, as pip installs it: found, sound, small, and nothing but rules, words and a scene."""

from __future__ import annotations

import ast
import os
import subprocess
import sysconfig
import tokenize
from pathlib import Path

import pytest

from tests.docs.example import BEZEL, ROOT, install_bezel

MOST = 250  # lines of code that a new game may take
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which the game is installed."""
    return install_bezel(tmp_path_factory.mktemp("example"))[0]


def run(python: Path, *command: str | Path, **more: str) -> str:
    """Return the output of a command in that environment, with this checkout of Parlour and what it needs."""
    paths = os.pathsep.join((str(ROOT), sysconfig.get_path("purelib")))
    env = {**os.environ, "PYTHONPATH": paths, **more}
    done = subprocess.run([python, *command], cwd=python.parent, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def lines_of_code(file: Path) -> int:
    """Return the lines that are neither blank nor all comment or docstring."""
    documented = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            documented |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    with file.open("rb") as opened:
        code = {
            line
            for token in tokenize.tokenize(opened.readline)
            if token.type not in NO_CODE and token.type != tokenize.ENCODING
            for line in range(token.start[0], token.end[0] + 1)
        }
    return len(code - documented)


def test_it_has_at_most_250_lines_of_code(tmp_path: Path) -> None:
    counted = tmp_path / "counted.py"
    counted.write_text(
        '"""Two\nlines."""\n\nx = [\n    1,  # one\n]\n# none\n\ndef f():\n    """None."""\n    return """a\nb"""\n'
    )
    assert lines_of_code(counted) == 6
    files = [file for file in (BEZEL / "bezel").glob("**/*.py") if file.name != "book.py"]
    assert len(files) == 5
    assert 200 < sum(map(lines_of_code, files)) <= MOST
    assert lines_of_code(BEZEL / "bezel" / "book.py") == 9  # of a picture in its rulebook


def test_it_brings_no_look_of_its_own() -> None:
    files = [path for path in (BEZEL / "bezel").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.suffix for path in files} == {".py", ".md", ".toml"}
    scene = (BEZEL / "bezel" / "scene.py").read_text("utf-8")
    assert "THEME" not in scene
    assert "face=" not in scene


def test_nothing_of_it_is_in_the_product() -> None:
    texts = [path for path in (ROOT / "parlour").rglob("*") if path.suffix in {".py", ".css", ".js", ".html", ".toml"}]
    assert len(texts) > 100
    assert [path for path in texts if "bezel" in path.read_text("utf-8").lower()] == []


@pytest.mark.whole
def test_it_is_found_where_pip_has_installed_it(python: Path) -> None:
    place = run(python, "-c", "import bezel; print(bezel.__file__)")
    assert str(python.parents[1]) in place
    listed = run(python, "-m", "parlour", "games")
    assert "Bezel (bezel): Two jewellers" in listed
    assert "from the package bezel" in listed


@pytest.mark.whole
@pytest.mark.slow
def test_it_keeps_its_word(python: Path) -> None:
    said = run(python, "-m", "parlour", "check", "bezel", "--games", "1", "--seconds", "60")
    assert "Passed" in said
    for check in (
        "viewers see only what they may know, and are offered every legal move",
        "it compiles, and plays the same compiled",
    ):
        assert f"  ok     {check}" in said


@pytest.mark.whole
def test_its_own_tests_pass_where_it_is_installed(python: Path) -> None:
    """Without the settings and plugins of this project, as at its author's."""
    said = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ROOT, "-c", os.devnull,
               BEZEL / "tests", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")  # fmt: skip
    assert "8 passed" in said
