"""Examples of docstrings (`>>>`), as Markdown has code; `mkdocs.yaml` names `Examples`, an extension of Griffe."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^[ \t]*(?:>>>|\.\.\.).*\n?)+(?:^[ \t]*[^\s`>].*\n?)*", re.MULTILINE)


def fenced(text: str) -> str:
    """Return a docstring in which each example, with what it prints, is a block of code."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


class Examples(griffe.Extension):
    """Makes blocks of the examples in every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **_more: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
