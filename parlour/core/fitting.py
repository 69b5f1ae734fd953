"""Estimates of text width, so that a title fits on one line and a name on its plate. The content security policy
allows no computed styles, so pages choose among a few sizes in the stylesheets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import combining, east_asian_width

SIZES = (12, 16, 20, 24, 28)  # how many ems a title may be wide; `[data-em]` in page.css
NAMES = (10, 12, 16, 20, 30)  # how many ems the longest word of a name may be wide; `[data-wide]` in scene.css
NARROW = frozenset("iljtfrI.,:;'!|()[] ")
LEAST = 8  # ems that every plate has room for
BOLD, STAR = 1.12, 1.3  # how much wider bold makes a title; the width of the sign before it, in ems
SIGN = re.compile(r"\{(\d+)\}")  # the name of a seat in a title


def title_size(words: str, names: Sequence[str]) -> int:
    """Return which of SIZES a title takes: the smallest that keeps it on one line. In `words`, "{0}" is the name of
    seat 0. A title with several names breaks between them, so the longest part decides."""
    seats = [int(seat) for seat in SIGN.findall(words)]
    whole = [words.format(*names)] if len(seats) < 2 else [*(names[seat] for seat in seats), SIGN.split(words)[-1]]
    return next((size for size in SIZES if BOLD * width(max(whole, key=width)) + STAR <= size), SIZES[-1])


def name_size(name: str) -> int:
    """Return which of NAMES a name on a plate takes, on two lines at most; 0 if it needs none, as most do."""
    em = BOLD * max([width(name) / 2, *map(width, name.split())]) + STAR
    return 0 if em <= LEAST else next((size for size in NAMES if em <= size), NAMES[-1])


def width(words: str) -> float:
    """Return how wide words are in ems, in the widest of the serifs that pages use."""
    return sum(map(_letter, words))


def _letter(one: str) -> float:
    if combining(one):
        return 0
    if one in NARROW:
        return 0.42
    if one in "WMm@%" or east_asian_width(one) in "WF":
        return 1.05
    return 0.8 if one.isupper() else 0.64
