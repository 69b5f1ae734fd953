"""Curves with intervals, as SVG in the style of `charts`: a panel for each measure, a curve for each kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from parlour.analysis.charts import STYLE, WIDTH

if TYPE_CHECKING:
    from parlour.analysis.sweeping import Sweep

PANEL, GAP, TOP, LEFT, RIGHT, BOTTOM = 190, 52, 64, 90, 150, 30  # heights of a panel and between two, and margins
ROWS = 4  # lines of a panel's grid, about
MOST_CURVES = 8
COLOURS = 2


class Place(NamedTuple):
    """A point of a curve: where it is across (0 to 1), its words there, its value, and its interval."""

    across: float
    words: str
    value: float
    low: float
    high: float


class Panel(NamedTuple):
    """A picture of one measure: its title, its unit, and its curves by label."""

    title: str
    unit: str
    curves: dict[str, list[Place]]


def of_sweep(title: str, sweep: Sweep) -> str:
    """Draw a sweep: its first axis across, a curve for each combination of the others; dots for a hypercube."""
    first, rest = sweep.axes[0], sweep.axes[1:]
    across = _across(first.values)
    panels = []
    for measure in sweep.measures:
        factor = 100 if measure.unit == "%" else 1
        curves: dict[str, list[Place]] = {}
        for point, found in zip(sweep.points, sweep.found, strict=True):
            if (one := found.get(measure.name)) is None:
                continue
            value = point[first.name]
            label = ", ".join(f"{axis.name} {point[axis.name]}" for axis in rest)
            place = Place(across[first.values.index(value)], str(value), *(factor * number for number in one))
            curves.setdefault(label, []).append(place)
        panels.append(Panel(measure.title, measure.unit, curves))
    if any(len(panel.curves) > MOST_CURVES for panel in panels):
        panels = [Panel(one.title, one.unit, {"": [p for c in one.curves.values() for p in c]}) for one in panels]
    note = f"{first.name}; {sweep.games:,} games of each point; the bars are 95 % confidence intervals."
    return draw(f"{title}: {', '.join(axis.name for axis in sweep.axes)}", note, panels)


def _across(values: Sequence[object]) -> list[float]:
    """Return where values are across: numbers by their size, others evenly."""
    numbers = [float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == len(values) and min(numbers) < max(numbers):
        return [(number - min(numbers)) / (max(numbers) - min(numbers)) for number in numbers]
    return [(i + 0.5) / len(values) for i in range(len(values))]


def draw(title: str, note: str, panels: Sequence[Panel]) -> str:
    """Return the panels below each other, as SVG."""
    height = TOP + len(panels) * (PANEL + GAP) + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img">',
        f"<title>{escape(title)}</title><desc>{escape(note)}</desc><style>{STYLE} .curve {{ fill: none }}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="10" style="fill: var(--paper)"/>',
        f'<text class="title" x="18" y="25">{escape(title)}</text>',
        f'<text class="soft" x="18" y="44">{escape(note)}</text>',
    ]
    for number, panel in enumerate(panels):
        parts += _panel(panel, TOP + number * (PANEL + GAP) + 22)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel, top: int) -> list[str]:
    places = [place for curve in panel.curves.values() for place in curve]
    ends = [end for place in places for end in (place.value, place.low, place.high) if math.isfinite(end)]
    step, low, high = _round(min(ends, default=0.0), max(ends, default=1.0))
    unit = f" {panel.unit}" if panel.unit else ""

    def up(value: float) -> float:
        return round(top + PANEL * (high - min(max(value, low), high)) / (high - low), 1)

    def along(share: float) -> float:
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    parts = [f'<text x="18" y="{top - 10}">{escape(panel.title)}</text>']
    for i in range(round((high - low) / step) + 1):
        mark = low + i * step
        parts.append(f'<path class="grid" d="M{LEFT} {up(mark)}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="soft end" x="{LEFT - 8}" y="{up(mark) + 4}">{_number(mark)}{unit}</text>')
    for share, words in _labels(places):
        parts.append(f'<text class="soft mid" x="{along(share)}" y="{top + PANEL + 17}">{escape(words)}</text>')
    for number, (label, curve) in enumerate(panel.curves.items()):
        ordered = sorted(curve)
        kind = number % COLOURS
        line = "".join(f"{'L' if i else 'M'}{along(one.across)} {up(one.value)}" for i, one in enumerate(ordered))
        distinct = len({one.across for one in ordered}) == len(ordered)
        body = [f'<path class="curve" d="{line}"/>'] if distinct else []
        for one in ordered:
            x = along(one.across)
            about = f"{label + ': ' if label else ''}{one.words}: {_number(one.value)}{unit}"
            body.append(f'<g><title>{escape(about)}</title><path d="M{x} {up(one.low)}V{up(one.high)}"/>')
            body.append(f'<circle cx="{x}" cy="{up(one.value)}" r="3.5"/></g>')
        parts.append(f'<g class="k{kind}">{"".join(body)}</g>')
        if label:
            x, y = along(ordered[-1].across) + 8, up(ordered[-1].value) + 4
            parts.append(f'<text class="k{kind}" x="{x}" y="{y}">{escape(label)}</text>')
    return parts


def _labels(places: Sequence[Place]) -> list[tuple[float, str]]:
    """Return the words below, no more than fit beside each other."""
    found = sorted({one.across: one.words for one in places}.items())
    wide = max((len(words) for _, words in found), default=1)
    fit = max(2, (WIDTH - LEFT - RIGHT) // (8 * wide + 12))
    every = -(-len(found) // fit) or 1
    return found[::every]


def _round(low: float, high: float) -> tuple[float, float, float]:
    """Return a round step, and the round numbers that enclose low and high."""
    rough = (high - low or abs(high) or 1.0) / ROWS
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * k for k in (1, 2, 5, 10) if size * k >= rough * 0.999)
    bottom, top = step * math.floor(low / step), step * math.ceil(high / step)
    return step, bottom, top if top > bottom else bottom + step


def _number(value: float) -> str:
    return f"{round(value, 6):,g}".replace("-", "−")
