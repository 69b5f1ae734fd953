"""What a rulebook's Markdown may say beyond Markdown: sources, pictures, and what a part is for.

A book without marks says what the print says. Words from elsewhere are put in brackets with their
source, one of `SOURCES`: `[Play goes clockwise.]{.ruling}`. A picture of pieces is an image whose
address is a name that the game's `book.py` has drawn: `![three skulls](bust)`, or smaller,
`![a card](storm){.small}`; what a picture shows that is not printed has its source, too:
`![the board](board){.house}`. A line of braces is about the heading or paragraph that follows:
`{.sheet}` puts a section on the summary sheet, `{.printed}` marks an example that the print has
too, `{ruleset=NAME}` a section of one ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

from parlour.core.edition import DERIVED, HOUSE, OUTSIDE, RULING, STATED
from parlour.core.facts import Option
from parlour.core.scene import number

SOURCES = {  # of what is not printed; the words are for the legend
    DERIVED: "it follows from the printed rules",
    OUTSIDE: "it comes from other sources on the same game",
    HOUSE: "a value that the print leaves open; this house chose one",
    RULING: "how this house reads the print where it is silent or unclear",
}

# What a page writes at words that are not printed: what the source means, as far as two words can say it.
LABELS = {DERIVED: "follows", OUTSIDE: "other print", HOUSE: "house value", RULING: "house ruling"}

_MARKED = re.compile(rf"\[([^\[\]]+)\]\{{\.({'|'.join(SOURCES)})\}}")
_PICTURE = re.compile(rf"!\[([^\[\]]*)\]\(([\w-]+)\)(?:\{{\.(small|{'|'.join(SOURCES)})\}})?")
_ABOUT = re.compile(r"^\{[^{}\n]*\}\n", re.MULTILINE)


def marked(text: str) -> list[tuple[str, str]]:
    """Return what does not come from the print, in order: its source, one of SOURCES, and its words."""
    return [(source, " ".join(words.split())) for words, source in _MARKED.findall(text)]


def unmarked(text: str) -> str:
    """Return the text without its marks of sources, whose words stay."""
    return _MARKED.sub(r"\1", text)


def printed(text: str) -> str:
    """Return the text without what does not come from the print."""
    return _MARKED.sub("", text)


def pictures(text: str) -> list[tuple[str, str]]:
    """Return the pictures that a text shows, in order: the name and the words of each."""
    return [(name, words) for words, name, _ in _PICTURE.findall(text)]


def plain(text: str) -> str:
    """Return a book, or a part of one, as ordinary Markdown, for the terminal."""

    def seen(picture: re.Match[str]) -> str:
        source = f" *({picture[3]})*" if picture[3] in SOURCES else ""
        return f"*{picture[1]}*{source}" if picture[1] else ""

    text = _MARKED.sub(lambda found: f"{found[1]} *({found[2]})*", text.replace("{.printed}\n", "*Printed example.* "))
    return _ABOUT.sub("", _PICTURE.sub(seen, text))


def legend(text: str) -> str:
    """Return what the sources mean that a `plain` text names, as a Markdown list; "" if it names none."""
    return "\n".join(f"* *({source})*: {words}" for source, words in SOURCES.items() if f"*({source})*" in text)


def choices(options: Iterable[Option]) -> str:
    """Return what a table can choose, in words, the usual value first, as a Markdown list; "" for nothing."""

    def line(option: Option) -> str:
        source = "" if option.mark == STATED else f" *({option.mark})*"
        printed = f" The print says “{option.printed}”." if option.printed else ""
        return f"* {option.help}{printed} *{'; '.join(map(option.said, option.values))}* ({option.clause}){source}"

    return "\n".join(map(line, options))


def as_markdown(value: object) -> str:
    """Return a component's value as Markdown: a number or word, a list in a line, a table.

    A game that has better words for it says them in its `book.py`.
    """
    if isinstance(value, Mapping):
        return _table([(_said(key), *map(_said, entry if _line(entry) else [entry])) for key, entry in value.items()])
    if _line(value):
        return ", ".join(map(_said, value))
    if isinstance(value, list | tuple):
        return _table([tuple(map(_said, row)) for row in value])
    return _said(value)


def _line(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple) and not any(isinstance(one, list | tuple | dict) for one in value)


def _said(value: object) -> str:
    return number(value) if isinstance(value, int) else str(value).replace("-", " ").replace("_", " ").strip()


def _table(rows: Sequence[Sequence[str]]) -> str:
    wide = max(map(len, rows), default=0)
    filled = (" | ".join([*row, *[""] * (wide - len(row))]) for row in rows)
    return "\n".join(("|" + "  |" * wide, "|" + "---|" * wide, *(f"| {row} |" for row in filled)))
