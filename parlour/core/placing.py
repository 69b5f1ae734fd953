"""Where things lie, without style attributes: numbers as data attributes, and one sheet of rules for them.

The table's pages allow no inline styles (`style-src 'self'`), so that nothing smuggled into a page
can restyle it. Rows, columns and parts of a line are therefore a finite set of numbers: the
renderer writes `data-row="3"`, and `sheet()` has a rule for each number. So a page is laid out
before any script runs, and a notebook like a page. As with a style attribute, a game's look does
not outweigh these rules.
"""

from __future__ import annotations

MOST = 64  # the last row, column, cell or lane that has a rule
COUNTS = {  # what is counted, and what the count does
    "row": "grid-row:{}",
    "column": "grid-column:{}",
    "columns": "--columns:{}",
    "cells": "--cells:{}",
    "lanes": "--lanes:{}",
    "lane": "--lane:{}",
}
SIDES = ("left", "top")  # parts of a width or height, in tenths of a percent


def counted(**numbers: int) -> str:
    """Return attributes for some of COUNTS; a number that has no rule is left out.

    A piece without attributes flows, as if its place were not given.
    """
    return "".join(f' data-{name}="{number}"' for name, number in numbers.items() if 0 <= number <= MOST)


def shared(**parts: float) -> str:
    """Return attributes for some of SIDES, in parts of the whole: 0.335 is at 33.5 %.

    Parts outside the whole are moved to its edge.
    """
    return "".join(f' data-{name}="{100 * min(max(part, 0.0), 1.0):.1f}"' for name, part in parts.items())


def areas(template: str) -> list[str]:
    """Return the names in a value of `grid-template-areas`, each once."""
    return list(dict.fromkeys(name for name in template.replace("'", " ").replace('"', " ").split() if name.strip(".")))


def sheet() -> str:
    """Return the rules for all numbers. It belongs to core's look (`core.html.look`)."""
    rules = [
        f'[data-{name}="{number}"]{{{rule.format(number)}!important}}'
        for name, rule in COUNTS.items()
        for number in range(MOST + 1)
    ]
    for side in SIDES:  # "33.5" begins with "33." and ends with ".5"
        rules += [f'[data-{side}^="{whole}."]{{--{side}:{whole}%}}' for whole in range(101)]
        rules += [f'[data-{side}$=".{tenth}"]{{--{side}-more:.{tenth}%}}' for tenth in range(10)]
        rules.append(f"[data-{side}]{{{side}:calc(var(--{side}) + var(--{side}-more))!important}}")
    return "\n".join(rules) + "\n"
