"""A game's pictures as a page may show them: their style attributes become classes.

The table's pages allow no inline styles, but drawing programs write them. So each different
`style="..."` in an `art.svg` becomes a class, and a rule for it in the game's stylesheet. Rules of
classes hold in symbols too, wherever a piece shows one.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape

from parlour.core.stylesheet import declarations

TAG = re.compile(r"<[a-zA-Z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
STYLE = re.compile(r"\sstyle=(?:\"([^\"]*)\"|'([^']*)')")
CLASS = re.compile(r"(\sclass=[\"'])")
REFUSED = {
    re.compile(r"<style\b"): "<style> would style the whole page; write attributes, or a style attribute.",
    re.compile(r"<script\b"): "a picture cannot contain <script>.",
    re.compile(r"<[a-zA-Z][^<>]*\son\w+\s*="): "a picture cannot have scripts in attributes.",
}


@cache  # every page has it
def unstyled(svg: str, name: str) -> tuple[str, str]:
    """Return the pictures of the game called `name` without style attributes, and rules instead.

    Raises ValueError, which says what is wrong with them.
    """
    for pattern, why in REFUSED.items():
        if match := pattern.search(svg):
            raise ValueError(f"line {svg.count(chr(10), 0, match.start()) + 1}: {why}")
    classes: dict[str, str] = {}

    def classed(tag: re.Match[str]) -> str:
        if not (style := STYLE.search(tag[0])):
            return tag[0]
        said = re.sub(r"url\((#[^()\"']*)\)", r'url("\1")', unescape(style[1] or style[2] or "")).strip()
        plain = STYLE.sub("", tag[0], count=1)
        if not said:
            return plain
        if said not in classes:
            try:
                declarations(said)
            except ValueError as error:
                line = svg.count("\n", 0, tag.start()) + 1
                raise ValueError(f"line {line}: style: {str(error).partition(': ')[2] or error}") from None
        made = classes.setdefault(said, f"game-{name}-style-{len(classes)}")
        if CLASS.search(plain):
            return CLASS.sub(rf"\1{made} ", plain, count=1)
        return re.sub(r"^<[^\s/>]+", rf'\g<0> class="{made}"', plain)

    drawn = TAG.sub(classed, svg)
    return drawn, "".join(f".{made}{{{said}}}" for said, made in classes.items())
