"""A file of JSON lines that only grows: first what everything in it belongs to, then a line for each result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self

from parlour.core import interrupts
from parlour.core.errors import ParlourError


class OtherResults(ParlourError):
    """A file cannot be continued: it holds something else, or results of other work."""

    code = "other-results"


class Words(NamedTuple):
    """What a file has, for refusals: the first key of its head, "games of an arena", "games of another arena"."""

    key: str
    what: str
    other: str


class Lines:
    """A file with this head, new or continued. Use with `with`: `found` first, then `add`.

    An incomplete last line (after a crash, or on a full disk) is removed. Raises OtherResults when made, which names
    the first difference of the heads, and OSError.
    """

    def __init__(self, file: Path, head: Mapping[str, object], words: Words) -> None:
        self.file = file
        self._words = words
        self._out: IO[bytes] | None = None
        wanted: dict[str, object] = json.loads(json.dumps(head))
        self._whole = self._check(wanted) if file.exists() else 0
        file.parent.mkdir(parents=True, exist_ok=True)
        if not self._whole:
            self._open(0)
            self.add(wanted)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        if self._out is not None:
            self._out.close()

    def found(self) -> Iterator[tuple[int, object]]:
        """Yield each line that the file had when it was opened, with its number; None for what is not JSON."""
        if not self._whole:
            return
        with self.file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.endswith(b"\n") and number > 1:
                    yield number, _parsed(line)

    def refused(self, number: int, why: str) -> OtherResults:
        """Return the error for a line that does not belong there."""
        return OtherResults(f"{self.file}, line {number}: {why}")

    def add(self, value: object) -> None:
        """Append a line at once. Ctrl-C leaves it whole."""
        out = self._out or self._open(self._whole)
        line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        with interrupts.undisturbed():
            out.write(line)
            out.flush()

    def _open(self, whole: int) -> IO[bytes]:
        self._out = self.file.open("ab")
        self._out.truncate(whole)
        return self._out

    def _check(self, wanted: dict[str, object]) -> int:
        """Compare the head. Return how many bytes of the file are whole lines."""
        whole, first = 0, b""
        with self.file.open("rb") as lines:
            for line in lines:
                first = first or line
                if line.endswith(b"\n"):
                    whole += len(line)
        if not whole and json.dumps(wanted, separators=(",", ":"), ensure_ascii=False).encode().startswith(first):
            return 0
        found = _parsed(first) if whole else None
        if not isinstance(found, dict) or found.get(self._words.key) != wanted[self._words.key]:
            raise OtherResults(f"{self.file} holds no {self._words.what}; name another file.")
        if said := difference(found, wanted):
            raise OtherResults(f"{self.file} holds {self._words.other}: {said}. Name another file.")
        return whole


def difference(found: Mapping[str, object], wanted: Mapping[str, object], within: str = "") -> str:
    """Return the first thing that is not as wanted, in words ("seed is 1 there and 2 here"), "" if all is."""
    for name in [*wanted, *(name for name in found if name not in wanted and within)]:
        there, here = found.get(name), wanted.get(name)
        if there == here:
            continue
        if isinstance(there, dict) and isinstance(here, dict):
            return difference(there, here, f"{within}{name}.")
        return f"{within}{name} is {_short(there)} there and {_short(here)} here"
    return ""


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
