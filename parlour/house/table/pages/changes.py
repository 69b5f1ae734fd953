"""Changes between two drawings of the same thing: a page does not get again what it already has.

Whatever persists in our markup has a `data-key`. A drawing is a tree of parts: each is a keyed
element with its own markup, in which stubs, `<k data-key="..."></k>`, replace the parts inside it.
The mark of a part names everything in it, so that equal parts of two drawings are found without
looking inside. A page with an older drawing gets the markup of new and changed parts, one after
another. It finds each keyed element by its key, in these or otherwise in what it has, beginning
with the outermost (`expand` in `static/patch.js`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

TAG = re.compile(r"""<(/?)([a-zA-Z][\w-]*+)((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>""")
KEY = re.compile(r'\sdata-key="([^"]*)"')
KEYS = re.compile(KEY.pattern.encode())
EMPTY = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))  # have no end
TAKEN = "k"  # the tag of a stub
STUB = f'<{TAKEN} data-key="%s"></{TAKEN}>'
STUBS = re.compile((STUB % '([^"]*)').encode())
PART_SIZE = 150  # bytes that a part takes besides its markup, about
SHARED = 8  # about one part in 8 is a drawing's own; it shares the others with earlier or other viewers' drawings


class Part(Struct, frozen=True, eq=False, gc=False):  # the collector need not look at thousands of them
    """A part of a drawing; many drawings may have it in common.

    key    its own
    text   its own markup, in UTF-8
    parts  those inside it, each as a stub in `text`
    keys   those of keyed elements in `text` that are not parts
    mark   identifies its whole content
    size   the bytes that all of it takes in memory, about
    """

    key: bytes
    text: bytes
    parts: tuple[Part, ...]
    keys: tuple[bytes, ...]
    mark: bytes
    size: int

    @classmethod
    def of(cls, markup: str, parts: Sequence[Part] = ()) -> Part:
        """Return the part with this markup, and with `parts` as stubs in it."""
        text = markup.encode()
        digest = blake2b(text, digest_size=6)
        size = PART_SIZE + len(text)
        for part in parts:
            digest.update(part.mark)
            size += part.size
        key, *inside = KEYS.findall(text) or (b"",)
        if len(inside) == len(parts):  # all that is left are the stubs
            inside.clear()
        for part in parts if inside else ():
            inside.remove(part.key)
        return cls(key, text, tuple(parts), tuple(inside), digest.digest(), size)

    def all(self) -> list[Part]:
        """Return the part itself and all in it."""
        found = [self]
        for part in found:
            if part.parts:
                found += part.parts
        return found

    def whole(self) -> bytes:
        """Return the markup of all of it."""
        if not self.parts:
            return self.text
        inside = {part.key: part for part in self.parts}
        return STUBS.sub(lambda stub: inside[stub[1]].whole(), self.text)


ITS_KEY, ITS_KEYS = attrgetter("key"), attrgetter("keys")


class Drawing:
    """Something drawn."""

    def __init__(self, root: Part) -> None:
        self._root = root
        self.mark = root.mark.hex()
        self.size = PART_SIZE + root.size // SHARED

    @cached_property
    def _keyed(self) -> bool:
        """Return whether it has a key, and no key occurs twice."""
        parts = self._root.all()
        keys = [*map(ITS_KEY, parts), *chain.from_iterable(map(ITS_KEYS, parts))]
        return bool(self._root.key) and len({*keys}) == len(keys)

    @property
    def text(self) -> str:
        """Return the whole drawing."""
        return self._root.whole().decode()

    def lend(self, root: Part) -> Part:
        """Return the same part, made of parts of this drawing where they are equal."""
        mine = {part.mark: part for part in self._root.all()}

        def lent(part: Part) -> Part:
            found = mine.get(part.mark)
            return replace(part, parts=tuple(map(lent, part.parts))) if found is None else found

        return lent(root)

    def since(self, base: Drawing) -> str | None:
        """Return the markup that a page with `base` lacks; None if it needs everything, since a key
        occurs twice in one of the two."""
        if not (self._keyed and base._keyed):
            return None
        if self.mark == base.mark:
            return ""
        parts = base._root.all()
        theirs = dict(zip(map(ITS_KEY, parts), parts, strict=True))
        new: list[bytes] = []
        ahead = [self._root]
        while ahead:
            part = ahead.pop()
            old = theirs.get(part.key)
            if old is None or old.mark != part.mark:
                ahead += part.parts
                if old is None or old.text != part.text:
                    new.append(part.text)
        # All text is escaped, so that " only delimits attributes. ' does as well, and JSON need not escape it.
        return b"".join(text if b"'" in text else text.replace(b'"', b"'") for text in new).decode()


def read(text: str, like: Drawing | None = None) -> Drawing:
    """Return a drawing from its markup. Each keyed element becomes a part; markup without keys is a single part. The
    drawing shares memory with equal parts of `like`."""
    text = text.strip()
    root = _root(text) or Part.of(text)
    return Drawing(root if like is None else like.lend(root))


def _root(text: str) -> Part | None:
    """Return the part that is all of it; None if it is not one keyed element, or a key occurs twice."""
    open_parts: list[tuple[list[str], list[Part]]] = []  # of each open part: its markup, and the parts inside it
    opened: list[bool] = []  # for each element that is open, whether it is a part
    keys: set[str] = set()
    root = None
    done = 0
    for tag in TAG.finditer(text):
        closing, name, more = tag.groups()
        if closing:
            if opened.pop():
                markup, parts = open_parts.pop()
                made = Part.of("".join((*markup, text[done : tag.end()])), parts)
                done = tag.end()
                if open_parts:
                    open_parts[-1][1].append(made)
                else:
                    root = made
        elif not (more.endswith("/") or name in EMPTY):
            key = KEY.search(more) if name != TAKEN else None
            opened.append(key is not None)
            if key is None:
                continue
            if key[1] in keys or root:
                return None
            keys.add(key[1])
            if open_parts:
                open_parts[-1][0].extend((text[done : tag.start()], STUB % key[1]))
                done = tag.start()
            open_parts.append(([], []))
    return root if done == len(text) else None
