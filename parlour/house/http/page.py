"""A page as it goes out: its text in parts, of which each is compressed alone.

No part has both a secret and text by others, so that the length of an answer reveals no secret
(`http.compression`). Parts that are the same for everyone are marked `common`: they are compressed
once for all.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import NamedTuple

CUT = f"<!--{secrets.token_hex(8)}-->"  # between parts of a drawn template; random, so that no one else can write it
COMMON = f"<!--{secrets.token_hex(8)}-->"  # at the beginning of a part that is the same for everyone


class Part(NamedTuple):
    """A part of a page."""

    text: str
    common: bool = False


def parts(drawn: str) -> tuple[Part, ...]:
    """Return the parts of a template that was drawn with CUT and COMMON in it."""
    return tuple(_parts(drawn))


def _parts(drawn: str) -> Iterator[Part]:
    for text in drawn.split(CUT):
        common = text.startswith(COMMON)
        if text := text.removeprefix(COMMON):
            yield Part(text, common)


def apart(drawn: str, *alone: str) -> str:
    """Cut each of these texts out of `drawn`, to be a part of its own."""
    for text in sorted({*alone} - {""}, key=len, reverse=True):
        drawn = drawn.replace(text, f"{CUT}{text}{CUT}")
    return drawn


def whole(page: tuple[Part, ...]) -> str:
    """Return the page as one text."""
    return "".join(part.text for part in page)
