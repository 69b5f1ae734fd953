"""Restrict a game's own stylesheet to the game's own scene; the rest of the page stays the same.

tinycss2 reads the sheet as a browser does, and a page gets what was read, written anew. The sheet
is nested below the scene of its game with CSS nesting. This adds nothing to the specificity of its
selectors, and it comes after core's look, so a game only states the differences. Anything that
would reach outside is refused: `&`, a leading `+` or `~`, rules for a whole page, files from
elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

NESTED = ("media", "supports", "container")  # at-rules that may nest in another rule
# Functions that load files, which a variable could name where no one sees it; the last one ran code in old browsers.
REFUSED = ("src", "image", "image-set", "-webkit-image-set", "expression")
INLINE = ("#", "data:")  # beginnings of what url() may be given
FILES = 'a look cannot load files; url() takes a text that begins with "# or "data:.'
SCENE = "reaches out of the scene; begin selectors with a class."


@cache  # every page has it
def scoped(css: str, name: str) -> str:
    """Return the stylesheet of the game called `name`, restricted to its scene.

    Raises ValueError, which says what is wrong with it.
    """
    import tinycss2  # here: processes that neither draw nor check a game need not load it

    frames: list[str] = []
    rules: list[str] = []
    for rule in tinycss2.parse_rule_list(_read(css), skip_whitespace=True):
        if rule.type == "error":
            raise _wrong(rule, "a rule has no end: words that no braces follow.")
        if rule.content is None or ";" in rule.prelude:
            raise _wrong(rule, "; does not end a rule here.")
        frame = rule.type == "at-rule" and rule.lower_at_keyword == "keyframes"
        (frames if frame else rules).append(_written(rule))
    inner = "\n".join(rules)
    return "\n".join((*frames, f":where(.scene.game-{name}) {{\n{inner}\n}}\n")) if rules else ""


@cache
def declarations(css: str) -> str:
    """Return the properties and values of one rule, written anew. Raises ValueError, as `scoped` does."""
    import tinycss2

    found = tinycss2.parse_blocks_contents(_read(css), skip_whitespace=True)
    for one in found:
        if one.type != "declaration":
            raise _wrong(one, "only properties and their values are allowed here.")
    return "".join(f"{_written(one)};" for one in found)


def _read(css: str) -> list[Any]:
    """Return the tokens of a stylesheet, or of a part of one, all checked, without comments."""
    import tinycss2

    # What is never closed takes this brace for its own end; otherwise it is an error, and the last token.
    tokens: list[Any] = tinycss2.parse_component_value_list(f"{css}}}", skip_comments=True)
    end = tokens.pop() if tokens and tokens[-1].type == "error" and tokens[-1].kind == "}" else None
    _check(tokens, top=True)
    if not end:
        where = f"line {tokens[-1].source_line}: " if tokens else ""
        raise ValueError(f"{where}a rule, bracket, text or comment has no end.")
    return tokens


def _check(tokens: Iterable[Any], top: bool = False) -> None:
    """Raise ValueError if a token is not allowed here; `top`: outside all brackets."""
    before, beside = "", None  # the word or sign before this; a sign that would make a selector of what is outside
    for token in tokens:
        if why := _refused(token, top):
            raise _wrong(token, why)
        if token.type == "{} block" and beside:
            raise _wrong(beside, f"a selector that begins with {beside.value} {SCENE}")
        if token in ("+", "~") and before in ("", ","):
            beside = token
        _check(getattr(token, "content", None) or getattr(token, "arguments", None) or ())
        if token.type != "whitespace":
            before = token.value if token.type == "literal" else token.type
        if token == ";" or token.type == "{} block":
            before, beside = "", None


def _refused(token: Any, top: bool) -> str:
    """Return why a token is not allowed here, or ""."""
    kind = token.type
    if kind == "error":
        closing = f"{token.kind} closes nothing here; a bracket before it may be open."
        return {"bad-string": "a text has no end on its line.", "bad-url": FILES}.get(token.kind, closing)
    if kind == "at-keyword" and token.lower_value not in NESTED and not (top and token.lower_value == "keyframes"):
        return f"@{token.value} is not allowed here; @{', @'.join(NESTED)} are, and @keyframes outside of rules."
    if token == "&":
        return f"& {SCENE}"
    if kind == "url" and not token.value.startswith(INLINE):
        return FILES
    if kind == "function" and token.lower_name == "url":
        given = [one for one in token.arguments if one.type != "whitespace"]
        return "" if [one.type for one in given] == ["string"] and given[0].value.startswith(INLINE) else FILES
    return f"{token.name}() is not allowed; {FILES}" if kind == "function" and token.lower_name in REFUSED else ""


def _written(rule: Any) -> str:
    """Return a rule as text. Nothing in it ends the <style> of a page, and it can be sent as UTF-8."""
    text: str = rule.serialize()
    if "</" in text:
        raise _wrong(rule, "</ would end the style of the page.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _wrong(rule, r"\d800 to \dfff are not characters.") from None
    return text


def _wrong(node: Any, why: str) -> ValueError:
    return ValueError(f"line {node.source_line}: {why}")
