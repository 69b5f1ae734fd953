"""What a page makes of the changes that it is sent, written anew from docs/architecture.md alone: markup is read as a
tree, and each keyed element is taken from what came, or else from what was there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"input", "br", "hr", "img"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    @property
    def key(self) -> str | None:
        return self.attributes.get("data-key")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, dict(attrs))
        self.open[-1].children.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def bare(markup: str) -> str:
    """Markup in which names stand as they did before each had an element of its own."""
    return re.sub("</?bdi[^>]*>", "", markup)


def read(text: str) -> list[Element]:
    """Return the elements of a piece of markup."""
    reader = _Reader()
    reader.feed(text.strip())
    reader.close()
    assert len(reader.open) == 1
    return [one for one in reader.open[0].children if isinstance(one, Element)]


def only(text: str) -> Element:
    """Return the one element of a drawing."""
    (one,) = read(text)
    return one


def expand(base: Element, pieces: str) -> Element:
    """Return what `base` has become."""
    known: dict[str, Element] = {}

    def learn(element: Element) -> None:
        if element.key is not None and element.tag != "k":
            known[element.key] = element
        for child in element.children:
            if isinstance(child, Element):
                learn(child)

    def whole(element: Element) -> Element:
        children = [
            child if isinstance(child, str) else whole(known.get(child.key or "", child)) for child in element.children
        ]
        return Element(element.tag, element.attributes, children)

    learn(base)
    for piece in read(pieces):
        learn(piece)
    return whole(known[base.key or ""])


class Replica:
    """What a page that is sent changes has of the scene and of the rest."""

    def __init__(self) -> None:
        self.scene = self.table = Element("")
        self.marks = ["", ""]
        self.scenes: list[Element] = []  # those of the last message, in order

    def take(self, update: dict[str, Any]) -> None:
        """Take a message."""
        assert all(base in ("", mark) for base, mark in zip(update["base"], self.marks, strict=True))
        self.scenes = []
        for number, frame in enumerate(update["frames"]):
            assert not number or frame["changes"]
            self.scene = expand(self.scene, frame["html"]) if frame["changes"] else only(frame["html"])
            self.scenes.append(self.scene)
        if update["table"]:
            self.table = expand(self.table, update["table"]) if update["base"][1] else only(update["table"])
        self.marks = update["marks"]
