"""Leave out of a page what it does not use: rules of its style that match nothing in it, and symbols it does not show.

For a page that no script changes, as a notebook's cell. A selector is left out only if a class, an id, an attribute or
an element that it names is missing; of `:is()` and `:where()` all choices must be, and other functions are not looked
into. So what is kept may be too much, and never too little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tinycss2.ast import Node

NESTED = ("media", "supports", "layer", "container")  # rules with rules in them
_SYMBOL = re.compile(r"<symbol\b[^>]*?\bid=\"([^\"]+)\".*?</symbol>", re.DOTALL)
_USED = re.compile(r"(?:href=\"|url\(['\"]?)#([^\"')]+)")


@dataclass(frozen=True, slots=True)
class Needs:
    """What must be in a page if a selector matches anything, as `_Inventory` names it; of each of `either`, one."""

    names: frozenset[str]
    either: tuple[tuple[Needs, ...], ...]

    def met(self, there: set[str]) -> bool:
        """Return whether a page has it."""
        return self.names <= there and all(any(one.met(there) for one in choices) for choices in self.either)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule of a style: its selectors, each with what it needs, and its body; or rules under a condition."""

    selectors: tuple[tuple[str, Needs], ...]
    body: str
    condition: str = ""
    inner: tuple[_Rule, ...] = ()


class _Inventory(HTMLParser):
    """What a page has that a selector can name: "div", ".seat", "#bar", "[data-key"."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found = {"html", "head", "body"}  # the parser of a browser adds them
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        for name, value in attrs:
            self.found.add(f"[{name}")
            if name == "class":
                self.found.update(f".{one}" for one in (value or "").split())
            elif name == "id":
                self.found.add(f"#{value}")


def symbols(pictures: str, *users: str) -> str:
    """Return pictures without the symbols that neither `users` nor the symbols that they show refer to."""
    there = {found[1]: found[0] for found in _SYMBOL.finditer(pictures)}
    kept: set[str] = set()
    todo = [*users, _SYMBOL.sub("", pictures)]
    while todo:
        new = set(_USED.findall(todo.pop())) & there.keys() - kept
        kept |= new
        todo += [there[name] for name in new]
    return _SYMBOL.sub(lambda found: found[0] if found[1] in kept else "", pictures)


def style(css: str, page: str) -> str:
    """Return a style without the rules that match nothing in a page (its HTML)."""
    text = "".join(_kept(_parsed(css), _Inventory(page).found))
    return "".join(_animated(text))


def _kept(rules: Iterable[_Rule], there: set[str]) -> Iterator[str]:
    for rule in rules:
        if rule.condition and not rule.inner:
            yield rule.condition + rule.body
        elif rule.condition:
            if inner := "".join(_kept(rule.inner, there)):
                yield f"{rule.condition}{{{inner}}}"
        elif selectors := [text for text, needs in rule.selectors if needs.met(there)]:
            yield f"{','.join(selectors)}{{{rule.body}}}"


def _animated(css: str) -> Iterator[str]:
    """Yield the parts of a style, without the `@keyframes` that nothing else in it names."""
    parts = re.split(r"(@keyframes [\w-]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})", css)
    rest = "".join(parts[::2])
    for index, part in enumerate(parts):
        name = re.match(r"@keyframes ([\w-]+)", part)
        if index % 2 == 0 or name is None or re.search(rf"(?<![\w-]){re.escape(name[1])}(?![\w-])", rest):
            yield part


@cache
def _parsed(css: str) -> tuple[_Rule, ...]:
    """Return the rules of a style; to parse one takes longer than all else here, and a game has one."""
    import tinycss2  # here, as in `stylesheet.py`

    return tuple(_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))


def _rules(nodes: Iterable[Node]) -> Iterator[_Rule]:
    import tinycss2

    for node in nodes:
        if node.type == "qualified-rule":
            selectors = tuple((_text(part), _needs(part)) for part in _split(node.prelude))
            yield _Rule(selectors, _text(node.content))
        elif node.type == "at-rule":
            condition = f"@{node.at_keyword}{_text(node.prelude, strip=False)}"
            if node.content is None:
                yield _Rule((), ";", condition)
            elif node.lower_at_keyword in NESTED:
                inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
                yield _Rule((), "", condition.rstrip(), tuple(_rules(inner)))
            else:
                yield _Rule((), f"{{{_text(node.content)}}}", condition.rstrip())


def _text(nodes: Sequence[Node], *, strip: bool = True) -> str:
    """Return nodes as CSS, with one blank for each run of white space."""
    import tinycss2

    for node in nodes:
        _narrow(node)
    text: str = tinycss2.serialize([node for node in nodes if node.type != "comment"])
    return text.strip() if strip else text


def _narrow(node: Node) -> None:
    if node.type == "whitespace":
        node.value = " "
    for inner in getattr(node, "content", None) or getattr(node, "arguments", None) or ():
        _narrow(inner)


def _split(nodes: Iterable[Node]) -> Iterator[list[Node]]:
    """Yield each selector of a list."""
    part: list[Node] = []
    for node in nodes:
        if node == ",":
            yield part
            part = []
        else:
            part.append(node)
    yield part


def _needs(selector: Sequence[Node]) -> Needs:
    names: set[str] = set()
    either: list[tuple[Needs, ...]] = []
    before = ""
    for node in selector:
        if node.type == "ident" and before == ".":
            names.add(f".{node.value}")
        elif node.type == "ident" and before != ":":
            names.add(node.lower_value)
        elif node.type == "hash":
            names.add(f"#{node.value}")
        elif node.type == "[] block":
            names.update(f"[{one.lower_value}" for one in node.content[:1] if one.type == "ident")
        elif node.type == "function" and node.lower_name in ("is", "where"):
            either.append(tuple(map(_needs, _split(node.arguments))))
        before = node.value if node.type == "literal" else ""
    return Needs(frozenset(names), tuple(either))
