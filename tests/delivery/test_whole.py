"""What the suite leaves to the long form, and that it finds each fault that is planted on purpose."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLANTED = (ROOT / "docs/testing.md").read_text("utf-8").partition("Faults are planted on purpose")[2]


@pytest.mark.parametrize("named", re.findall(r"`(tests/[\w/]+\.py::\w+)`", PLANTED.partition("\n## ")[0]))
def test_a_planted_fault_is_looked_for_in_the_suite(named: str) -> None:
    file, _, name = named.partition("::")
    lines = (ROOT / file).read_text("utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if re.search(rf"\bdef {name}\b", line))
    marks = []
    while at and lines[at - 1].strip() and not lines[at - 1].startswith(("def ", "async def ")):
        marks.append(lines[at := at - 1])
    assert not any("mark.whole" in line for line in marks)


@pytest.mark.parametrize(
    ("marks", "refused"),
    [
        ("@pytest.mark.suite('one', 'three')", "suite('three'); there are one, two."),
        ("@pytest.mark.suite('one')\n@pytest.mark.whole", "suite('one'); there are only cases marked `whole`."),
    ],
)
def test_a_pattern_that_brings_no_case_into_the_suite_is_refused(tmp_path: Path, marks: str, refused: str) -> None:
    """Otherwise another name of a parameter, or `whole`, would take a test out of the suite without a word."""
    (tmp_path / "test_it.py").write_text(
        f"import pytest\n{marks}\n@pytest.mark.parametrize('word', ['one', 'two'])\ndef test_a(word): pass\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "pytest_timeout",
        "-p",
        "tests.conftest",
        "--rootdir",
        str(tmp_path),
    ]
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # to import them takes longer than the rest
    done = subprocess.run([*command, str(tmp_path)], cwd=ROOT, env=bare, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"test_it.py::test_a: no case matches {refused}" in done.stderr
