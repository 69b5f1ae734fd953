"""docs/puzzles.md: its table is what the files of the games say."""

from __future__ import annotations

from tests.docs import puzzles


def test_the_table_is_current() -> None:
    page = puzzles.PAGE.file.read_text("utf-8")
    assert puzzles.PAGE.renewed(page) == page, puzzles.PAGE.stale
