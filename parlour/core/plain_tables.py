"""Set grids and tables in letters: cells in, lines out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

GAP = "  "
GLUE = "\N{NO-BREAK SPACE}"  # before a bar, which never begins a line


def grid(cells: Sequence[tuple[tuple[int, int] | None, str]], across: int, width: int) -> list[str]:
    """Set cells in rows of `across`, in order or at their (row, column) from 1; or as a list.

    It is a list if the grid is too wide.
    """
    places: dict[tuple[int, int], str] = {}
    for i, (at, words) in enumerate(cells):
        places[at or (i // across + 1, i % across + 1)] = words
    down = max((row for row, _ in places), default=0)
    lines = [[places.get((row, column), "") for column in range(1, across + 1)] for row in range(1, down + 1)]
    if found := _aligned(lines, width) or _aligned(_two_lines(lines), width):
        return found
    return [line for row in lines for line in flow("", list(filter(None, row)), width, "    ")]


def rows(lines: Sequence[Sequence[str]], width: int) -> list[str]:
    """Set rows with aligned cells; if that is too wide, each row as a list after its first cell."""
    if found := _aligned(lines, width):
        return found
    head = min(max((len(row[0]) for row in lines if row), default=0), 20)
    return [
        line
        for first, *rest in lines
        for line in flow(f"{first:<{head}}  ", list(filter(None, rest)), width, " " * (head + 2))
    ]


def _aligned(lines: Sequence[Sequence[str]], width: int) -> list[str]:
    """Set rows with aligned cells; [] if that is too wide."""
    most = max(map(len, lines), default=0)
    wide = [max((len(row[i]) for row in lines if i < len(row)), default=0) for i in range(most)]
    counted = [2 * sum(_is_number(row[i]) for row in lines if i < len(row)) > len(lines) for i in range(most)]
    used = [i for i in range(most) if wide[i]]
    for gap in (GAP, " "):
        if sum(wide) + len(gap) * (len(used) - 1) <= width:
            return [
                gap.join(_set(row[i] if i < len(row) else "", wide[i], counted[i]) for i in used).rstrip()
                for row in lines
            ]
    return []


def _two_lines(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Split each row in two: the first word of each cell, and below it any further words."""
    found = []
    for row in lines:
        parts = [cell.partition(" ")[::2] for cell in row]
        found.append([first for first, _ in parts])
        if any(rest for _, rest in parts):
            found.append([rest for _, rest in parts])
    return found


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[−+]?\d{1,3}(,\d{3})*|·", cell) is not None


def _set(cell: str, width: int, counted: bool) -> str:
    """Align numbers by their last digit, words by their first letter."""
    return f"{cell:>{width}}" if counted and _is_number(cell) else f"{cell:<{width}}"


def flow(head: str, entries: Sequence[str], width: int, indent: str, tail: str = "") -> list[str]:
    """Set entries one after the other, after `head`.

    Lines break between entries, and within an entry only if it fills a line.
    """
    lines, line, fresh = [], head, True
    for i, entry in enumerate(entries):
        words = entry + (tail if i == len(entries) - 1 else f"{GLUE}|")
        if not fresh and len(f"{line} {words}") > width:
            lines.append(line)
            line, fresh = indent, True
        line += words if fresh else f" {words}"
        fresh = False
        if len(line) > width:
            first = line[: len(line) - len(line.lstrip())]
            *full, line = textwrap.wrap(
                line.strip(), width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
            )
            lines += full
    return [one.replace(GLUE, " ").rstrip() for one in (*lines, line)]


def diamond(cells: Sequence[str], across: int, width: int) -> list[str]:
    """Set a square of cells on its corner: the first on top, its row down to the right; else [].

    It is [] if the diamond is wider than the page.
    """
    most = max(map(len, cells))
    for half in range((most + 3) // 2, 0, -1):
        lines, fits = [], True
        for down in range(2 * across - 1):
            line = ""
            for row in range(min(down, across - 1), max(down - across, -1), -1):
                at = (2 * (down - row) - down + across - 1) * half
                fits = fits and (not line or len(line) < at)
                line = f"{line:<{at}}{cells[row * across + down - row]}"
            lines.append(line)
        if fits and max(map(len, lines)) <= width:
            return lines
    return []


def columns(found: Sequence[tuple[str, Sequence[str]]], width: int) -> list[str]:
    """Set columns, each with its heading; if they are too wide, make each a list."""
    deep = max((len(cells) for _, cells in found), default=0)
    lines = [[head for head, _ in found]]
    lines += [[cells[i] if i < len(cells) else "" for _, cells in found] for i in range(deep)]
    if sum(max(map(len, column)) + len(GAP) for column in zip(*lines, strict=True)) - len(GAP) <= width:
        return rows(lines, width)
    return rows([[head, *cells] for head, cells in found], width)
