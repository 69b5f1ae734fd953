"""docs/data.md: its commands and programs run, and its tables list the columns that there are."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from parlour.analysis import rows
from parlour.cli.app import run
from tests.analysis.test_frames import found as found

PAGE = (Path(__file__).parents[2] / "docs/data.md").read_text("utf-8")
LIBRARIES = {"polars": "polars", "pandas": "pandas", "duckdb": "duckdb"}


def tabled(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading."""
    section = next(part for part in re.split(r"^## ", PAGE, flags=re.M) if part.startswith(f"{heading}\n"))
    lines = re.findall(r"^\| (.*) \|$", section, re.M)
    return [line.split(" | ") for line in lines[1:]]


@pytest.mark.parametrize("table", rows.TABLES)
def test_the_page_lists_each_column(table: str) -> None:
    fields = rows.TABLES[table]
    expected = [[f"`{one.name}`", f"{one.kind}{', can be empty' if one.empty else ''}", one.about] for one in fields]
    written = tabled(f"{table}.parquet")
    assert written[: len(expected)] == expected
    rest = [line[0] for line in written[len(expected) :]]
    assert rest == (["`event NAME`", "`count NAME`"] if table == "games" else [])


def test_the_page_lists_the_columns_of_each_result(found: dict[str, object]) -> None:
    for name, _, _, columns in tabled("Results as data frames"):
        listed = re.findall(r"`(\w+)`", columns)
        there = [one for one in found[name.strip("`")].columns() if one != "deck.gold"]  # type: ignore[attr-defined]
        assert listed == there, name
    assert len(tabled("Results as data frames")) == len(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the commands of the page have run."""
    pytest.importorskip("polars", reason="Polars is not installed: pip install 'parlour[data]'")
    made: Path = tmp_path_factory.mktemp("data")
    lines = [line for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.M) for line in block.splitlines()]
    with contextlib.chdir(made):
        for line in lines:
            if line.startswith("parlour "):
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    assert run(shlex.split(line)[1:]) == 0, line
                assert out.getvalue()
    return made


@pytest.mark.parametrize("number", range(4))
def test_a_program_of_the_page_runs(folder: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.M)
    assert len(programs) == 4
    needs = re.findall(r"^import (polars|pandas|duckdb)", programs[number], re.M)
    if "pandas" in needs:
        needs.append("pyarrow")
    if missing := [one for one in needs if find_spec(one) is None]:
        pytest.skip(f"{missing[0]} is not installed, nor in the lock")
    monkeypatch.chdir(folder)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(programs[number], "docs/data.md", "exec"), {})
    assert out.getvalue().strip()
