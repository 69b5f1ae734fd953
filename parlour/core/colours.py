"""Measure how readable colours are, and derive a board's colours from that of its cloth."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Cloths for games that name none; cream letters are readable on each of them.
CLOTHS = ("#2f6650", "#2c5272", "#6b3140", "#4d4070", "#2a5f66", "#6a4a2c", "#474f5c", "#73412f")
INK = "#f8f1e0"  # letters on a dark cloth
PRINT = "#2b2119"  # letters on a light one


# `light-dark(a, b)`, each a colour or a function of some.
EITHER = re.compile(r"light-dark\(((?:[^(),]|\([^()]*\))+),((?:[^(),]|\([^()]*\))+)\)")


def portable(css: str) -> str:
    """Write `light-dark(a, b)` for browsers without it (before spring 2024), which would lose the colour.

    Of --light and --dark (tokens.css) one is empty and the other not valid, so that its fallback applies.
    """
    return EITHER.sub(r"var(--light,\1) var(--dark,\2)", css)


def channels(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of #rgb or #rrggbb. Raises ValueError for anything else."""
    if not is_plain(colour):
        raise ValueError(f"{colour!r} is not a colour written as #rrggbb.")
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def is_plain(colour: str) -> bool:
    """Return whether a colour is written as #rgb or #rrggbb."""
    return re.fullmatch(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})", colour) is not None


def mix(one: str, other: str, share: float) -> str:
    """Return the colour at `share` (0 to 1) of the way from `one` to `other`, as #rrggbb."""
    pairs = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.2)."""
    parts = (part / 255 for part in channels(colour))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21; text needs 4.5 or more (WCAG 2.2, AA)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def board(given: Mapping[str, str], cloth: str) -> dict[str, str]:
    """Return the colours of a board as CSS custom properties: those `given`, and what they lack.

    The missing colours are derived from the cloth; `cloth` applies if `given` names none. The
    game's own colours never change. If its cloth is not written as #rrggbb, nothing can be derived
    from it, and the result is just what was given.
    """
    colour = given.get("--cloth", cloth)
    if not is_plain(colour):
        return dict(given)
    dark = contrast(colour, INK) >= contrast(colour, PRINT)
    ink, far = (INK, "#ffffff") if dark else (PRINT, "#000000")
    deep = mix(colour, "#000000", 0.34 if dark else 0.04)
    shades = (colour, mix(deep, "#000000", 0.06), mix(colour, "#ffffff", 0.13))  # at the rim, and below the lamp
    found = {
        "--cloth": colour,
        "--cloth-deep": deep,
        "--lamp": "#ffffff1f" if dark else "#ffffff80",
        "--rim": "#00000066" if dark else "#0000000d",  # how much darker the board is far from the lamp
        "--well": "#0000003d" if dark else "#ffffff59",  # the background of a panel, space or badge
        "--cloth-ink": _readable(ink, far, shades, 7.0),
        "--cloth-soft": _readable(mix(ink, colour, 0.28), far, shades, 4.8),
        "--cloth-line": f"{mix(ink, colour, 0.45)}80",
        "--metal": mix("#d8b66c", colour, 0.12) if dark else mix("#8a6426", colour, 0.12),
        "--danger": _readable("#ffb3a1" if dark else "#a3261b", far, shades, 4.8),
    }
    return found | dict(given)


def _readable(colour: str, far: str, on: tuple[str, ...], least: float) -> str:
    """Return the colour, moved towards `far` just enough to be readable on all of `on`."""
    for step in range(21):
        nearer = mix(colour, far, step / 20)
        if min(contrast(nearer, one) for one in on) >= least:
            return nearer
    return far
