"""How a check says that a game is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

E = TypeVar("E", bound=Exception)


class Fault(AssertionError):
    """A game does not keep its word; the text is a sentence that names the file and the
    function."""


def require(holds: object, sentence: str) -> None:
    """Fault(sentence) unless it holds. No `assert`: Python can be told to leave these out."""
    if not holds:
        raise Fault(sentence)


def refused(kind: type[E], call: Callable[..., Any], *arguments: Any, sentence: str) -> E:
    """The error of this kind with which the call is refused; Fault(sentence) where it is not
    refused."""
    try:
        call(*arguments)
    except kind as error:
        return error
    raise Fault(sentence)
