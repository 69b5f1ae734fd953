"""Restrict a game's own stylesheet to the game's own scene; the rest of the page stays the same.

The sheet is nested below the scene of its game with CSS nesting. This adds nothing to the
specificity of its selectors, and it comes after core's look, so a game only states the differences.
Anything that would reach outside is refused: a surplus brace, `&`, rules for a whole page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

NESTED = ("media", "supports", "container")  # at-rules that may nest in another rule
TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/) | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*') | (?P<escape>\\.)
    | (?P<odd>/\*|["'\\]) | (?P<sign>[{};&@]) | (?P<rest>[^/"'\\{};&@]+|/)""",
    re.VERBOSE | re.DOTALL,
)


def scoped(css: str, name: str) -> str:
    """Return the stylesheet of the game called `name`, restricted to its scene.

    Raises ValueError, which says what is wrong with it.
    """
    frames: list[str] = []
    rules: list[str] = []
    for rule in _rules(css):
        (frames if rule.startswith("@keyframes") else rules).append(rule)
    inner = "\n".join(rules)
    return "\n".join((*frames, f":where(.scene.game-{name}) {{\n{inner}\n}}\n")) if rules else ""


def _rules(css: str) -> Iterator[str]:
    """Yield the rules of a stylesheet one by one, without comments."""
    rule, depth, line = "", 0, 1
    for match in TOKEN.finditer(css):
        kind, words = match.lastgroup, match[0]
        line += words.count("\n")
        if kind == "odd":
            raise ValueError(f"line {line}: {words} is opened and not closed.")
        if words == "&":
            raise ValueError(f"line {line}: & reaches out of the scene; selectors begin with a class.")
        if words == "@":
            found = re.match(r"[a-z-]*", css[match.end() :])
            at = found[0] if found else ""
            if at not in NESTED and not (at == "keyframes" and not depth):
                raise ValueError(
                    f"line {line}: @{at} cannot stand here; @{', @'.join(NESTED)} can, and @keyframes outside."
                )
        if kind == "comment":
            continue
        rule += words
        depth += (words == "{") - (words == "}")
        if depth < 0:
            raise ValueError(f"line {line}: a brace is closed that was not opened.")
        if words == "}" and not depth:
            yield rule.strip()
            rule = ""
    if depth or rule.strip():
        raise ValueError(
            "a rule is not ended: a brace is opened that is not closed, or words stand after the last rule."
        )
