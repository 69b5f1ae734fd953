"""Build a scene: functions that arrange pieces under titles and in frames.

Each returns one `Piece` of `core.scene`; keyword arguments set its other fields (a clause, a mark,
an action). For things that move, turn and roll (cards, dice, tokens), use `Piece` itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypedDict, TypeVar, Unpack, cast

from msgspec.structs import replace

from parlour.core.scene import Layout, Piece, Reason

_P = ParamSpec("_P")
_T = TypeVar("_T")
KEPT = 500  # things that each function keeps: 700 bytes each, about


def once(make: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function that makes pieces return those that it made before of the same values, which
    must be hashable and all that the pieces depend on.

    From one position to the next, and from one viewer to another, most of a table is the same. What
    is not made again is not compared again either, when a position is drawn.
    """
    return cast(Callable[_P, _T], lru_cache(KEPT)(make))


class More(TypedDict, total=False):
    """Other fields that any piece may have; see `Piece`."""

    marks: tuple[str, ...]
    seat: int | None
    action: str
    part: str
    shortcut: str
    why: Reason | None
    clause: str
    short: str
    at: tuple[int, int] | None


# Arranging pieces -----------------------------------------------------------------------------------
def row(key: str, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Arrange pieces side by side in one line."""
    return Piece(key, "group", name, layout="row", children=children, **more)


def column(key: str, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Arrange pieces one below the other."""
    return Piece(key, "group", name, layout="column", children=children, **more)


def flow(key: str, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Arrange pieces side by side, in as many lines as they need."""
    return Piece(key, "group", name, children=children, **more)


def grid(key: str, columns: int, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Arrange pieces in rows of `columns`, or each `at` its row and column: a board of squares."""
    return Piece(key, "group", name, limit=columns, layout="grid", children=children, **more)


def table(key: str, *rows: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Align the cells of rows in columns: each of `rows` is a `row` of its cells."""
    return Piece(key, "group", name, layout="rows", children=rows, **more)


def strip(key: str, *children: Piece, name: str, **more: Unpack[More]) -> Piece:
    """Arrange pieces in one line, which scrolls if it is too long; `name` describes them."""
    return Piece(key, "group", name, layout="strip", children=children, **more)


def panel(
    key: str, title: str, *children: Piece, layout: Layout = "", columns: int | None = None, **more: Unpack[More]
) -> Piece:
    """Make a titled part of the board.

    Its pieces flow, unless `layout` arranges them as one row, column, grid of this number of
    `columns`, strip or table.
    """
    return Piece(key, "panel", title, limit=columns, layout=layout, children=children, **more)


# Words on the board ---------------------------------------------------------------------------------
def label(key: str, text: str, **more: Unpack[More]) -> Piece:
    """Write words."""
    return Piece(key, "label", text=text, **more)


def badge(key: str, text: str, name: str = "", **more: Unpack[More]) -> Piece:
    """Frame a few words or a number; `name` gives them in full if they are short for something."""
    return Piece(key, "badge", name, text=text, **more)


def stat(key: str, name: str, value: int | None = None, text: str = "", **more: Unpack[More]) -> Piece:
    """Make a plaque: a name, with its number or words."""
    return Piece(key, "stat", name, text=text, value=value, **more)


def back(key: str, name: str = "A card, face down", **more: Unpack[More]) -> Piece:
    """Make a card that is face down; `name` may say whose it is, but nothing of its face."""
    return replace(Piece(key, "card", name, **more), marks=("down", *more.get("marks", ())))
