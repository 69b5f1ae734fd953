"""Names that are drawn beside hidden cards.

Otherwise a player named like a card could tell from the compressed length of another's page whether
that card is in it (`http.compression`). So a game is drawn with a sign for each seat, a character that
no one can type. At the end each sign becomes the name, spelt in numbers that share nothing with the
words of a card. A drawing therefore serves any table, with any players.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from parlour.core.fitting import name_size

FIRST = 0xE000  # of the characters without a meaning (private use): names and chat may not contain them
MOST = 64  # seats that any game could have
PICK = re.compile(r"data-pick='[^']*'")  # an attribute that is JSON
SIGN = re.compile(f"([{chr(FIRST)}-{chr(FIRST + MOST - 1)}])")
HOSTILE = frozenset('"\\')  # what JSON would take for its own


@cache
def signs(seats: int) -> tuple[str, ...]:
    """Return a sign for each seat."""
    return tuple(chr(FIRST + seat) for seat in range(seats))


def named(text: str, names: Sequence[str]) -> str:
    """Put the names into plain text."""
    return _replaced(text, names)


def named_html(markup: str, names: Sequence[str]) -> str:
    """Put the names into markup, and into JSON within it. In text each name becomes an element of its own, so that a
    name written from right to left doesn't move the words around it."""
    if any(HOSTILE & {*name} for name in names):
        quoted = [json.dumps(name, ensure_ascii=False)[1:-1] for name in names]
        markup = PICK.sub(lambda found: _replaced(found[0], map(_html, quoted)), markup)
    spelt, shown = [*map(_html, names)], [*map(_shown, names)]
    pieces = SIGN.split(markup)
    within = False  # a tag, where a name is part of an attribute
    for i, piece in enumerate(pieces):
        if i % 2:
            seat = ord(piece) - FIRST
            if seat < len(spelt):
                pieces[i] = spelt[seat] if within else shown[seat]
        elif (opened := piece.rfind("<")) != (closed := piece.rfind(">")):
            within = opened > closed
    return "".join(pieces)


def named_json(data: str, names: Sequence[str]) -> str:
    """Put the names into JSON."""
    return _replaced(data, map(_json, names))


def _replaced(text: str, spelt: Iterable[str]) -> str:
    for seat, name in enumerate(spelt, FIRST):
        text = text.replace(chr(seat), name)
    return text


@lru_cache(1000)
def _html(name: str) -> str:
    return "".join(f"&#{ord(letter)};" for letter in name)


@lru_cache(1000)
def _shown(name: str) -> str:
    """Return a name as an element; where it may have to be smaller (`.seat .name`), with its width."""
    size = name_size(name)
    wide = f' data-wide="{size}"' if size else ""
    return f"<bdi{wide}>{_html(name)}</bdi>"


def _json(name: str) -> str:
    units = name.encode("utf-16-be")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True))
