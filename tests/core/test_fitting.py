"""A title has the largest size in which it fits on one line."""

from __future__ import annotations

import re

import pytest

from parlour.core import html
from parlour.core.fitting import NAMES, SIZES, name_size, title_size, width
from parlour.house.site import files


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
    words = "{0} wins" if len(winners) == 1 else "{0}, {1} and {2} share the win"
    words = "{0} and {1} share the win" if len(winners) == 2 else words
    assert title_size(words, winners) == size


def test_a_title_without_names_has_a_size() -> None:
    assert title_size("You won by 2,700", ["W" * 24]) == 12


def test_a_mark_over_a_letter_takes_no_room() -> None:
    assert width("e\u0301") == width("e")


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Ann", 0),
        ("Mei Ling", 0),
        ("Grace O'Malley", 0),
        ("Bartholomew", 10),
        ("Bartholomew Roberts", 10),
        ("W" * 24, 30),
    ],
)
def test_a_name_is_as_small_as_its_longest_word_asks(name: str, size: int) -> None:
    assert name_size(name) == size


def test_the_widest_name_has_a_size() -> None:
    assert name_size("\u6f22" * 24) == name_size("\u6f22" * 99) == NAMES[-1]


def test_the_stylesheet_has_every_size() -> None:
    assert tuple(map(int, re.findall(r'\[data-wide="(\d+)"\] { --wide: \1; }', html.look()))) == NAMES
    sheet = files.SOURCES["table.css"].read_text("utf-8")
    assert tuple(map(int, re.findall(r'\[data-em="(\d+)"\] { --em: \1;', sheet))) == SIZES
