"""Records: a match as text, and back. docs/notation.md describes the format.

    parlour-record 1
    game: "NAME"
    ...header lines, each `name: JSON`

    * card captain
    1 re-roll 1 2 5

A step is `*` for chance or the number of the seat (from 1), then the text of the outcome or move.
Readers skip blank lines and lines that begin with `#`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from parlour.core import fair
from parlour.core.contract import CHANCE
from parlour.core.errors import BrokenRecord, texts

FIRST_LINE = "parlour-record 1"
_HEADER: dict[str, type | tuple[type, ...]] = {
    "game": str, "rules": int, "edition": str, "parts": dict, "options": dict, "names": list,
    "commitment": str, "words": list, "seed": (str, type(None)), "given": int,
}  # fmt: skip
_OPTIONAL = ("words", "seed", "given")
_STEP = re.compile(r"(\*|[1-9][0-9]?) +(\S.*)")


@dataclass(frozen=True)
class Record:
    """A match as data. `steps` are (actor, text); `seed` is None while it is secret.

    The first `given` steps were neither played nor drawn in this match, which continues from where
    they led. Raises BrokenRecord if there are fewer steps.
    """

    game: str
    rules_version: int
    edition: str
    parts: Mapping[str, object]
    options: Mapping[str, str]
    names: tuple[str, ...]
    commitment: str
    words: tuple[str, ...] = ()
    seed: str | None = None
    steps: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    given: int = 0

    def __post_init__(self) -> None:
        texts(self.names, "Names", BrokenRecord)
        texts(self.words, "Words for the draw", BrokenRecord)
        if not 0 <= self.given <= len(self.steps):
            raise BrokenRecord(f"'given' must be a number from 0 to {len(self.steps)}, the number of steps.")

    @property
    def setup(self) -> fair.Setup:
        """What the record says was fixed before the first draw."""
        return fair.Setup(self.game, self.rules_version, self.edition, self.parts, self.options, len(self.names))

    @property
    def form(self) -> int:
        """The form of the commitment (`fair.form_of`); 0 also while the seed is secret."""
        return fair.form_of(self.commitment, self.seed, self.setup) if self.seed is not None else 0

    def upto(self, version: int) -> Record:
        """Return the record as it was after this number of steps."""
        return replace(self, steps=self.steps[:version], given=min(self.given, version))

    def to_text(self) -> str:
        """Return the record in the text format; `Record.parse` reverses it. Raises BrokenRecord if it could not."""
        header = (self.game, self.rules_version, self.edition, self.parts, self.options, self.names,
                  self.commitment, self.words, self.seed, self.given)  # fmt: skip
        lines = [FIRST_LINE]
        for name, value in zip(_HEADER, header, strict=True):
            if name != "given" or value:
                lines.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
        lines.append("")
        for number, (actor, text) in enumerate(self.steps, 1):
            line = f"{'*' if actor == CHANCE else actor + 1} {text}"
            if not _STEP.fullmatch(line) or "\r" in line or line[-1].isspace():
                raise BrokenRecord(f"Step {number} cannot be written as one line: {line[:60]!r}.")
            lines.append(line)
        return "\n".join(lines) + "\n"

    @staticmethod
    def parse(text: str) -> Record:
        """Read a record. Raises BrokenRecord, which names the line that is wrong."""
        if not isinstance(text, str):
            raise BrokenRecord(f"A record is a text, not {type(text).__name__}.")
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if lines[0].removeprefix("\ufeff").strip() != FIRST_LINE:
            raise BrokenRecord(f"This is not a Parlour record: the first line must be {FIRST_LINE!r}.")
        header: dict[str, Any] = {}
        steps: list[tuple[int, str]] = []
        for number, line in enumerate(lines[1:], 2):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            head, colon, rest = line.partition(":")
            if colon and head in _HEADER and not steps:
                if head in header:
                    raise BrokenRecord(f"Line {number}: {head!r} is given twice.")
                header[head] = _value(number, head, rest)
                continue
            step = _STEP.fullmatch(line)
            if not step:
                raise BrokenRecord(f"Line {number} is neither a header nor a step: {line[:60]!r}.")
            steps.append((CHANCE if step[1] == "*" else int(step[1]) - 1, step[2]))
        if missing := [name for name in _HEADER if name not in header and name not in _OPTIONAL]:
            raise BrokenRecord(f"The header lacks: {', '.join(missing)}.")
        return Record(
            game=header["game"], rules_version=header["rules"], edition=header["edition"], parts=header["parts"],
            options=header["options"], names=tuple(header["names"]), commitment=header["commitment"],
            words=tuple(header.get("words", [])), seed=header.get("seed"), steps=tuple(steps),
            given=header.get("given", 0),
        )  # fmt: skip


def _value(number: int, name: str, text: str) -> object:
    """Return the JSON value of header `name` on line `number`."""
    value: Any
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair could not be written again
    except (ValueError, RecursionError):
        raise BrokenRecord(f"Line {number}: the value of {name!r} is not JSON that can be read.") from None
    fits: bool = isinstance(value, _HEADER[name]) and not isinstance(value, bool)
    if not fits:
        raise BrokenRecord(f"Line {number}: the value of {name!r} is of the wrong kind.")
    if name in ("names", "words") and not all(isinstance(item, str) for item in value):
        raise BrokenRecord(f"Line {number}: {name!r} must be a list of texts.")
    if name == "options" and not all(isinstance(item, str) for item in value.values()):
        raise BrokenRecord(f"Line {number}: the values of the options must be texts.")
    if name in ("seed", "commitment") and value is not None and not fair.is_seed(value):
        raise BrokenRecord(f"Line {number}: {name!r} must be 64 hexadecimal digits.")
    return value
