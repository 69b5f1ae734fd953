"""The table clause -> code -> tests finds what is there and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import parlour
from parlour.core import clauses as c
from parlour.core.errors import UnknownName

FORTUNE = parlour.find("fortune")


def test_the_clauses_are_those_of_the_rulebook_in_order() -> None:
    found = c.clauses(FORTUNE)
    assert list(found) == [f"FO-{n}" for n in range(1, 29)]
    assert all(text.startswith(f"**{number}**") and "\n#" not in text for number, text in found.items())


@pytest.mark.parametrize("number", ["FO-6", "fo-6", "fo 06", "FO_006", " fo6 "])
def test_a_clause_is_found_by_any_spelling(number: str) -> None:
    assert c.clause(FORTUNE, number).startswith("**FO-6**")


@pytest.mark.parametrize("number", ["", "FO-29", "KU-1", "6", "x" * 10_000])
def test_a_clause_that_is_not_there(number: str) -> None:
    with pytest.raises(UnknownName, match=r"no clause.*FO-28") as refused:
        c.clause(FORTUNE, number)
    assert len(str(refused.value)) < 400


def test_tests_are_read_from_names(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "test_a.py").write_text(
        "def test_fo_06_a(): ...\nasync def test_fo_7_fo_08(): ...\ndef helper_fo_09(): ...\n"
        "class TestX:\n    def test_fo_99(self): ...\n    def test_info_10(self): ...\n"
    )
    rows = {row.clause: row for row in c.coverage(FORTUNE, tmp_path)}
    place = f"{tmp_path.name}/deep/test_a.py::"
    assert rows["FO-6"].tests == (f"{place}test_fo_06_a",)
    assert rows["FO-7"].tests == rows["FO-8"].tests == (f"{place}test_fo_7_fo_08",)
    assert rows["FO-9"].tests == rows["FO-10"].tests == ()
    assert "FO-99" in rows
    assert not rows["FO-99"].proved
    assert rows["FO-6"].proved
    assert not rows["FO-9"].proved


def test_code_is_read_from_the_game_s_files() -> None:
    rows = {row.clause: row for row in c.coverage(FORTUNE, None)}
    assert any(place.startswith("rules/") for place in rows["FO-18"].code)
    assert any(place.startswith("editions/") for place in rows["FO-2"].code)
    assert all(row.tests == () for row in rows.values())
