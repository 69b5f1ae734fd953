"""Every way in which Parlour can refuse something, as one tree of errors.

Each error has a stable `code` (for JSON and exit statuses), a sentence for a person and, if a rule
is the reason, its clause. The three kinds of bad move are those of python-chess: invalid (cannot be
read), ambiguous (can be read in two ways), illegal (can be read, but is not allowed now).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence


class ParlourError(Exception):
    """Base class of all refusals. `code` is stable; `str(error)` is for a person."""

    code = "error"

    def __init__(self, message: str, *, clause: str = "", allowed: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.clause = clause
        self.allowed = tuple(allowed)

    def __str__(self) -> str:
        text = self.message
        if self.clause:
            text += f" ({self.clause})"
        if self.allowed:
            text += " Allowed: " + ", ".join(self.allowed) + "."
        return text


class UnknownName(ParlourError):
    """A game, edition, option, value or bot does not exist; `allowed` names those that do."""

    code = "unknown-name"


class BrokenGame(ParlourError):
    """A game exists but does not load; the message says what is wrong with it."""

    code = "broken-game"


class CompilerOff(ParlourError):
    """Something needs compiled rules, and the environment forbids compiling."""

    code = "compiler-off"


class BadSetup(ParlourError):
    """The table cannot be set up as requested (the number of players, say)."""

    code = "bad-setup"


class BadParts(BadSetup):
    """The values of an edition make no game. `faults`: the path of each wrong value ("" for none), and a sentence."""

    code = "bad-parts"

    def __init__(self, faults: Sequence[tuple[str, str]], *, clause: str = "") -> None:
        super().__init__(" ".join(sentence for _, sentence in faults), clause=clause)
        self.faults = tuple(faults)


def whole(value: object, what: str, error: type[ParlourError] = BadSetup) -> int:
    """Return `value` as a whole number; True and 2.0 do not count.

    Raises `error`: "`what` must be a whole number".
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{what} must be a whole number, not {value!r}.") from None


def positive(value: object, what: str) -> float:
    """Return `value`, a number above 0. Raises BadSetup for all else, True included."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise BadSetup(f"{what} must be a number above 0, not {value!r}.")
    return value


def text(value: object, what: str, error: type[ParlourError] = BadSetup) -> str:
    """Return `value` as a text that UTF-8 can write.

    Raises `error`: "`what` must be a text".
    """
    if not isinstance(value, str):
        raise error(f"{what} must be a text, not {value!r}.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise error(f"{what} has half of a character in it, which cannot be written: {value!r}.") from None
    return value


def texts(value: object, what: str, error: type[ParlourError] = BadSetup) -> tuple[str, ...]:
    """Return `value`, a list or another sequence, as texts. Raises `error`; a single text is not a list."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
        raise error(f"{what} must be a list of texts, not {value!r}.")
    return tuple(text(item, f"Each of {what[0].lower()}{what[1:]}", error) for item in value)


def flag(value: object, what: str) -> bool:
    """Return `value` if it is True or False. Raises BadSetup for all else, which Python would take as one of them."""
    if not isinstance(value, bool):
        raise BadSetup(f"{what} must be True or False, not {value!r}.")
    return value


class MoveError(ParlourError):
    """The move was refused."""

    code = "move-refused"


class InvalidMove(MoveError):
    """The text cannot be read as a move of this game."""

    code = "invalid-move"


class IllegalMove(MoveError):
    """The move can be read, but the rules do not allow it now; `clause` names the rule."""

    code = "illegal-move"


class NotYourTurn(MoveError):
    """It is another seat's decision, or no seat has one."""

    code = "not-your-turn"


class MatchOver(MoveError):
    """The match has ended; no move is possible."""

    code = "match-over"


class CannotUndo(MoveError):
    """No decision can be taken back; nothing has changed."""

    code = "cannot-undo"


class RecordError(ParlourError):
    """The record cannot be used."""

    code = "record-error"


class BrokenRecord(RecordError):
    """The record cannot be read, or one of its lines is impossible; the message names the line."""

    code = "broken-record"


class OtherRules(RecordError):
    """The record was played with another version of the rules."""

    code = "other-rules"


class UnfairRecord(RecordError):
    """The seed does not produce the recorded outcomes, or does not match its commitment."""

    code = "unfair-record"
