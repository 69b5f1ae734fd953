"""Changes with their intervals below each other (a forest plot), as SVG in the colours of `charts`, narrow enough for a
phone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from parlour.analysis.charts import STYLE

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 420, 168, 30, 50, 26
ROW = 18
LETTERS = 19  # of a label
MARKS = 4  # lines of the grid, about


class Line(NamedTuple):
    """A line: its label, its kind (0: down, 1: up or other), the change and its interval, and whether it counts.

    Without numbers it is a heading.
    """

    label: str
    kind: int = 0
    numbers: tuple[float, float, float] | None = None
    counts: bool = False


def draw(title: str, note: str, lines: Sequence[Line], unit: str = "") -> str:
    """Return the lines below each other, with a line at 0. Those that count are filled, the others are open."""
    ends = [end for one in lines if one.numbers for end in one.numbers if math.isfinite(end)]
    step, low, high = _round(min([0.0, *ends]), max([0.0, *ends]))
    end = TOP + ROW * len(lines)

    def at(number: float) -> float:
        share = (min(max(number, low), high) - low) / (high - low)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {end + BOTTOM}" width="{WIDTH}" role="img">',
        f"<title>{escape(title)}</title><desc>{escape(note)}</desc>",
        f"<style>{STYLE} .open {{ fill: var(--paper) }} .head {{ font-weight: 600 }}</style>",
        f'<rect width="{WIDTH}" height="{end + BOTTOM}" rx="10" style="fill: var(--paper)"/>',
        f'<text class="title" x="12" y="22">{escape(title)}</text>',
        f'<text class="soft" x="12" y="39">{escape(note)}</text>',
    ]
    for i in range(round((high - low) / step) + 1):
        mark = round(low + i * step, 9)
        text = f"{mark:+,g}".replace("-", "−") if mark else "0"
        parts.append(f'<path class="{"grid" if mark else "zero"}" d="M{at(mark)} {TOP}V{end}"/>')
        parts.append(f'<text class="soft mid" x="{at(mark)}" y="{end + 17}">{text}{unit}</text>')
    for number, one in enumerate(lines):
        parts.append(_line(one, TOP + ROW * number + ROW // 2, at))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(one: Line, middle: int, at: Callable[[float], float]) -> str:
    short = one.label if len(one.label) <= LETTERS else f"{one.label[: LETTERS - 1]}…"
    if one.numbers is None:
        return f'<text class="head" x="12" y="{middle + 4}">{escape(one.label[: 2 * LETTERS])}</text>'
    value, low, high = map(at, one.numbers)
    about = f"{one.label}: {one.numbers[0]:+.3g}, {one.numbers[1]:+.3g} to {one.numbers[2]:+.3g}"
    shape = f'<path d="M{value} {middle - 5}l5 5-5 5-5-5z"' if one.kind else f'<circle cx="{value}" cy="{middle}" r="4"'
    filled = "" if one.counts else ' class="open"'
    return (
        f'<text class="end" x="{LEFT - 10}" y="{middle + 4}">{escape(short)}</text><g class="k{one.kind}">'
        f'<title>{escape(about)}</title><path d="M{low} {middle}H{high}"/>{shape}{filled}/></g>'
    )


def _round(low: float, high: float) -> tuple[float, float, float]:
    """Return a round step, and the round numbers that enclose low and high."""
    rough = (high - low or 1.0) / MARKS
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * k for k in (1, 2, 5, 10) if size * k >= rough * 0.999)
    return step, step * math.floor(low / step), max(step * math.ceil(high / step), step)
