"""Addresses as QR codes, to open them on a phone."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from itertools import groupby

import segno

QUIET = 4  # modules without anything round a code: readers need them to find it
DARK, LIGHT = "#000", "#fff"  # in every theme: many readers do not find a code that is light on dark


@lru_cache(256)
def code(address: str) -> str:
    """Return a QR code as SVG, which is kept."""
    return drawn(address)


def drawn(address: str) -> str:
    """Return a QR code as SVG, one path on a light ground. It takes some milliseconds, up to fifty for the
    longest address."""
    modules = segno.make_qr(address, error="m").matrix
    size = len(modules) + 2 * QUIET
    runs = "".join(f"M{x} {y}h{width}v1h-{width}z" for y, row in enumerate(modules, QUIET) for x, width in _dark(row))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img" '
        f'aria-label="QR code of {escape(address)}" shape-rendering="crispEdges">'
        f'<rect width="{size}" height="{size}" fill="{LIGHT}"/><path fill="{DARK}" d="{runs}"/></svg>'
    )


def _dark(row: bytearray) -> list[tuple[int, int]]:
    """Return the dark runs of a row: where they begin, and how many modules they have."""
    found, x = [], QUIET
    for dark, run in groupby(row):
        width = len(list(run))
        if dark:
            found.append((x, width))
        x += width
    return found
