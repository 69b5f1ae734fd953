"""Records: a match as text, and back. The format is described in docs/notation.md.

    parlour-record 1
    game: "NAME"
    ...header lines, each `name: JSON`

    * card captain
    1 reroll 1 2 5

A step is `*` for chance or the number of the seat (from 1), then the text of the outcome or move. Blank
lines and lines that begin with `#` are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from parlour.core import fair
from parlour.core.errors import BrokenRecord, OtherRules, ParlourError, UnfairRecord
from parlour.core.game import CHANCE, Edition, Game, Part

if TYPE_CHECKING:
    from parlour.core.match import Match

FIRST_LINE = "parlour-record 1"
_HEADER: dict[str, type | tuple[type, ...]] = {
    "game": str, "rules": int, "edition": str, "parts": dict, "options": dict, "names": list,
    "commitment": str, "words": list, "seed": (str, type(None)),
}  # fmt: skip
_STEP = re.compile(r"(\*|[1-9][0-9]?) +(\S.*)")


@dataclass(frozen=True)
class Record:
    """A match as data. `steps` are (actor, text); `seed` is None while it is secret."""

    game: str
    rules_version: int
    edition: str
    parts: Mapping[str, Any]
    options: Mapping[str, str]
    names: tuple[str, ...]
    commitment: str
    words: tuple[str, ...] = ()
    seed: str | None = None
    steps: tuple[tuple[int, str], ...] = field(default=(), repr=False)

    def to_text(self) -> str:
        """The record in the text format; `Record.parse` undoes it."""
        header = (self.game, self.rules_version, self.edition, self.parts, self.options, self.names,
                  self.commitment, self.words, self.seed)  # fmt: skip
        lines = [FIRST_LINE]
        for name, value in zip(_HEADER, header, strict=True):
            lines.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
        lines.append("")
        lines += [f"{'*' if actor == CHANCE else actor + 1} {text}" for actor, text in self.steps]
        return "\n".join(lines) + "\n"

    @staticmethod
    def parse(text: str) -> Record:
        """Read a record; BrokenRecord names the line that is wrong."""
        lines = text.replace("\r\n", "\n").split("\n")
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
        if missing := [name for name in _HEADER if name not in header and name not in ("seed", "words")]:
            raise BrokenRecord(f"The header lacks: {', '.join(missing)}.")
        return Record(
            game=header["game"], rules_version=header["rules"], edition=header["edition"], parts=header["parts"],
            options=header["options"], names=tuple(header["names"]), commitment=header["commitment"],
            words=tuple(header.get("words", [])), seed=header.get("seed"), steps=tuple(steps),
        )  # fmt: skip

    def replay(self, find: Callable[[str], Game]) -> Match:
        """Play the record again. OtherRules, BrokenRecord (with the step), or what `find` raises.

        The match has the record's commitment and seed; without a seed its chance can only be forced.
        """
        match = self._start(find)
        for number, (actor, text) in enumerate(self.steps, 1):
            try:
                match.advance(match.parse_outcome(text) if actor == CHANCE else match.parse(text, actor))
            except ParlourError as error:
                raise BrokenRecord(f"Step {number} ({text[:60]}) is not possible: {error}") from error
        return match

    def verify(self, find: Callable[[str], Game]) -> Match:
        """Replay, and draw every outcome again from the seed; UnfairRecord at the first that differs."""
        if self.seed is None:
            raise UnfairRecord("The seed of this match has not been shown yet; it is when the match is over.")
        if fair.commitment(self.seed) != self.commitment:
            raise UnfairRecord("The seed does not match the commitment published before the game.")
        match = self.replay(find)
        fresh = self._start(find)
        draws = fair.Draws(self.seed, self.words)
        for number, (actor, action, text) in enumerate(match.steps, 1):
            if actor == CHANCE:
                outcomes, weights = fresh.chance_outcomes()
                if outcomes[draws.pick(weights, number - 1)] != action:
                    raise UnfairRecord(f"Step {number} ({text}) is not what the seed gives.")
            fresh.advance(action)
        return match

    def _start(self, find: Callable[[str], Game]) -> Match:
        """The match before its first step."""
        from parlour.core.match import Match

        game = find(self.game)
        if self.rules_version != game.rules.VERSION:
            raise OtherRules(
                f"This record was played with version {self.rules_version} of the rules of {game.text.TITLE}; "
                f"this Parlour has version {game.rules.VERSION}."
            )
        edition = Edition(self.edition, self.edition, "", {k: Part(v, "", "") for k, v in self.parts.items()})
        if self.edition in game.editions and game.edition(self.edition).parts == edition.parts:
            edition = game.edition(self.edition)
        try:
            match = Match(
                game,
                edition=edition,
                options=game.recorded(self.options),
                names=self.names,
                seed=self.seed,
                words=self.words,
                auto=False,
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise BrokenRecord(f"The edition in the header does not fit the game: {error}.") from error
        match.seed, match.commitment = self.seed, self.commitment
        return match


def _value(number: int, name: str, text: str) -> Any:
    """The JSON value of header `name` on line `number`."""
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
