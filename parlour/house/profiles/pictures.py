"""People's pictures: a figure on a patterned ground, drawn as SVG. A picture is four words, which are stored; bots have
one that no person can choose.

All grounds have a contrast of at least 3 to pages in both themes, and all inks to all grounds. A picture refers to its
parts in a file that browsers keep (`static/avatars.svg`), so that it weighs little wherever a name is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from importlib import resources
from typing import NamedTuple

from parlour.house.table.storage.rows import SeatRow


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
BOT = "bot"  # the figure of bots
_SYMBOL = re.compile(r'<symbol id="(\w+)-(\w+)"')
_DRAWN = _SYMBOL.findall((resources.files("parlour.house.profiles") / "static" / "avatars.svg").read_text("utf-8"))
FIGURES, PATTERNS = (
    tuple(name for kind, name in _DRAWN if kind == which and name != BOT) for which in ("figure", "pattern")
)
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Figure", FIGURES), ("Pattern", PATTERNS), ("Ground", tuple(GROUNDS)), ("Ink", tuple(INKS)),
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


def shown(guest: str, chosen: str | None = "") -> Picture:
    """Return a guest's picture: what they have chosen, else the one that follows from their id."""
    return parse(chosen or "") or default(guest)


def of_bot(name: str) -> Picture:
    """Return the picture of bots, in the ink of this one."""
    inks = tuple(INKS)
    return Picture(BOT, "plain", "slate", inks[sha256(name.encode()).digest()[0] % len(inks)])


def of_seat(seat: SeatRow) -> Picture | None:
    """Return the picture of a seat's player; None for a free seat. While a bot plays on for a player, it is theirs."""
    if seat.kind == "here":  # another person on the same device
        return default(f"{seat.guest_id} {seat.seat}")
    if seat.guest_id:
        return shown(seat.guest_id, seat.picture)
    return of_bot(seat.bot) if seat.kind == "bot" else None


def within(picture: Picture, parts: str) -> str:
    """Return what a picture is made of, to be drawn in a square of 64. `parts` is the address of `avatars.svg`."""
    ground, ink = GROUNDS[picture.ground], INKS[picture.ink]
    return (
        f'<rect width="64" height="64" fill="{ground}"/>'
        f'<use href="{parts}#pattern-{picture.pattern}" color="{ink}" fill="none" stroke="{ink}" stroke-width="5"'
        ' opacity=".17"/>'
        f'<use href="{parts}#figure-{picture.figure}" color="{ground}" fill="{ink}" stroke="{ink}" stroke-width="0"/>'
    )


def drawn(picture: Picture, parts: str) -> str:
    """Return a picture as SVG: decoration, since the name beside it says whose it is. `parts` as in `within`."""
    return f'<svg class="avatar" viewBox="0 0 64 64" aria-hidden="true">{within(picture, parts)}</svg>'
