"""Three kinds of picture (boxes for spreads, dots, spans), as SVG that follows the reader's light or dark theme."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from parlour.analysis.statistics import Share, Spread

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 860, 250, 30, 58, 40
ROW, LANE = 26, 13  # heights of a row of boxes and of a line of dots
STYLE = """
svg { --paper: #fbf7ee; --ink: #2a2118; --soft: #63543f; --line: #d6c7ab; --c0: #2873c4; --c1: #b0530a }
@media (prefers-color-scheme: dark) {
  svg { --paper: #191f27; --ink: #ece5d6; --soft: #aba595; --line: #3a4450; --c0: #6db0f7; --c1: #f0b04a }
}
text { font: 13px system-ui, sans-serif; fill: var(--ink) } .soft { fill: var(--soft); font-size: 12px }
.title { font-size: 16px; font-weight: 600 } .end { text-anchor: end } .mid { text-anchor: middle }
.grid { stroke: var(--line) } .zero { stroke: var(--soft); stroke-width: 1.5 }
.k0 { stroke: var(--c0); fill: var(--c0) } .k1 { stroke: var(--c1); fill: var(--c1) }
.box { fill-opacity: .28; stroke-width: 1.5 } .median { stroke-width: 3.5 }
text.k0, text.k1 { stroke: none; font-size: 11px }
"""


class Row(NamedTuple):
    """A line of a picture: its label, its kind (0 or 1: colour and mark), and its data."""

    label: str
    kind: int
    data: Spread | Sequence[Share]


def boxes(title: str, note: str, rows: Sequence[Row], kinds: Sequence[str]) -> str:
    """Return a row for each spread: half of the numbers in the box, nine tenths between the whiskers, the most as a
    dot."""
    spreads = [row.data for row in rows if isinstance(row.data, Spread)]
    axis = _Axis(min([0, *(s.low for s in spreads)]), max([1, *(s.most for s in spreads)]))
    body = []
    y = TOP
    for row, s in zip(rows, spreads, strict=True):
        middle, (low, box, median, end, high, most) = y + ROW // 2, (axis.at(n) for n in s[2:])
        about = f"{row.label}, {kinds[row.kind]}: median {s.median:,}, half from {s.quarter:,} to {s.three_quarters:,}"
        body.append(
            f'{_label(rows, row, middle)}<g class="k{row.kind}"><title>{escape(about)}; the most {s.most:,}</title>'
            f'<path d="M{low} {middle}H{box}M{end} {middle}H{high}M{low} {middle - 4}v8M{high} {middle - 4}v8"/>'
            f'<rect class="box" x="{box}" y="{middle - 8}" width="{max(1, round(end - box, 1))}" height="16"/>'
            f'<path class="median" d="M{median} {middle - 8}v16"/>{_mark(row.kind, most, middle)}</g>'
        )
        y += ROW
    return _svg(title, note, body, y, axis, kinds, "{:,.0f}")


def dots(title: str, note: str, rows: Sequence[Row], kinds: Sequence[str]) -> str:
    """Draw a line for each share of each row: its distance from an equal share, with interval, in percentage points."""
    lists = [row.data for row in rows if not isinstance(row.data, Spread)]
    away = [100 * (end - 1 / len(shares)) for shares in lists for share in shares for end in share]
    axis = _Axis(min([-1.0, *away]), max([1.0, *away]))
    body = [f'<path class="zero" d="M{axis.at(0)} {TOP}V{TOP + sum(LANE * len(s) + 10 for s in lists)}"/>']
    y = TOP
    for row, shares in zip(rows, lists, strict=True):
        y += 5
        body.append(_label(rows, row, y + LANE * len(shares) // 2))
        for place, share in enumerate(shares, 1):
            middle = round(y + LANE / 2, 1)
            at, low, high = (axis.at(100 * (number - 1 / len(shares))) for number in share)
            about = f"{row.label}, {kinds[row.kind]}, place {place}: {share.share:.1%}"
            body.append(
                f'<g class="k{row.kind}"><title>{escape(about)}</title><path d="M{low} {middle}H{high}"/>'
                f"{_mark(row.kind, at, middle)}</g>"
                f'<text class="k{row.kind}" x="{round(high + 6, 1)}" y="{middle + 4}">{place}</text>'
            )
            y += LANE
        y += 5
    return _svg(title, note, body, y, axis, kinds, "{:+,g}")


def spans(
    title: str, note: str, rows: Sequence[Row], kinds: Sequence[str], line: float, mark: str = "{:,g}"
) -> str:  # fmt: skip
    """Return a row for each number with its interval, and a line to compare them with; a row without data is a
    heading."""
    numbers = [row.data[0] for row in rows if row.data and not isinstance(row.data, Spread)]
    axis = _Axis(min([line, *(n.low for n in numbers)]), max([line, *(n.high for n in numbers)]))
    body = [f'<path class="zero" d="M{axis.at(line)} {TOP}V{TOP + ROW * len(rows)}"/>']
    left = iter(numbers)
    for y, row in enumerate(rows):
        middle = TOP + ROW * y + ROW // 2
        if not row.data:
            body.append(f'<text class="soft" x="18" y="{middle + 4}">{escape(row.label)}</text>')
            continue
        number = next(left)
        at, low, high = (axis.at(n) for n in number)
        about = f"{row.label}: {number.share:.1f}, {number.low:.1f} to {number.high:.1f}"
        whiskers = f"M{low} {middle}H{high}M{low} {middle - 4}v8M{high} {middle - 4}v8"
        body.append(
            f'<text class="end" x="{LEFT - 12}" y="{middle + 4}">{escape(row.label)}</text>'
            f'<g class="k{row.kind}"><title>{escape(about)}</title><path d="{whiskers}"/>'
            f"{_mark(row.kind, at, middle)}</g>"
        )
    return _svg(title, note, body, TOP + ROW * len(rows), axis, kinds, mark)


class _Axis:
    """Maps numbers to places, and picks round numbers for the grid."""

    def __init__(self, low: float, high: float) -> None:
        rough = (high - low or 1) / 7
        size = 10.0 ** (len(f"{rough:.0f}") - 1) if rough >= 1 else 0.1
        self.step = next(size * k for k in (1, 2, 5, 10, 20, 50) if size * k >= rough)
        self.low, self.high = self.step * (low // self.step), self.step * -(-high // self.step)

    def at(self, number: float) -> float:
        return round(LEFT + (number - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT), 1)

    def marks(self) -> Iterator[float]:
        for i in range(round((self.high - self.low) / self.step) + 1):
            yield round(self.low + i * self.step, 6)


def _label(rows: Sequence[Row], row: Row, middle: float) -> str:
    """Draw the label at the left, once for rows that differ only in their kind."""
    if row.label in [one.label for one in rows[: rows.index(row)]]:
        return ""
    return f'<text class="end" x="{LEFT - 12}" y="{middle + 4}">{escape(row.label)}</text>'


def _mark(kind: int, x: float, y: float) -> str:
    """Draw a dot or a diamond, so that kinds differ in shape as well as colour."""
    return f'<path d="M{x} {y - 5}l5 5-5 5-5-5z"/>' if kind else f'<circle cx="{x}" cy="{y}" r="3.5"/>'


def _svg(title: str, note: str, body: list[str], end: int, axis: _Axis, kinds: Sequence[str], mark: str) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {end + BOTTOM}" width="{WIDTH}" role="img">',
        f"<title>{escape(title)}</title><desc>{escape(note)}</desc><style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{end + BOTTOM}" rx="10" style="fill: var(--paper)"/>',
        f'<text class="title" x="18" y="25">{escape(title)}</text>',
        f'<text class="soft" x="18" y="44">{escape(note)}</text>',
    ]
    x = WIDTH - RIGHT
    for kind, name in reversed(list(enumerate(kinds))):
        sign = f'<tspan style="fill: var(--c{kind})">{"◆" if kind else "●"}</tspan>'
        parts.append(f'<text class="end" x="{x}" y="25">{sign} {escape(name)}</text>')
        x -= 30 + 8 * len(name)
    for number in axis.marks():
        parts.append(f'<path class="grid" d="M{axis.at(number)} {TOP}V{end}"/>')
        text = mark.format(number).replace("-", "−") if number else "0"
        parts.append(f'<text class="soft mid" x="{axis.at(number)}" y="{end + 20}">{text}</text>')
    return "\n".join([*parts, *body, "</svg>"]) + "\n"
