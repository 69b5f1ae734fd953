"""What is committed: our own files only, with links that lead somewhere."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = [ROOT / ".ci/run", *sorted((ROOT / "scripts").iterdir())]
BASH = [script for script in SCRIPTS if script.read_text("utf-8").startswith("#!/usr/bin/env bash")]
CODE = {".py", ".js", ".css", ".html", ".svg", ".cpp", ""}
TEXT = CODE | {
    ".cff",
    ".typed",
    ".md",
    ".toml",
    ".ts",
    ".txt",
    ".json",
    ".ipynb",
    ".webmanifest",
    ".ini",
    ".mako",
    ".parlour",
    ".yaml",
    ".conf",
    ".service",
}


def committed() -> list[Path]:
    """Return the files in git; in a copy without git the test is skipped."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_can_be_executed(script: Path) -> None:
    assert script.stat().st_mode & 0o111
    assert script.read_text("utf-8").startswith("#!/usr/bin/env ")


@pytest.mark.parametrize("script", BASH, ids=lambda path: path.name)
def test_bash_scripts_are_clean(script: Path) -> None:
    checker = [found] if (found := shutil.which("shellcheck")) else ["bash", "-n"]
    done = subprocess.run([*checker, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_of_others_is_committed() -> None:
    foreign = re.compile(
        r"(^|/)(node_modules|vendor|third_party|site-packages)/|\.min\.|\.(woff2?|ttf|otf|whl|so|gz|zip)$"
    )
    names = [path.relative_to(ROOT).as_posix() for path in committed()]
    assert [name for name in names if foreign.search(name)] == []
    pictures = {".png", ".jpg"}  # only of our own pages and drawings: scripts/screenshots, looks, pictures
    # What `parlour solve` worked out, and `parlour train` learnt
    tables = re.compile(r"^parlour/games/\w+/study/(tables/[\w-]+|net-([\w-]+-)?\d)\.npz$")
    houses = re.compile(r"^tests/old/[\w-]+\.tar\.xz$")  # what our own earlier commits wrote
    puzzles = re.compile(r"^parlour/games/\w+/puzzles/[\w-]+\.xz$")  # what `parlour puzzles mine` found
    names = [name for name in names if not houses.match(name) and not puzzles.match(name)]
    odd = [n for n in names if Path(n).suffix not in TEXT | pictures and not n.startswith(".") and not tables.match(n)]
    assert odd == []
    drawn = re.compile(
        r"^docs/screenshots/[\w-]+\.jpg$"
        r"|^(docs/screenshots/.*|parlour/house/site/static/(icon-.*|cover)|parlour/games/\w+/show/cover)\.png$"
    )
    assert [n for n in names if Path(n).suffix in pictures and not drawn.match(n)] == []


def test_no_package_registry_is_named() -> None:
    hosts = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js", "un" + "pkg", "js" + "delivr"]
    for path in committed():
        if path.suffix in TEXT:
            text = path.read_text("utf-8")
            assert [host for host in hosts if host in text] == [], path


@pytest.mark.parametrize("document", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda p: p.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```|`[^`\n]+`", "", document.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:|#", target):
            assert (document.parent / target.partition("#")[0]).exists(), f"{document.name} links to {target}"


def test_readme_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The blocks of Python in the README, one after the other, as a reader would type them."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    exec("\n".join(blocks), {"__name__": "page"})
    assert "['stop', " in capsys.readouterr().out


def test_the_blocks_of_the_library_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs/library.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(blocks) >= 5
    monkeypatch.chdir(tmp_path)
    random.seed(1)
    exec("\n".join(blocks), {"__name__": "page"})
    assert capsys.readouterr().out


def test_readme_names_real_commands() -> None:
    from parlour.cli.app import app

    commands = {c.callback.__name__.replace("_", "-") for c in app.registered_commands if c.callback}
    commands |= {group.typer_instance.info.name for group in app.registered_groups if group.typer_instance}
    named = set(re.findall(r"`parlour ([a-z][a-z-]*)", (ROOT / "README.md").read_text("utf-8")))
    assert named == commands


def test_documentation_is_wrapped() -> None:
    """Tables, pictures, code and addresses apart, no line of the documents is longer than 100 characters."""
    apart = re.compile(r"\s*(\||!\[|\[[^\]]+\]:|#|<)|    ")
    long = []
    for path in committed():
        if path.suffix == ".md":
            code = False
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                code = code != line.lstrip().startswith("```")
                prose = not code and not line.lstrip().startswith("```") and not apart.match(line)
                if prose and len(line) > 100 and "`" not in line[90:] and "](" not in line:
                    long.append(f"{path.relative_to(ROOT)}:{number}")
    assert long == []
