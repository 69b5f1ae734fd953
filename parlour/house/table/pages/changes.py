"""Changes between two drawings of the same thing: a page does not get again what it already has.

Whatever persists in our markup has a `data-key`. A drawing is a tree of parts: each is a keyed
element with its own markup, in which stubs, `<k data-key="..."></k>`, replace the parts inside it.
The mark of a part names everything in it, so that equal parts of two drawings are found without
looking inside. A page with an older drawing gets the markup of new and changed parts, one after
another. It finds each keyed element by its key, in these or otherwise in what it has, beginning
with the outermost (`expand` in `site/static/patch.js`).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

BEGIN, END = (f"<!--{secrets.token_hex(8)}-->" for _ in "<>")  # round a part of a template; a secret, so no text has it
KEYS = re.compile(rb'\sdata-key="([^"]*)"')
STUB = '<k data-key="%s"></k>'
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


def put_together(drawn: str, like: Drawing | None = None) -> Drawing:
    """Return the drawing of a template that was drawn with BEGIN before and END after each keyed element. All of it is
    one part if a key occurs twice. It shares memory with equal parts of the drawing `like`."""
    outside, *rest = drawn.split(BEGIN)
    markup, parts = [outside], list[Part]()
    around: list[tuple[list[str], list[Part]]] = []  # of each part that has begun, the markup and parts round it
    for text in rest:
        around.append((markup, parts))
        inside, *after = text.split(END)
        markup, parts = [inside], []
        for more in after:
            made = Part.of("".join(markup), parts)
            markup, parts = around.pop()
            markup += (STUB % made.key.decode(), more)
            parts.append(made)
    (root,) = parts
    keys = [part.key for part in root.all()]
    if len({*keys}) < len(keys):
        root = Part.of(drawn.replace(BEGIN, "").replace(END, "").strip())
    return Drawing(root if like is None else like.lend(root))
