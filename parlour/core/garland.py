"""The head of a result: what hangs over the headline of those who won, and what has fallen for those who lost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from parlour.core.html import shape

GIFTS = {"won": 10, "drawn": 4, "lost": 1}  # by the viewer's mood (`standing.Headline`); look in table.css for places
STRING = (
    '<svg class="string" viewBox="0 0 100 20" preserveAspectRatio="none"><path d="M0 0Q25 32 50 0Q75 32 100 0"/></svg>'
)


def garland(mood: str, faces: Sequence[str], seat: int) -> str:
    """Return the head of a result for a viewer in this mood, "" for observers: the game's own objects (`Scenes.CHEER`),
    or the shape of the seat that won."""
    n = GIFTS.get(mood, 0)
    if not n:
        return ""
    drawn = [f'<svg><use href="#{escape(face)}"/></svg>' for face in faces] or [shape(seat)]
    gifts = "".join(drawn[at % len(drawn)] for at in range(n))
    return f'<span class="garland" aria-hidden="true">{STRING if n > 1 else ""}{gifts}</span>'
