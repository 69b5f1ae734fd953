"""SVG symbols that every page has: the players' marks, and stand-ins for games without art.

The stand-ins are pips of dice, cuts of gems, the back of a card and a game's cover.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from itertools import pairwise
from math import cos, pi, sin
from zlib import crc32

from parlour.core.colours import CLOTHS, board, contrast, is_plain, mix

CUTS = 6  # of gems
_SYMBOL = re.compile(r"<symbol\b.*?</symbol>", re.DOTALL)
_PAINTS = re.compile("<(?:linearGradient|radialGradient|pattern|clipPath|mask|marker|filter)\\b")
_STONES = (  # the names of gems of each cut and colour
    ("ruby", "garnet", "red"), ("sapphire", "blue"), ("emerald", "jade", "green"),
    ("topaz", "amber", "citrine", "yellow", "gold", "orange"), ("amethyst", "purple", "violet"),
    ("diamond", "pearl", "opal", "crystal", "white"),
)  # fmt: skip

_SEATS = (
    "M10 1.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z",
    "M10 .5L19.500 10 10 19.500.5 10z",
    "M10 1.500L19.500 18H.5z",
    "M2.500 2.500h15v15h-15z",
    "M5.500 2h9L19 10l-4.500 8h-9L1 10z",
    "M10 .8l2.800 6 6.500.8-4.800 4.500 1.300 6.500L10 15.400l-5.800 3.200 1.300-6.500L.7 7.600l6.500-.8z",
)
_PIPS = ("c", "ab", "acb", "abde", "abcde", "abdefg")  # the places of the pips of each face
_PLACES = {"a": (8, 8), "b": (22, 22), "c": (15, 15), "d": (22, 8), "e": (8, 22), "f": (8, 15), "g": (22, 15)}
_CUTS = ((8, 22.5), (6, 0), (4, 0), (3, -90), (5, -90), (12, 0))  # corners of each cut, and its rotation


def pips(face: int) -> str:
    """Return the symbol of a die's face, from 1 to 6."""
    places = (_PLACES[place] for place in _PIPS[face - 1])
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="3.1"/>' for x, y in places)
    return f'<symbol id="pips-{face}" viewBox="0 0 30 30">{dots}</symbol>'


def gem(cut: int) -> str:
    """Return the symbol of a gem: a stone seen from above, lit from the upper left."""
    corners, turn = _CUTS[cut]
    angles = [(turn + 360 * i / corners) * pi / 180 for i in range(corners + 1)]
    rim = [(20 + 18 * cos(a), 20 + 18 * sin(a)) for a in angles]
    table = [(20 + 9.5 * cos(a), 20 + 9.5 * sin(a)) for a in angles]
    facets = ""
    for (a, b), (c, d), middle in zip(pairwise(rim), pairwise(table), (x + pi / corners for x in angles), strict=False):
        light = cos(middle - 1.25 * pi)  # 1 towards the light, -1 away from it
        shade = f"#fff{round(5 + 5 * light):x}" if light > 0 else f"#000{round(-6 * light):x}"
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in (a, b, d, c))
        facets += f'<polygon points="{points}" fill="{shade}"/>'
    outline = " ".join(f"{x:.2f},{y:.2f}" for x, y in rim[:-1])
    flat = " ".join(f"{x:.2f},{y:.2f}" for x, y in table[:-1])
    return (
        f'<symbol id="gem-{cut}" viewBox="0 0 40 40"><polygon points="{outline}"/>{facets}'
        f'<polygon points="{flat}" fill="#fff3"/><polygon points="{outline}" fill="none" stroke="#0006"/></symbol>'
    )


def stone(name: str) -> int:
    """Return the cut and colour of the gem called `name`.

    They are those of the stone or colour in its name, else an arbitrary but fixed choice.
    """
    words = name.lower().split()
    known = [i for i, names in enumerate(_STONES) if any(word in names for word in words)]
    return known[0] if known else chosen(name.lower(), CUTS)


def chosen(name: str, among: int) -> int:
    """Return a number below `among` that is always the same for a name."""
    return crc32(name.encode()) % among


def only_defined(symbols: str) -> str:
    """Return a picture that shows nothing, and defines symbols.

    Without `display="none"` a browser would style and lay out the symbols here too, with all that
    they use: thousands of elements when a page opens, however few of them a board shows.
    """
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
        f'<defs display="none">{symbols}</defs></svg>'
    )


@cache  # every page of a game has its pictures
def apart(pictures: str) -> str:
    """Return pictures with their symbols in a picture that only defines them.

    Gradients, patterns, clips, masks and filters stay where they are, and so do symbols that have
    one: what is not laid out has none of them in any browser.
    """
    moved: list[str] = []

    def take(found: re.Match[str]) -> str:
        if _PAINTS.search(found[0]):
            return found[0]
        moved.append(found[0])
        return ""

    rest = _SYMBOL.sub(take, pictures)
    return rest + only_defined("".join(moved)) if moved else pictures


SHAPES = only_defined(
    "".join(f'<symbol id="seat-{i}" viewBox="0 0 20 20"><path d="{d}"/></symbol>' for i, d in enumerate(_SEATS))
    + "".join(map(pips, range(1, 7)))
    + "".join(map(gem, range(CUTS)))
)


def cover(name: str, title: str, said: Mapping[str, str] | None = None) -> str:
    """Return the lobby's picture of a game without one: its title on its board, as a <symbol>.

    `said`: colours of the board; without a cloth, the name decides on one. What the title is written
    in is the board's ink, and the frame its metal.
    """
    given = {key: value for key, value in (said or {}).items() if is_plain(value)}
    found = board(given, given.get("--cloth", CLOTHS[chosen(name, len(CLOTHS))]))
    colour, deep, gold, ink = (found[key] for key in ("--cloth", "--cloth-deep", "--metal", "--cloth-ink"))
    light = mix(colour, "#ffffff", 0.13)
    if min(contrast(ink, ground) for ground in (colour, deep, light)) < 4.5:
        ink = board({}, colour)["--cloth-ink"]
    size = min(50.0, 480 / max(len(title), 1))  # a serif's letters are some 0.6 as wide as high
    form = chosen(name[::-1], 3)
    corners = "".join(
        f'<g transform="translate({x} {y}) scale({sx} {sy})">{_ORNAMENTS[form]}</g>'
        for x, y, sx, sy in ((24, 24, 1, 1), (376, 24, -1, 1), (24, 216, 1, -1), (376, 216, -1, -1))
    )
    return (
        f'<symbol id="{name}-cover" viewBox="0 0 400 240"><defs>'
        f'<radialGradient id="{name}-lamp" cx=".5" cy=".1" r=".95"><stop stop-color="{light}"/>'
        f'<stop offset=".55" stop-color="{colour}"/>'
        f'<stop offset="1" stop-color="{deep}"/></radialGradient></defs>'
        f'<rect width="400" height="240" fill="url(#{name}-lamp)"/>'
        f'<g fill="none" stroke="{gold}"><rect x="12" y="12" width="376" height="216" rx="12" stroke-width="2"/>'
        f'<rect x="18" y="18" width="364" height="204" rx="8" stroke-opacity=".45"/>'
        f'<g stroke-width="1.5">{corners}</g></g>'
        f'<g fill="{gold}"><path d="M200 62l7 12-7 12-7-12z"/><path d="M110 73.500h70v1h-70zM220 73.500h70v1h-70z"/>'
        f'<path d="M200 154l7 12-7 12-7-12z"/><path d="M110 165.500h70v1h-70zM220 165.500h70v1h-70z"/></g>'
        f'<text x="200" y="120" text-anchor="middle" dominant-baseline="central" font-family="Iowan Old Style, '
        f'Palatino Linotype, Palatino, Georgia, serif" font-weight="600" font-size="{size:.1f}" fill="{ink}">'
        f"{escape(title)}</text></symbol>"
    )


_ORNAMENTS = (
    '<path d="M2 44V14A12 12 0 0 1 14 2h30M8 34V18A10 10 0 0 1 18 8h16"/><circle cx="16" cy="16" r="3"/>',
    '<path d="M2 46V2h44M9 36V9h27M16 26V16h10"/>',
    '<path d="M2 46C2 20 20 2 46 2M2 32C2 16 16 2 32 2M2 18C2 8 8 2 18 2"/>',
)
