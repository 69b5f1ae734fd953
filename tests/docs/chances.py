"""Write the first table of docs/chances.md: a line for each of the tables below it, which `parlour calibrate` wrote.

python -m tests.docs.chances --write
"""

from __future__ import annotations

import re
from typing import NamedTuple

from parlour.bots.levels import DEFAULT, LEVELS
from tests.docs.written import DOCS, Written

HEADS = (
    "setup", "level", "games", "as found", "corrected", "if true", "if true, at most", "middle", "ends", "shift",
)  # fmt: skip
SECTION = re.compile(r"<!-- written by `parlour calibrate`, [\w-]+: begin -->(.*?)<!-- written by", re.DOTALL)
TITLE = re.compile(r"\*\*(?P<setup>.+), level (?P<level>\w+)\*\*, (?P<games>[\d,]+) games")
ERROR = r": calibration error ([\d.]+) points; true chances would have ([\d.]+) in so few games, and at most ([\d.]+)"
NUMBERS = re.compile(r"other games(?: of level (\w+))?: middle ([\d.]+), ends ([\d.]+), shift (−?[\d.]+)\.")


class Line(NamedTuple):
    """A table of the page, in a line."""

    setup: str
    level: str
    cells: tuple[str, ...]


def lines(page: str) -> list[Line]:
    """Return a line for each table, by setup; first the level that is corrected, then the others, the best first."""
    order = [DEFAULT, *LEVELS]
    found = [_line(" ".join(part.split())) for part in SECTION.findall(page)]
    return sorted(found, key=lambda one: (one.setup, order.index(one.level)))


def _line(part: str) -> Line:
    title, numbers = TITLE.search(part), NUMBERS.search(part)
    plain, better = (re.search(f"Chances {how}{ERROR}", part) for how in ("as found", "corrected"))
    assert title
    assert plain
    fitted = () if numbers is None else (("as " + numbers[1],) * 3 if numbers[1] else numbers.groups()[1:])
    shown = better or plain
    cells = (title["games"], plain[1], better[1] if better else "", shown[2], shown[3], *fitted, *[""] * 3)
    return Line(title["setup"], title["level"], cells[: len(HEADS) - 2])


def written() -> str:
    """Return the table."""
    rows = [HEADS, ("---", "---", *["--:"] * (len(HEADS) - 2))]
    rows += [(one.setup, one.level, *one.cells) for one in lines((DOCS / "chances.md").read_text("utf-8"))]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


PAGE = Written("chances", written)

if __name__ == "__main__":
    PAGE.main()
