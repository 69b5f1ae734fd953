"""Compression: an answer with secrets is joined from separately compressed segments; one without is compressed in the
browser's best coding.

A gzip stream can consist of parts that don't refer to each other (`Z_FULL_FLUSH`). So data for many is compressed only
once; and no secret (a hidden card, a seat's link) shares a window with what another person can write (a name, a chat
message). Otherwise they could guess it from the length of the answer (BREACH, Gluck, Harris and Prado 2013).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

import brotli
import zstandard

HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # of a gzip stream: deflate, no name, no time, any system
LEVEL, BEST = 6, 9
SMALL = 1024  # bytes; what is smaller goes out as it is
KEPT = 128  # segments that are the same for everyone: a handful for each game, ruleset and page
FILES = ("br", "zstd", "gzip")  # the smallest first: for what is compressed once
QUICK = ("zstd", "gzip")  # the quickest first: for what is compressed for one answer


def segment(data: bytes, level: int = LEVEL) -> bytes:
    """Return `data` compressed, to be joined behind HEAD and any other segments; a browser shows it as soon as it
    arrives."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)


@lru_cache(KEPT)
def kept(data: bytes) -> bytes:
    """Return the segment of data that is the same for everyone, compressed once."""
    return segment(data, BEST)


def end(plain: bytes) -> bytes:
    """Return the end of a stream of segments that contain `plain` together. A stream that breaks off, as a table's
    does, has none."""
    packer = zlib.compressobj(0, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.flush() + zlib.crc32(plain).to_bytes(4, "little") + (len(plain) & 0xFFFFFFFF).to_bytes(4, "little")


def strung(parts: Sequence[tuple[bytes, bool]]) -> bytes:
    """Join parts, each marked if it is the same for everyone, to one gzip file."""
    segments = [kept(data) if common else segment(data) for data, common in parts]
    return HEAD + b"".join(segments) + end(b"".join(data for data, _ in parts))


def packed(data: bytes, coding: str, *, best: bool = False) -> bytes:
    """Return `data` in one of the codings, "" for uncompressed. `best` is slow, for what is stored."""
    match coding:
        case "br":
            made: bytes = brotli.compress(data, quality=11 if best else 5)
            return made
        case "zstd":
            return zstandard.compress(data, 19 if best else 3)
        case "gzip":
            return HEAD + segment(data, BEST if best else LEVEL) + end(data)
    return data


def chosen(accept: str, offered: Sequence[str] = ("gzip",)) -> str:
    """Return the first of the offered codings that a header Accept-Encoding allows, "" for none."""
    weights = {}
    for one in accept.lower().split(","):
        name, _, weight = one.partition(";")
        weights[name.strip()] = weight.replace(" ", "") not in ("q=0", "q=0.", "q=0.0", "q=0.00", "q=0.000")
    return next((coding for coding in offered if weights.get(coding, weights.get("*", False))), "")


def takes_gzip(accept: str) -> bool:
    """Return whether a header Accept-Encoding allows gzip."""
    return chosen(accept) == "gzip"
