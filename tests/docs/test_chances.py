"""docs/chances.md: its first table is what the tables below it say."""

from __future__ import annotations

from tests.docs import chances
from tests.docs.test_numbers import unsourced


def test_the_table_is_current() -> None:
    page = chances.PAGE.file.read_text("utf-8")
    assert chances.PAGE.renewed(page) == page, chances.PAGE.stale
    found = chances.lines(page)
    assert len(found) == page.count("`parlour calibrate`, ") // 2
    assert {one.level for one in found} > {"medium"}


def test_a_number_has_its_table_or_its_command() -> None:
    assert unsourced(chances.PAGE.file.read_text("utf-8")) == []
