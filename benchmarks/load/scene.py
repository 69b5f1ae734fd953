"""An open page's position and the moves that it offers, kept from what the stream sends, whole or as changes
(docs/architecture.md, "What the stream sends")."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator

import msgspec

from benchmarks.load.errors import must

TAG = re.compile(r"""<(/?)([a-zA-Z][\w-]*+)((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>""")
KEY = re.compile(r"""\sdata-key=["']([^"']*)["']""")
ACTION = re.compile(r"""\sdata-action=["']([^"']*)["']""")
PICK = re.compile(r"\sdata-pick='([^']*)'")
EMPTY = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))  # have no end
STUB = "k"  # the tag that refers to an element that the page has


class Frame(msgspec.Struct):
    """A position as it is sent: whole, or as `changes` since the one before."""

    html: str
    changes: bool = False


class Update(msgspec.Struct):
    """The positions in a message; `base` and `marks` name the scene (and the rest) that a page must have before it, and
    has after it."""

    frames: list[Frame]
    base: tuple[str, str] = ("", "")
    marks: tuple[str, str] = ("", "")


UPDATE = msgspec.json.Decoder(Update)


class Scene:
    """The keyed elements of a position: what each offers, and which are in it."""

    def __init__(self) -> None:
        self._mark = self._root = ""
        self._whole = ""  # as it was sent: taken to pieces only when changes to it come
        self._offers: dict[str, list[str]] = {}
        self._inside: dict[str, list[str]] = {}

    def take(self, update: Update) -> None:
        """Show what comes next. Raises HouseFailed if it belongs to a position that the page does not have."""
        must(update.base[0] in ("", self._mark), "The stream sent changes to a position the page doesn't have.")
        self._mark = update.marks[0]
        for frame in update.frames:
            if not frame.changes:
                self._whole = frame.html
                continue
            if self._whole:
                self._offers, self._inside, self._root = {}, {}, ""
                self._read(self._whole)
                self._whole = ""
            self._read(frame.html)

    def moves(self) -> Iterator[str]:
        """Return the moves in the position, as text."""
        if self._whole:
            yield from _offered(self._whole)
        ahead = [] if self._whole else [self._root]
        while ahead:
            key = ahead.pop()
            yield from self._offers.get(key, ())
            ahead += self._inside.get(key, ())

    def _read(self, text: str) -> None:
        opened: list[str] = []  # for each element that is open, its key, or "" where it has none
        inside: list[str] = []  # of those, the keyed ones
        for closing, name, more in TAG.findall(text):
            if closing:
                if opened.pop():
                    inside.pop()
                continue
            found = KEY.search(more)
            key = found[1] if found else ""
            if key and inside:
                self._inside[inside[-1]].append(key)
            if key and name != STUB:
                self._root = self._root or key
                self._inside[key] = []
                self._offers[key] = list(_offered(more))
            if not (more.endswith("/") or name in EMPTY):
                opened.append(key)
                if key:
                    inside.append(key)


def _offered(markup: str) -> Iterator[str]:
    """Return the moves that its elements make when pressed."""
    for action in ACTION.findall(markup):
        yield html.unescape(action)
    for pick in PICK.findall(markup):
        yield from json.loads(html.unescape(pick))["moves"].values()
