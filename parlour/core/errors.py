"""Every way in which Parlour can refuse something, as one tree of errors.

Each error has a stable `code` (for JSON and exit statuses), a sentence for a person and, if a rule
is the reason, its clause. The three kinds of bad move are those of python-chess: invalid (cannot be
read), ambiguous (can be read in two ways), illegal (can be read, but is not allowed now).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable


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


def whole(value: object, what: str, error: type[ParlourError] = BadSetup) -> int:
    """Return `value` as a whole number; True and 2.0 are none.

    Raises `error`: "`what` must be a whole number".
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{what} must be a whole number, not {value!r}.") from None


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
    """It is another seat's decision, or nobody's."""

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
