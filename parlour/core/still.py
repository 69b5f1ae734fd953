"""A board as a picture of its own: SVG that a page shows as an image, with only the styles and symbols that it uses.

A picture has no scripts and loads nothing, and its styles and the page's do not mix. What is drawn is HTML, written as
XML (`foreignObject`).
"""

from __future__ import annotations

import re
from html import escape

from parlour.core import html, pruning
from parlour.core.game import Game
from parlour.core.scene import Scene

WIDTH, HEIGHT = 900, 640  # of the room that the board is laid out in
_TAG = re.compile(r"<([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:=(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))?)*)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([^\s=>/]+)(?:=(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_VOID = ("br", "hr", "img", "input", "wbr")  # elements without an end tag


def still(game: Game, scene: Scene) -> str:
    """Return the board of a scene as SVG."""
    body = html.picture(game, scene.board)
    whole = "margin:0;height:100%;display:grid;place-items:center;overflow:hidden;background:var(--cloth)"
    rest = (
        f".still{{{whole};font-family:var(--sans)}}.still>.scene{{width:100%;padding:0}}.still .clause{{display:none}}"
    )
    css = f"{html.look()}{html.style(game)}{rest}"
    symbols = pruning.symbols(f"{html.SHAPES}{html.art(game)}", body, css)
    frame = f'class="still game-{escape(game.name)}"'
    style = pruning.style(css, f"<div {frame}>{body}</div>{symbols}")
    inner = f'<div xmlns="http://www.w3.org/1999/xhtml" {frame}>{_xml(symbols)}{_xml(body)}</div>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>{escape(game.text.TITLE)}</title><style>{escape(style, quote=False)}</style>"
        f'<foreignObject width="{WIDTH}" height="{HEIGHT}">{inner}</foreignObject></svg>'
    )


def _xml(markup: str) -> str:
    """Return HTML as XML: every attribute has a value in quotes, and every element ends."""

    def tag(found: re.Match[str]) -> str:
        name, attributes, ended = found[1], found[2], found[3]
        each = "".join(
            f' {one[1]}="{(one[2] or one[3] or one[4] or "").replace(chr(34), "&quot;")}"'
            for one in _ATTRIBUTE.finditer(attributes)
        )
        if name == "svg" and " xmlns=" not in each:
            each += ' xmlns="http://www.w3.org/2000/svg"'
        return f"<{name}{each}{'/' if ended or name in _VOID else ''}>"

    return re.sub(r"&(?!#\d+;|#x[0-9a-fA-F]+;|amp;|lt;|gt;|quot;|apos;)", "&amp;", _TAG.sub(tag, markup))
