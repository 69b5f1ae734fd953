"""Words to build a scene of: what stands where, under which title, in which frame.

Each makes one `Piece` of `core.scene`; whatever else a piece may have (a clause, a mark, an action) is
given by its name. Things that are moved, turned and thrown (cards, dice, tokens) are made with `Piece`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict, Unpack

from parlour.core.scene import Layout, Piece, Reason


class More(TypedDict, total=False):
    """What any piece may have besides; see `Piece`."""

    marks: tuple[str, ...]
    seat: int | None
    action: str
    part: str
    shortcut: str
    why: Reason | None
    clause: str
    short: str
    at: tuple[int, int] | None


# How pieces stand -----------------------------------------------------------------------------------
def row(key: str, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Pieces side by side in one line."""
    return Piece(key, "group", name, layout="row", children=children, **more)


def column(key: str, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Pieces one below the other."""
    return Piece(key, "group", name, layout="column", children=children, **more)


def flow(key: str, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Pieces side by side, in as many lines as they need."""
    return Piece(key, "group", name, children=children, **more)


def grid(key: str, columns: int, *children: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Pieces in rows of so many, or each `at` its row and column: a board of squares."""
    return Piece(key, "group", name, limit=columns, layout="grid", children=children, **more)


def table(key: str, *rows: Piece, name: str = "", **more: Unpack[More]) -> Piece:
    """Rows whose cells stand below one another: each of `rows` is a `row` of its cells."""
    return Piece(key, "group", name, layout="rows", children=rows, **more)


def strip(key: str, *children: Piece, name: str, **more: Unpack[More]) -> Piece:
    """Pieces side by side in one line, which scrolls where it is too long; `name` says what they are."""
    return Piece(key, "group", name, layout="strip", children=children, **more)


def panel(
    key: str, title: str, *children: Piece, layout: Layout = "", columns: int | None = None, **more: Unpack[More]
) -> Piece:
    """A part of the board under its title; what lies in it flows, unless it is one row, column, grid of so many
    `columns`, strip or table."""
    return Piece(key, "panel", title, limit=columns, layout=layout, children=children, **more)


# What is said on the board --------------------------------------------------------------------------
def label(key: str, text: str, **more: Unpack[More]) -> Piece:
    """Words."""
    return Piece(key, "label", text=text, **more)


def badge(key: str, text: str, name: str = "", **more: Unpack[More]) -> Piece:
    """A few words or a number in a frame; `name` says them in full, where they are cut short."""
    return Piece(key, "badge", name, text=text, **more)


def stat(key: str, name: str, value: int | None = None, text: str = "", **more: Unpack[More]) -> Piece:
    """A plaque: a name, and the number or words that belong to it."""
    return Piece(key, "stat", name, text=text, value=value, **more)


def back(key: str, name: str = "A card, face down", **more: Unpack[More]) -> Piece:
    """A card that lies face down; `name` says whose it is, and nothing of what is on it."""
    return replace(Piece(key, "card", name, **more), marks=("down", *more.get("marks", ())))
