"""Figures that the prose of a page quotes from the tables of the same page, as links to them.

`[62.4 ± 4.2 %](#house-4 "2 players, greedy: 1st to play")` quotes a cell of the table under the heading whose anchor is
`house-4`: the title names its column and its row, in either order, and the text is that of the cell. So a reader can
follow each figure to its source, and a program can update it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from parlour.core.errors import ParlourError

QUOTED = re.compile(r'\[([^\[\]]+)\]\(#([\w-]+)\s+"([^"]+:\s[^"]+)"\)')


class NoFigure(ParlourError):
    """A page quotes a figure that none of its tables has, or that two have."""

    code = "no-figure"


def redrawn(page: str) -> str:
    """Return the page with each quoted figure as the tables have it. Raises NoFigure, which names all that are not."""
    found = cells(page)
    missing = []

    def draw(quoted: re.Match[str]) -> str:
        text, anchor, address = (" ".join(part.split()) for part in quoted.groups())
        texts = found.get((anchor, address), set())
        if len(texts) != 1:
            missing.append(f"#{anchor} {address!r} ({len(texts)} cells)")
            return quoted[0]
        (now,) = texts
        return quoted[0] if now == text else quoted[0].replace(quoted[1], now, 1)

    page = QUOTED.sub(draw, page)
    if missing:
        raise NoFigure(f"The page quotes what its tables do not have just once: {'; '.join(missing)}.")
    return page


def write(file: Path, page: str) -> None:
    """Write a page, with its figures redrawn. Raises what `redrawn` raises; then the tables are written."""
    file.write_text(page, "utf-8")
    file.write_text(redrawn(page), "utf-8")


def cells(page: str) -> dict[tuple[str, str], set[str]]:
    """Return the texts of the cells at each address: (anchor, "column: row" or "row: column") -> texts."""
    found: dict[tuple[str, str], set[str]] = {}
    under, lines = "", iter(page.splitlines())
    for line in lines:
        if line.startswith("#"):
            under = anchor(line)
        elif line.startswith("|"):
            for column, row, text in _table(_row(line), lines):
                for address in (f"{column}: {row}", f"{row}: {column}"):
                    found.setdefault((under, address), set()).add(text)
    return found


def _table(heads: list[str], lines: Iterator[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (column, row, text) of each cell, and of each part of a cell with several."""
    labels = sum(not rule.endswith(":") for rule in _row(next(lines)))  # the columns on the left, which name the row
    corner = f", {heads[0]}" if labels == 1 and heads[0] else ""  # the bots, where all columns have the same
    group = ""
    for line in lines:
        if not line.startswith("|"):
            return
        texts = _row(line)
        if texts[0].startswith("**"):
            group = texts[0].strip("*")
            continue
        row = ", ".join(texts[:labels])
        for head, text in zip(heads[labels:], texts[labels:], strict=True):
            yield head + corner, row, text
            parts = text.split("; ")
            for names in (group.rpartition(": ")[2].split("; "), row.split("; ")):
                if len(parts) == len(names) > 1:
                    yield from (
                        (head + corner, f"{row}, {name}", part) for name, part in zip(names, parts, strict=True)
                    )


def _row(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lstrip("#").strip().lower()).replace(" ", "-")
