"""How a check says that a game is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

E = TypeVar("E", bound=Exception)


class Fault(AssertionError):
    """A game breaks its contract. The text is a sentence that names the file and the function."""


def require(holds: object, sentence: str) -> None:
    """Raise Fault(sentence) unless it holds. (Python can be run without `assert`.)"""
    if not holds:
        raise Fault(sentence)


def refused(kind: type[E], call: Callable[..., object], *arguments: object, sentence: str) -> E:
    """Make the call and return the error of this kind that it raises. Raises Fault(sentence) if the
    call succeeds."""
    try:
        call(*arguments)
    except kind as error:
        return error
    raise Fault(sentence)
