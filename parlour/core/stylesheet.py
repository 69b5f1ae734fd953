"""Restrict a game's own stylesheet to the game's own scene; the rest of the page stays the same.

The sheet is nested below the scene of its game with CSS nesting. This adds nothing to the
specificity of its selectors, and it comes after core's look, so a game only states the differences.
Anything that would reach outside is refused: a surplus brace, `&`, a leading `+` or `~`, rules for
a whole page, files from elsewhere. So is anything that a browser could split into tokens otherwise
than `TOKEN` does: it might then see the end of the nesting where this module sees none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

NESTED = ("media", "supports", "container")  # at-rules that may nest in another rule
TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/) | (?P<text>"(?:[^"\\\n\r\f]|\\.)*"|'(?:[^'\\\n\r\f]|\\.)*')
    | (?P<odd>/\*|["']) | (?P<at>@[\w-]*) | (?P<sign>[][(){};&\\]|</) | (?P<rest>[^][(){};&\\"'@/<]+|[/<])""",
    re.VERBOSE | re.DOTALL,
)
PAIRS = {"}": "{", ")": "(", "]": "["}
FETCHING = ("url", "src", "image", "image-set")  # functions that load a file
INLINE = ('"#', "'#", '"data:', "'data:")  # what they may be given
BESIDE = re.compile(r"(?:^|,)\s*[+~]")  # a selector of siblings of the scene
REFUSED = {
    "&": "& reaches out of the scene; selectors begin with a class.",
    "\\": "\\ is allowed only in a text; elsewhere, write the character itself.",
    "</": "</ would end the style of the page.",
}


@cache  # every page has it
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


def declarations(css: str) -> None:
    """Check the contents of the braces of one rule. Raises ValueError, as `scoped` does."""
    if "{" in css or "}" in css or "@" in css or len(list(_rules(f".a {{ {css} }}"))) != 1:
        raise ValueError("line 1: only properties and their values are allowed here.")


def _rules(css: str) -> Iterator[str]:
    """Yield the rules of a stylesheet one by one, with empty comments.

    An empty comment still keeps its neighbours from becoming one token.
    """
    rule, head, line = "", "", 1  # head: what may be a selector, without what is in brackets
    opened: list[str] = []
    for match in TOKEN.finditer(css):
        words = match[0]
        line += words.count("\n")
        if why := _refused(match, opened, rule, head):
            raise ValueError(f"line {line}: {why}")
        if match.lastgroup == "comment":
            rule += "/**/" if rule.strip() else ""
            continue
        rule += words
        if words in PAIRS.values():
            opened.append(words)
        elif words in PAIRS:
            opened.pop()
        if words in ("{", "}", ";"):
            head = ""
        elif not opened or opened[-1] == "{":
            head += words
        if words == "}" and not opened:
            yield rule.strip()
            rule = ""
    if opened or rule.strip():
        raise ValueError("a rule has no end: a brace is never closed, or words follow the last rule.")


def _refused(match: re.Match[str], opened: list[str], rule: str, head: str) -> str:
    """Return why a token is not allowed here, or ""; `opened` are the brackets around it."""
    kind, words = match.lastgroup, match[0]
    if kind == "odd":
        return f"{words} is opened and not closed."
    if words in REFUSED or (kind == "text" and "</" in words):
        return REFUSED.get(words, REFUSED["</"])
    if kind == "at" and words[1:] not in NESTED and not (words == "@keyframes" and not opened):
        return f"{words} is not allowed here; @{', @'.join(NESTED)} are, and @keyframes outside."
    if words in PAIRS and not opened:
        return f"a {'brace' if words == '}' else 'bracket'} is closed that was not opened."
    if opened and opened[-1] != PAIRS.get(words, "{" if words in ("{", ";") else opened[-1]):
        return f"{opened[-1]} is opened and not closed."
    if words == ";" and not opened:
        return "; does not end a rule here."
    if words == "{" and BESIDE.search(head):
        return "+ and ~ at the beginning reach out of the scene; selectors begin with a class."
    if words == "(" and rule[-9:].lower().endswith(FETCHING) and not match.string.startswith(INLINE, match.end()):
        return 'a look cannot load files; url() takes a text that begins with "# or "data:.'
    return ""
