"""The door for all that the command line prints and reads: any encoding, full disks, closed streams.

What a stream's encoding lacks is spelled in ASCII. What cannot be written at all ends in one
sentence and the exit status LOST, never in a traceback.
"""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

LOST = 1  # the exit status where output was lost
_SPELLED = {
    **dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys("‘’‚′", "'"), **dict.fromkeys("“”„″«»", '"'),
    **dict.fromkeys("•·●▪", "*"), **dict.fromkeys("─━═╌╍", "-"), **dict.fromkeys("│┃║╎╏", "|"),
    "…": "...", "×": "x", "÷": "/", "⁄": "/", "±": "+/-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "→": "->",
    "←": "<-", "↑": "^", "↓": "v", "♠": "S", "♥": "H", "♦": "D", "♣": "C", "★": "*", "☆": "*", "✓": "x", "\ufeff": "",
}  # fmt: skip


class _Nowhere(io.RawIOBase):
    """Holds nothing, and takes everything."""

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, _room: WriteableBuffer) -> int:
        return 0

    def write(self, data: ReadableBuffer) -> int:
        return memoryview(data).nbytes


class _Unheard(io.TextIOWrapper):
    """Stands in for a stream that was closed before the start, and knows whether anything was written."""

    lost = False

    def write(self, words: str) -> int:
        self.lost = True
        return super().write(words)


def spelled(words: str) -> str:
    """Return words in ASCII, as near as can be; "?" for what has no likeness there."""
    return "".join(_ascii(one) for one in words)


def _ascii(one: str) -> str:
    if one.isascii() or one in _SPELLED:
        return _SPELLED.get(one, one)
    if "\u2500" <= one <= "\u259f":  # boxes; blocks
        return "+" if one < "\u2580" else "#"
    plain = "".join(_SPELLED.get(part, part) for part in unicodedata.normalize("NFKD", one))
    return plain.encode("ascii", "ignore").decode() or "?"


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return spelled(error.object[error.start : error.end]), error.end


codecs.register_error("parlour-spelled", _spell)


def enter() -> None:
    """Make the standard streams fit for whatever is printed and read."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # in the order of their descriptors
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # takes its descriptor, so that no file that is opened later does
            raw = io.BufferedReader(_Nowhere()) if mode == "r" else io.BufferedWriter(_Nowhere())
            setattr(sys, name, _Unheard(raw, "utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="parlour-spelled")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def leave(status: int) -> int:
    """Write out what still waits, and return the exit status: `status`, or LOST where output was lost."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _to_nowhere(sys.stdout)
        if error.errno == errno.EPIPE:  # the reader has enough: `parlour ... | head`
            return status
        complain(f"Can't write the output: {error.strerror}.")
        status = status or LOST
    if isinstance(sys.stdout, _Unheard) and sys.stdout.lost:
        complain("Can't write the output: standard output is closed.")
        status = status or LOST
    try:
        sys.stderr.flush()
    except OSError:
        _to_nowhere(sys.stderr)
    return status


def complain(message: str) -> None:
    """Print an error as one line on standard error, if anything can be written there."""
    with suppress(OSError):
        print(f"parlour: {' '.join(message.split())}", file=sys.stderr, flush=True)


def is_output(error: OSError) -> bool:
    """Return whether an error came from standard output, which still cannot take what waits."""
    if error.filename is not None:
        return False
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _to_nowhere(stream: TextIO) -> None:
    """Send what still waits in a stream to nowhere, so that Python does not complain at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()


def emit(data: object) -> None:
    """Print one JSON value on one line; where its letters cannot be encoded, with escapes."""
    words = json.dumps(data, ensure_ascii=False)
    try:
        words.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        words = json.dumps(data)
    print(words)


def read_all() -> str:
    """Return all of standard input as UTF-8, whatever its encoding is said to be. Raises UnicodeDecodeError."""
    raw = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read() if raw is None else raw.read().decode("utf-8")


def without_mark(line: str) -> str:
    """Return the first line of the input without the byte-order mark that some programs put before it."""
    encoding, errors = getattr(sys.stdin, "encoding", None), getattr(sys.stdin, "errors", None)
    mark = codecs.BOM_UTF8.decode(encoding or "utf-8", errors or "strict")
    return line.removeprefix("\ufeff").removeprefix(mark)
