"""A title takes the largest letters in which it stands on one line."""

from __future__ import annotations

import re

import pytest

from parlour.table.pages import files
from parlour.table.pages.fitting import SIZES, title_size, width


@pytest.mark.parametrize(
    ("winners", "size"),
    [
        (["Ann"], 12),
        (["Anne Bonny"], 12),
        (["Maximilian of Lönneberga"], 24),
        (["W" * 24], 28),
        (["\u6f22" * 24], 28),
        (["Ann", "Bob"], 12),
        (["W" * 24, "Bob", "W" * 24], 28),  # it breaks between names, so one of them decides
        (["i" * 24], 16),
    ],
)
def test_what_is_wider_is_smaller(winners: list[str], size: int) -> None:
    assert title_size(winners) == size


def test_a_mark_over_a_letter_takes_no_room() -> None:
    assert width("e\u0301") == width("e")


def test_the_stylesheet_has_every_size() -> None:
    sheet = (files.STATIC / "page.css").read_text("utf-8")
    assert tuple(map(int, re.findall(r'\[data-em="(\d+)"\] { --em: \1;', sheet))) == SIZES
