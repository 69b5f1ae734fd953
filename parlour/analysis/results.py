"""The games of an arena in a file of JSON lines: first the settings, then a line for each game, append-only."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from parlour.analysis.arena import Contest, Played
from parlour.core.errors import ParlourError


class OtherResults(ParlourError):
    """A file cannot be continued: it holds something else, or games of another contest."""

    code = "other-results"


class Results:
    """The file of a contest, new or continued; `played` are the games that it already holds. Use with `with`.

    An incomplete last line (after a crash, or on a full disk) is removed, and its game is played again. Raises
    OtherResults, which names the difference or the unreadable line, and OSError.
    """

    def __init__(self, file: Path, contest: Contest) -> None:
        self.file = file
        self.played: list[Played] = []
        self._out: IO[bytes] | None = None
        settings = json.loads(json.dumps(contest.settings()))
        whole = self._read(settings, contest) if file.exists() else 0
        file.parent.mkdir(parents=True, exist_ok=True)
        self._out = file.open("ab")
        self._out.truncate(whole)
        if not whole:
            self._write(settings)

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        if self._out is not None:
            self._out.close()

    def add(self, one: Played) -> None:
        """Append a game at once."""
        held = one._asdict()
        if not one.fault:
            del held["fault"]
        self._write(held)

    def _write(self, value: object) -> None:
        assert self._out is not None
        self._out.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._out.flush()

    def _read(self, settings: dict[str, object], contest: Contest) -> int:
        """Read the file. Return how many of its bytes are whole lines."""
        data = self.file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if (
            not whole
            and data
            and not json.dumps(settings, separators=(",", ":"), ensure_ascii=False).encode().startswith(data)
        ):
            raise OtherResults(f"{self.file} holds no games of an arena; name another file.")
        for number, line in enumerate(data[:whole].splitlines(), 1):
            value = _parsed(line)
            if number == 1:
                self._compare(value, settings)
                continue
            if (one := _game(value, contest)) is None:
                raise OtherResults(f"{self.file}, line {number}: this is not a game of the arena in the first line.")
            self.played.append(one)
        return whole

    def _compare(self, found: object, settings: dict[str, object]) -> None:
        if not isinstance(found, dict) or found.get("arena") != settings["arena"]:
            raise OtherResults(f"{self.file} holds no games of an arena; name another file.")
        for name, value in settings.items():
            if found.get(name) != value:
                said = f"{name} is {_short(found.get(name))} there and {_short(value)} here"
                raise OtherResults(f"{self.file} holds games of another arena: {said}. Name another file.")


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _game(value: object, contest: Contest) -> Played | None:
    """Return the game that a line holds, None if it is not one of this contest."""
    if not isinstance(value, dict):
        return None
    held: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in value.items()}
    try:
        one = Played(**held)
        fits = one.seats == contest.block(one.block)[one.number] and len(one.returns) == contest.players
    except (TypeError, IndexError):
        return None
    return one if fits else None


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
