"""People's pictures: a figure on a patterned ground, drawn as SVG. A picture is four words, which are stored.

All grounds have a contrast of at least 3 to pages in both themes, and all inks to all grounds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from importlib import resources
from typing import NamedTuple


class Picture(NamedTuple):
    """What a picture is made of, each by its name."""

    figure: str
    pattern: str
    ground: str
    ink: str


GROUNDS: Mapping[str, str] = {
    "sea": "#277c82", "moss": "#5a7434", "brass": "#8f681d", "rust": "#b0532e", "rose": "#b4496a",
    "plum": "#9158a0", "dusk": "#5b66b0", "slate": "#5c6f80",
}  # fmt: skip
INKS: Mapping[str, str] = {
    "cream": "#fff6e2", "gold": "#ffe08a", "mint": "#cdf5dc", "sky": "#d8ecff", "blush": "#ffe1dc",
}  # fmt: skip
_SYMBOL = re.compile(r'<symbol id="(\w+)-(\w+)">(.*?)</symbol>')
_DRAWN = _SYMBOL.findall((resources.files("parlour.house.profiles") / "parts.svg").read_text("utf-8"))
FIGURES, PATTERNS = ({name: svg for kind, name, svg in _DRAWN if kind == which} for which in ("figure", "pattern"))
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Figure", tuple(FIGURES)), ("Pattern", tuple(PATTERNS)), ("Ground", tuple(GROUNDS)), ("Ink", tuple(INKS)),
)  # fmt: skip


def default(guest: str) -> Picture:
    """Return the picture of a guest who has chosen none. It follows from their id, and does not reveal it."""
    made = sha256(f"picture {guest}".encode()).digest()
    return Picture(*(names[made[i] % len(names)] for i, (_, names) in enumerate(PARTS)))


def parse(text: str) -> Picture | None:
    """Return the picture that these words name; None unless all of them exist."""
    words = text.split(" ")
    fits = len(words) == len(PARTS) and all(word in names for word, (_, names) in zip(words, PARTS, strict=True))
    return Picture(*words) if fits else None


def drawn(picture: Picture) -> str:
    """Return a picture as SVG: decoration, since the name beside it says whose it is."""
    ground = GROUNDS[picture.ground]
    figure = FIGURES[picture.figure].replace('class="hollow"', f'class="hollow" fill="{ground}"')
    return (
        f'<svg class="portrait" viewBox="0 0 64 64" aria-hidden="true" color="{INKS[picture.ink]}">'
        f'<rect width="64" height="64" fill="{ground}"/><g class="pattern">{PATTERNS[picture.pattern]}</g>'
        f'<g class="figure">{figure}</g></svg>'
    )
