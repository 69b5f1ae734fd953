"""What a rulebook's Markdown may say beyond Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import book
from parlour.core.edition import HOUSE, STATED
from parlour.core.facts import Option

TEXT = """{.sheet}
## A turn

**PI-1** Roll. [The first player is drawn
by lot.]{.ruling} [The die has six faces.]{.house}

![A one](one) and ![](two){.small}, [a link](https://example.org), `[code]`.

{ruleset=small}
### Small

{.printed}
Ann rolls a one.

![The board](board){.house}
"""


def test_words_from_elsewhere_are_found_with_their_sources() -> None:
    assert book.marked(TEXT) == [("ruling", "The first player is drawn by lot."), ("house", "The die has six faces.")]
    assert "by lot" not in book.printed(TEXT)
    assert "six faces" not in book.printed(TEXT)
    assert "**PI-1** Roll." in book.printed(TEXT)


def test_pictures_are_found_in_order() -> None:
    assert book.pictures(TEXT) == [("one", "A one"), ("two", ""), ("board", "The board")]


def test_a_terminal_reads_ordinary_markdown() -> None:
    plain = book.plain(TEXT)
    assert "{" not in plain
    assert "The first player is drawn\nby lot. *(ruling)* The die has six faces. *(house)*" in plain
    assert "*A one* and ," in plain
    assert "*Printed example.* Ann rolls a one." in plain
    assert "*The board* *(house)*" in plain
    assert "[a link](https://example.org), `[code]`" in plain


def test_a_legend_has_the_sources_that_a_text_names() -> None:
    legend = book.legend(book.plain(TEXT))
    assert [line.partition(":")[0] for line in legend.splitlines()] == ["* *(house)*", "* *(ruling)*"]
    assert book.legend(book.plain(book.printed(TEXT).replace("{.house}", ""))) == ""


def test_choices_are_put_in_words_with_their_source() -> None:
    faces = Option("faces", ("6", "at_most"), "PI-1", "Faces of the die.", words=("six", "fewer"), mark=HOUSE)
    twice = Option("twice", ("false", "true"), "PI-2", "Two dice.", mark=STATED)
    assert book.choices([faces, twice]) == (
        "* Faces of the die. *six; fewer* (PI-1) *(house)*\n* Two dice. *no; yes* (PI-2)"
    )
    assert book.choices([]) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1000000, "1,000,000"),
        (-50, "−50"),
        ([1, -2], "1, −2"),
        ("gem-2", "gem 2"),
        ({"gem-1": 8, "sea_battle": 2}, "|  |  |\n|---|---|\n| gem 1 | 8 |\n| sea battle | 2 |"),
        ({"gold": [30, 50]}, "|  |  |  |\n|---|---|---|\n| gold | 30 | 50 |"),
        ([[1], [2, 3]], "|  |  |\n|---|---|\n| 1 |  |\n| 2 | 3 |"),
    ],
)
def test_a_component_is_put_in_words_and_tables(value: object, said: str) -> None:
    assert book.as_markdown(value) == said


@given(st.lists(st.tuples(st.text("abc .,*", min_size=1), st.sampled_from([*book.SOURCES])), max_size=5))
def test_each_mark_that_is_written_is_read_again(pairs: list[tuple[str, str]]) -> None:
    text = " and ".join(f"[{words}]{{.{source}}}" for words, source in pairs)
    assert book.marked(text) == [(source, " ".join(words.split())) for words, source in pairs]
    assert book.printed(text) == " and ".join("" for _ in pairs)
